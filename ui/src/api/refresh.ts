// Renewing the access token: once at a time in this page and, through a lock, in all tabs of the browser,
// because the refresh cookie is rotated and a second use of the old one would end the session.
import { ask } from '@balcao/client'
import type { AnswerOf } from '@balcao/contract'
import { oneAtATime } from '../browser/index.ts'
import { currentLanguage } from '../i18n/core.ts'
import { ofSession, sessionSignal } from '../session/scope.ts'
import { accessToken, keepToken } from '../session/token.ts'

type SignedIn = AnswerOf<'POST /auth/refresh_token'>

/** Who comes next does not wait for the renewal of who was here. */
const renewal = ofSession<{ running?: Promise<string> }>(() => ({}))
let heard: (answer: SignedIn) => void = () => undefined

/** Calls back with each renewed session; the shell keeps the user in the store with it. */
export function onRefreshed(listener: (answer: SignedIn) => void) {
  heard = listener
}

/** A token newer than `old`; throws the server's refusal if the session is over. */
export function refreshToken(old: string | null) {
  const own = renewal()
  own.running ??= alone(asked => refresh(old, asked)).finally(() => {
    own.running = undefined
  })
  return own.running
}

/** Goes on with the session of the refresh cookie, whatever the token: how a page starts. Errors as `refreshToken`. */
export function resumeSession() {
  return alone(renew)
}

async function refresh(old: string | null, asked: AbortSignal) {
  const now = accessToken()
  // Another tab was faster.
  return now !== null && now !== old ? now : renew(asked)
}

async function renew(asked: AbortSignal) {
  asked.throwIfAborted()
  // `keepalive`: if the page is left meanwhile, the browser still takes the rotated cookie.
  const answer: SignedIn = await ask(
    location.origin,
    'POST /auth/refresh_token',
    {},
    { keepalive: true, language: currentLanguage() },
  )
  // Who signed out while it was on its way is not signed in again by it.
  asked.throwIfAborted()
  keepToken(answer.token)
  heard(answer)
  return answer.token
}

/** `asked` ends with who asked, however long the others take. */
function alone<T>(work: (asked: AbortSignal) => Promise<T>): Promise<T> {
  const asked = sessionSignal()
  return oneAtATime('balcao-refresh', () => work(asked))
}
