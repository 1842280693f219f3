// Hands a stored message, or something to do with one, to the outbox of its connection.
import type { Kind } from '@balcao/contract'
import type { MessageRef, Outgoing } from '../channels/driver.ts'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { checkFits } from './fits.ts'

export interface HandOver {
  readonly whatsappId: number
  readonly contactId: number
  readonly messageId: number | null
  readonly operation: 'message' | 'edit' | 'revoke' | 'reaction' | 'read'
  readonly payload: Outgoing
}

/** Queues one thing for the connection's owner, in the transaction of the change. Throws `ERR_TEXT_TOO_LONG`: then nothing is changed. */
export async function handOver(
  tx: Tx,
  { whatsappId, contactId, messageId, operation, payload }: HandOver,
): Promise<void> {
  const [row] = await sqlOf(tx)<{ api: Kind | null }[]>`
    insert into outbox (whatsapp_id, contact_id, message_id, operation, payload)
    values (${whatsappId}, ${contactId}, ${messageId}, ${operation}, ${JSON.stringify(payload)}::text::jsonb)
    returning (select api from whatsapp where id = ${whatsappId})`
  if (row?.api) checkFits(row.api, payload)
}

/** Stands for a message that is being sent: the outbox looks up what it refers to when its turn comes. */
export const NOT_KNOWN_YET: MessageRef = { chat: '', id: '', fromMe: true }

/** A message as its provider knows it, enough to edit, revoke, react to, quote or mark as read. Null before it was sent. */
export function refOf(row: RefRow): MessageRef | null {
  if (row.provider_id === null || row.chat === null) return null
  const participant = row.author_jid !== null && row.author_jid !== row.chat ? { participant: row.author_jid } : {}
  return { chat: row.chat, id: row.provider_id, fromMe: row.from_me, ...participant }
}

export interface RefRow {
  readonly provider_id: string | null
  readonly chat: string | null
  readonly from_me: boolean
  readonly author_jid: string | null
}
