// What follows when a browser's turn ends: what the card says, who must act, and when we try again.
import { choosePause, LINK_PAUSES, type LinkPauses, type RetryPlan } from '../shared/link-machine.ts'

/** Why it ended: a word of ours, or WhatsApp Web's for its state. */
export type WebEnd =
  | 'logged_out'
  | 'codes_shown'
  | 'no_browser'
  | 'died'
  | 'stuck'
  | 'not_ready'
  | 'memory'
  | { readonly state: string }

export interface WebReconnectPlan extends RetryPlan {
  /** The pairing is void. */
  readonly forget?: true
}

/** A browser is dearer to start than a socket: the first pause is longer. */
export const PAUSES: LinkPauses = {
  ...LINK_PAUSES,
  backoffMs: [2000, 5000, 15_000, 30_000, 60_000],
  steadyMs: 60_000,
}

/** What a browser says that has no way to the page: a name without an address, no answer, a line that broke. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Error && /\bnet::ERR_/.test(error.message)
}

/** `attempt`: failed ones in a row, this one included; `random` (0 to 1) spreads retries by ±20 %. */
export function planReconnect(
  end: WebEnd,
  attempt: number,
  pauses: LinkPauses = PAUSES,
  random = Math.random,
): WebReconnectPlan {
  const afterMs = choosePause(pauses.backoffMs, attempt, random)
  const retry = { status: 'DISCONNECTED', next: 'retry', afterMs } as const
  if (typeof end === 'object') return afterState(end.state, attempt, pauses, retry)
  switch (end) {
    case 'logged_out':
      return { ...READ_QR, status: 'LOGGEDOUT', code: 'LOGOUT', reason: 'logged_out', forget: true }
    case 'codes_shown':
      return { ...READ_QR, status: 'TIMEOUT', code: 'codes_shown', reason: 'qr_not_read' }
    case 'no_browser':
      return { status: 'DISCONNECTED', code: end, reason: 'no_browser', next: 'ask_support', afterMs: null }
    case 'memory':
      return { ...retry, code: end, reason: 'browser', afterMs: 0 }
    default:
      return { ...retry, code: end, reason: 'browser' }
  }
}

const READ_QR = { next: 'read_qr', afterMs: null } as const

function afterState(
  state: string,
  attempt: number,
  pauses: LinkPauses,
  retry: Pick<WebReconnectPlan, 'status' | 'next' | 'afterMs'>,
): WebReconnectPlan {
  switch (state) {
    case 'UNPAIRED':
    case 'UNPAIRED_IDLE':
      return planReconnect('logged_out', attempt, pauses)
    case 'TOS_BLOCK':
    case 'SMB_TOS_BLOCK':
      return { status: 'LOGGEDOUT', code: state, reason: 'banned', next: 'ask_support', afterMs: null }
    case 'CONFLICT':
      if (attempt > 2) return { status: 'DISCONNECTED', code: state, reason: 'replaced', next: 'none', afterMs: null }
      return { ...retry, code: state, reason: 'replaced', afterMs: pauses.replacedMs }
    case 'DEPRECATED_VERSION':
      return { ...retry, code: state, reason: 'client_too_old', afterMs: pauses.tooOldMs }
    case 'PROXYBLOCK':
    case 'TIMEOUT':
      return { ...retry, code: state, reason: 'network' }
    default:
      return { ...retry, code: state, reason: 'other' }
  }
}
