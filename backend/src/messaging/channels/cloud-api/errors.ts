// What a refusal of Meta means for a message: never, later, or nobody knows.
import type { SendResult } from '../../../platform/channel/driver.ts'
import { GraphError, GraphUnreachable } from './graph.ts'

type Failure = Extract<SendResult, { ok: false }>

/** Limits and hiccups: the same call may work later. */
const LATER: Record<number, number> = {
  1: 5000,
  2: 5000,
  4: 60_000,
  80007: 60_000,
  130429: 5000,
  131000: 5000,
  131016: 30_000,
  131048: 300_000,
  131057: 60_000,
  133004: 30_000,
}
const PAIR_LIMIT = 131056

/**
 * How a failed call ends. `pairRefusals`: how often in a row this recipient was limited; the pause grows as 4ⁿ seconds.
 * A call without an answer may have gone out, and Meta gives no way to repeat it harmlessly.
 */
export function toSendFailure(error: unknown, pairRefusals: number): Failure {
  if (error instanceof GraphUnreachable)
    return {
      ok: false,
      outcome: error.handedOver ? 'unknown' : 'retry',
      code: 'unreachable',
      text: error.message,
      ...(!error.handedOver && { afterMs: 5000 }),
    }
  if (!(error instanceof GraphError))
    return { ok: false, outcome: 'unknown', code: 'error', text: 'Something of ours failed while it was sent' }
  const { code, title, details, status } = error
  const facts = { ok: false, code: String(code), text: title, ...(details && { details }) } as const
  if (code === PAIR_LIMIT) return { ...facts, outcome: 'retry', afterMs: 1000 * 4 ** Math.min(pairRefusals, 5) }
  const afterMs = LATER[code]
  if (afterMs !== undefined) return { ...facts, outcome: 'retry', afterMs }
  if (code === 0 && status === 429) return { ...facts, outcome: 'retry', code: '429', afterMs: 60_000 }
  if (code === 0 && (status >= 500 || status < 300)) return { ...facts, outcome: 'unknown', code: String(status) }
  return { ...facts, outcome: 'refused' }
}

export function isPairLimit(error: unknown): boolean {
  return error instanceof GraphError && error.code === PAIR_LIMIT
}

/** The token ran out, was withdrawn, or lacks the rights. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof GraphError && (error.code === 190 || error.status === 401)
}
