// Something to do with a message at its provider: handed to the outbox, behind what was sent before. Or done in the outbox itself,
// while the message still waits there.
import { outbox } from '../../messaging/outbox/table.ts'
import type { MessageRef, Outgoing } from '../../platform/channel/driver.ts'
import { isOwnId } from '../../platform/channel/ids.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { MessageRoute } from './write.ts'

/** Queues an edit, a revoke, a reaction or a reading for the connection's owner, in the transaction of the change. */
export async function enqueueOperation(
  tx: Tx,
  { whatsappId, contactId }: MessageRoute,
  messageId: number | null,
  payload: Extract<Outgoing, { type: 'edit' | 'revoke' | 'reaction' | 'read' }>,
): Promise<void> {
  await tx.insert(outbox).values({ whatsappId, contactId, messageId, operation: payload.type, payload })
}

/**
 * The outbox row of a message that waits, or that failed and may be tried again; locked, so that nobody begins now. Null when it
 * is on its way or was. Never waits: whoever claims it holds the row first and the message after, we the other way round.
 */
export async function lockUnsentRow(tx: Tx, messageId: number): Promise<UnsentRow | null> {
  const [row] = await getSql(tx)<UnsentRow[]>`
    select id::float8 as id, may_be_out as "mayBeOut" from outbox where message_id = ${messageId} and operation = 'message' and state in ('queued', 'failed')
    for update skip locked`
  return row ?? null
}

export interface UnsentRow {
  readonly id: number
  /** How an earlier try ended nobody knows: what is changed here must be changed at the customer, too. */
  readonly mayBeOut: boolean
}

/** Stands for a message that is being sent: the outbox looks up what it refers to when its turn comes. */
export const NOT_KNOWN_YET: MessageRef = { chat: '', id: '', fromMe: true }

/** A message as its provider knows it, enough to edit, revoke, react to, quote or mark as read. Null before it was sent, and of what the provider has no message for. */
export function toMessageRef(row: MessageRefRow): MessageRef | null {
  if (row.provider_id === null || row.chat === null || isOwnId(row.provider_id)) return null
  const participant = row.author_jid !== null && row.author_jid !== row.chat ? { participant: row.author_jid } : {}
  return { chat: row.chat, id: row.provider_id, fromMe: row.from_me, ...participant }
}

export interface MessageRefRow {
  readonly provider_id: string | null
  readonly chat: string | null
  readonly from_me: boolean
  readonly author_jid: string | null
}
