// Mass sends as a list of rows: newest first, by how they stand.
import type { MassSend, QueryParams, SendState } from '@balcao/contract'
import type { RowQuery } from '@balcao/ui/screens'

export type Show = NonNullable<QueryParams<'GET /envioMassa'>['show']>

export interface SendQuery extends RowQuery {
  /** Null: all. */
  readonly show: Show | null
}

const SHOWN: Readonly<Record<SendState, Show>> = {
  calculating: 'active',
  waiting: 'active',
  running: 'active',
  paused: 'stopped',
  stopped: 'stopped',
  done: 'ended',
  cancelled: 'ended',
}

export function compareNewestFirst(one: MassSend, other: MassSend): number {
  return other.id - one.id
}

export function isSendShown({ state }: MassSend, { show }: SendQuery): boolean {
  return show === null || SHOWN[state] === show
}

/** What one may do with a send as it stands (decisions §15). What stopped for good does not go on. */
export function listSteps({ state, stateReason }: Pick<MassSend, 'state' | 'stateReason'>) {
  const isOver = state === 'done' || state === 'cancelled'
  const isForGood = stateReason !== null && FOR_GOOD.has(stateReason)
  return {
    paused: SHOWN[state] === 'active',
    resumed: SHOWN[state] === 'stopped' && !isForGood,
    cancelled: !isOver,
  }
}

const FOR_GOOD: ReadonlySet<string> = new Set(['connection_deleted', 'file_gone', 'no_recipients', 'token_ended'])
