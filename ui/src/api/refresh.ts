// Renewing the access token: once at a time in this page and, through a lock, in all tabs of the browser,
// because the refresh cookie is rotated and a second use of the old one would end the session.
import { ask } from '@balcao/client'
import type { ResponseBody } from '@balcao/contract'
import { RENEWAL_COOKIE } from '@balcao/contract/sessions/cookies'
import { makeId, remember, runExclusively } from '../browser/index.ts'
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
  own.running ??= runAlone(signal => refresh(old, signal)).finally(() => {
    own.running = undefined
  })
  return own.running
}

/** Goes on with the session of the refresh cookie, whatever the token: how a page starts. Errors as `refreshToken`. */
export function resumeSession() {
  return runAlone(renewSession)
}

async function refresh(old: string | null, signal: AbortSignal) {
  const now = getAccessToken()
  // Another tab was faster.
  return now !== null && now !== old ? now : renewSession(signal)
}

async function renewSession(signal: AbortSignal) {
  const left: RenewalMark = JSON.parse(localStorage.getItem(RENEWAL) ?? '{}')
  await awaitLeftRenewal(left)
  signal.throwIfAborted()
  const cookie = readRenewalCookie()
  const mark = { cookie, attempt: (left.cookie === cookie && left.attempt) || makeId() }
  remember(RENEWAL, JSON.stringify({ ...mark, at: Date.now() }))
  try {
    const token = await requestRenewal(signal, mark.attempt)
    localStorage.removeItem(RENEWAL)
    return token
  } catch (error) {
    if (!isLeft) remember(RENEWAL, JSON.stringify(mark))
    throw error
  }
}

async function requestRenewal(signal: AbortSignal, attempt: string) {
  // `keepalive`: if the page is left meanwhile, the browser still takes the rotated cookie.
  const answer: SignedIn = await ask(
    location.origin,
    'POST /auth/refresh_token',
    { body: { attempt }, signal: AbortSignal.timeout(ANSWER_MS) },
    { keepalive: true, language: getLanguage() },
  )
  // Who signed out while it was on its way is not signed in again by it.
  signal.throwIfAborted()
  keepToken(answer.token)
  heard(answer)
  return answer.token
}

/** An answer that takes longer is given up and asked for again; shorter than a lease of `runExclusively`. */
const ANSWER_MS = 8000
/** The renewal that has no answer yet: as which attempt and with which cookie it was sent, and, while it is on its way, when. */
const RENEWAL = 'balcao.renewal'
interface RenewalMark {
  readonly at?: number
  readonly cookie?: string
  /** The server may have used the cookie by now: the same attempt is no theft. */
  readonly attempt?: string
}
/** A browser lets what was asked for fail as the page goes, though the answer still comes to it. */
let isLeft = false
addEventListener('pagehide', () => {
  isLeft = true
})
addEventListener('pageshow', () => {
  isLeft = false
})
/** An answer that takes longer does not come any more. */
const LEFT_MS = 5000
const LOOK_MS = 25

/**
 * A page that is left while its renewal is on its way frees the lock and can tell nobody of the answer. Whoever comes next would bring
 * the former cookie, which ends the session: it waits until the browser has the new one.
 */
async function awaitLeftRenewal(left: RenewalMark) {
  const until = performance.now() + LEFT_MS - Math.max(0, Date.now() - (left.at ?? 0))
  while (performance.now() < until && readRenewalCookie() === left.cookie)
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
}

function readRenewalCookie(): string {
  return document.cookie.split('; ').find(cookie => cookie.startsWith(`${RENEWAL_COOKIE}=`)) ?? ''
}

/** `asked` ends with who asked, however long the others take. */
function runAlone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = getSessionSignal()
  return runExclusively('balcao-refresh', () => work(signal))
}
