// The acknowledgement numbers of the kinds (spec 1 §4) and the neutral states inside.

import type { Kind } from '../connections/kind-names.ts'
import { type Ack, KIND_TABLE } from '../connections/kinds.ts'
import type { MessageState } from './message.ts'

/**
 * The number the specification's clients expect for a neutral state.
 * @example toAckNumber('baileys', 'read') // 4
 */
export function toAckNumber(kind: Kind, state: MessageState): number {
  return KIND_TABLE[kind].acks[ACK_OF_STATE[state]][0] ?? 0
}

/**
 * The neutral ack of a provider's number, or null for one the kind does not have.
 * @example parseAckNumber('cloud_api', 5) // 'error'
 */
export function parseAckNumber(kind: Kind, number: number): Ack | null {
  const order: readonly Ack[] = ['error', 'read', 'delivered', 'sent', 'pending']
  return order.find(ack => KIND_TABLE[kind].acks[ack].includes(number)) ?? null
}

const ACK_OF_STATE: Record<MessageState, Ack> = {
  received: 'read',
  queued: 'pending',
  sending: 'pending',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'error',
  unknown: 'pending',
}

const RANK: Record<MessageState, number> = {
  received: 9,
  queued: 0,
  sending: 1,
  unknown: 2,
  failed: 3,
  sent: 4,
  delivered: 5,
  read: 6,
}

/**
 * The state after an ack arrived: acks only grow, whatever their order; an error counts only while nothing
 * better than `sent` is known (a provider may first take a message and refuse it later); a receipt heals `failed` and `unknown`.
 */
export function applyAck(state: MessageState, ack: Ack): MessageState {
  if (state === 'received' || ack === 'pending') return state
  if (ack === 'error') return RANK[state] > RANK.sent ? state : 'failed'
  if (state === 'failed' && ack === 'sent') return 'failed'
  return RANK[ack] > RANK[state] ? ack : state
}
