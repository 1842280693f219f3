// The acknowledgement numbers of the four kinds (spec 1 §4) and the neutral states inside: the only place that knows both.
import type { Kind } from './entities/connection.ts'
import type { MessageState } from './entities/message.ts'

/** Neutral acknowledgement a channel reports. It may only grow; `error` is final unless something better was known. */
export type Ack = 'error' | 'pending' | 'sent' | 'delivered' | 'read'

const NUMBERS: Record<Kind, Record<Ack, readonly number[]>> = {
  baileys: { error: [0], pending: [1], sent: [2, 1], delivered: [3], read: [4, 5] },
  meow: { error: [0], pending: [1], sent: [1], delivered: [2], read: [3] },
  wwebjs: { error: [-1], pending: [0], sent: [1, 0], delivered: [2], read: [3, 4] },
  cloud_api: { error: [5], pending: [0], sent: [1, 0], delivered: [2], read: [3, 4] },
}

/**
 * The number the specification's clients expect for a neutral state.
 * @example ackNumber('baileys', 'read') // 4
 */
export function ackNumber(kind: Kind, state: MessageState): number {
  return NUMBERS[kind][ACK_OF_STATE[state]][0] ?? 0
}

/**
 * The neutral ack of a provider's number, or null for one the kind does not have.
 * @example ackOf('cloud_api', 5) // 'error'
 */
export function ackOf(kind: Kind, number: number): Ack | null {
  const order: readonly Ack[] = ['error', 'read', 'delivered', 'sent', 'pending']
  return order.find(ack => NUMBERS[kind][ack].includes(number)) ?? null
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
export function afterAck(state: MessageState, ack: Ack): MessageState {
  if (state === 'received' || ack === 'pending') return state
  if (ack === 'error') return RANK[state] > RANK.sent ? state : 'failed'
  if (state === 'failed' && ack === 'sent') return 'failed'
  return RANK[ack] > RANK[state] ? ack : state
}
