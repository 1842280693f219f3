// What a screen asks first is asked while its code is on its way; the screen's own call then takes that answer.
import { keepPerSession } from '../session/scope.ts'

/** Whoever comes later than this asks for themselves, ms. */
const KEPT_MS = 10_000

interface AheadAnswer {
  readonly answer: Promise<Response>
  readonly askedAt: number
}

const getAnswers = keepPerSession(() => new Map<string, AheadAnswer>())

/** Asks now, for the one call that will ask the same as the same person. */
export function fetchAhead(url: string, init: RequestInit) {
  const answers = getAnswers()
  const key = toKey(url, init)
  const answer = fetch(url, init)
  answers.set(key, { answer, askedAt: Date.now() })
  answer.catch(() => answers.delete(key))
}

/** The network, or what came from it ahead; each answer is given out once. */
export function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  const answers = getAnswers()
  if (answers.size === 0) return fetch(url, init)
  const key = toKey(url, init)
  const ahead = answers.get(key)
  answers.delete(key)
  return ahead && Date.now() - ahead.askedAt < KEPT_MS ? ahead.answer : fetch(url, init)
}

/** Something was told: what was asked before may not know it, and the screen that would was not there to hear it. */
export function forgetAhead() {
  getAnswers().clear()
}

function toKey(url: string, { method, headers }: RequestInit): string {
  return `${method} ${url} ${new Headers(headers).get('authorization')}`
}
