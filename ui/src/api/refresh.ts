// Renewing the access token: once at a time in this page and, through a lock, in all tabs of the browser,
// because the refresh cookie is rotated and a second use of the old one would end the session.
import { ask } from '@balcao/client'
import type { ResponseBody } from '@balcao/contract'
import { runExclusively } from '../browser/index.ts'
import { getLanguage } from '../i18n/core.ts'
import { getSessionSignal, keepPerSession } from '../session/scope.ts'
import { getAccessToken, keepToken } from '../session/token.ts'

type SignedIn = ResponseBody<'POST /auth/refresh_token'>

/** Who comes next does not wait for the renewal of who was here. */
const renewal = keepPerSession<{ running?: Promise<string> }>(() => ({}))
let heard: (answer: SignedIn) => void = () => undefined

/** Calls back with each renewed session; the shell keeps the user in the store with it. */
export function onSessionRenewed(listener: (answer: SignedIn) => void) {
  heard = listener
}

/** A token newer than `old`; throws the server's refusal if the session is over. */
export function refreshToken(old: string | null) {
  const own = renewal()
  own.running ??= runAlone(asked => refresh(old, asked)).finally(() => {
    own.running = undefined
  })
  return own.running
}

/** Goes on with the session of the refresh cookie, whatever the token: how a page starts. Errors as `refreshToken`. */
export function resumeSession() {
  return runAlone(renewSession)
}

async function refresh(old: string | null, asked: AbortSignal) {
  const now = getAccessToken()
  // Another tab was faster.
  return now !== null && now !== old ? now : renewSession(asked)
}

async function renewSession(asked: AbortSignal) {
  asked.throwIfAborted()
  // `keepalive`: if the page is left meanwhile, the browser still takes the rotated cookie.
  const answer: SignedIn = await ask(
    location.origin,
    'POST /auth/refresh_token',
    {},
    { keepalive: true, language: getLanguage() },
  )
  // Who signed out while it was on its way is not signed in again by it.
  asked.throwIfAborted()
  keepToken(answer.token)
  heard(answer)
  return answer.token
}

/** `asked` ends with who asked, however long the others take. */
function runAlone<T>(work: (asked: AbortSignal) => Promise<T>): Promise<T> {
  const asked = getSessionSignal()
  return runExclusively('balcao-refresh', () => work(asked))
}
