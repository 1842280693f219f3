// What follows when a connection ends, by WhatsApp's code: who must act, and when we try again.
import { choosePause, type FailureCount, LINK_PAUSES, type LinkPauses, type RetryPlan } from '../shared/link-machine.ts'

export interface BaileysEnd extends FailureCount {
  /** WhatsApp's or the library's code; 0 for an error without one. */
  readonly code: number
  /** A phone agreed, be it on this very line. */
  readonly paired: boolean
  /** WhatsApp had codes shown, and none was read. */
  readonly codesRanOut: boolean
}

export interface BaileysReconnectPlan extends Omit<RetryPlan, 'code'> {
  /** The pairing is void. */
  readonly forget?: true
  /** Ask for a newer client version before trying again. */
  readonly refreshVersion?: true
}

const BAD_SESSION_AFTER = 5

/** The rule for one code; `random` (0 to 1) spreads retries by ±20 %. */
export function planReconnect(
  ended: BaileysEnd,
  pauses: LinkPauses = LINK_PAUSES,
  random: () => number = Math.random,
): BaileysReconnectPlan {
  const afterMs = choosePause(pauses.backoffMs, ended.attempt, random)
  const retry = { status: 'DISCONNECTED', next: 'retry', afterMs } as const
  switch (ended.code) {
    case 515:
      return { status: 'OPENING', reason: 'restart', next: 'retry', afterMs: 0 }
    case 401:
      return { status: 'LOGGEDOUT', reason: 'logged_out', next: 'read_qr', afterMs: null, forget: true }
    case 403:
      return { status: 'LOGGEDOUT', reason: 'banned', next: 'ask_support', afterMs: null }
    case 405:
      return { ...retry, reason: 'client_too_old', afterMs: pauses.tooOldMs, refreshVersion: true }
    case 440:
      if (ended.repeated > 1) return { status: 'DISCONNECTED', reason: 'replaced', next: 'none', afterMs: null }
      return { ...retry, reason: 'replaced', afterMs: pauses.replacedMs }
    case 411:
      return { status: 'DISCONNECTED', reason: 'multi_device_off', next: 'ask_support', afterMs: null }
    case 500:
      // The library's answer to any stream error it does not know; only a row of them means the session is broken.
      if (ended.repeated >= BAD_SESSION_AFTER)
        return { status: 'DISCONNECTED', reason: 'bad_session', next: 'ask_support', afterMs: null }
      return { ...retry, reason: 'server' }
    case 503:
      return { ...retry, reason: 'server' }
    case 408:
      // The library's one code for codes that ran out, and for a server that cannot be reached.
      if (ended.codesRanOut && !ended.paired)
        return { status: 'TIMEOUT', reason: 'qr_not_read', next: 'read_qr', afterMs: null }
      return { ...retry, reason: 'network' }
    case 0:
    case 428:
      return { ...retry, reason: 'network' }
    default:
      return { ...retry, reason: 'other' }
  }
}

/** The library says so in words alone. */
export function hasQrRunOut(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('QR refs attempts ended')
}

/** The code an ended connection carries: the library wraps everything in Boom errors. */
export function getDisconnectCode(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('output' in error)) return 0
  const { output } = error
  if (typeof output !== 'object' || output === null || !('statusCode' in output)) return 0
  return Number(output.statusCode) || 0
}
