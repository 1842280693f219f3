// What every change of a message has in common: its row, what its ticket shows of it, and who hears of it.
import type { Message } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Tx } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Reader } from '../../policy/access/ticket-facts.ts'
import { loadMessages, messageEvents } from './present.ts'
import { showChanged } from './shown.ts'
import { messages } from './table.ts'

/** Changes a locked message and tells so; gives it as it is now for this reader. */
export async function changeMessage(
  tx: Tx,
  reader: Reader,
  id: number,
  set: PgUpdateSetSource<typeof messages>,
): Promise<Message> {
  await tx
    .update(messages)
    .set({ ...set, version: sql`${messages.version} + 1` })
    .where(eq(messages.id, id))
  await showChanged(tx, [id])
  await messageEvents(tx, [id], 'update')
  return messageFor(tx, reader, id)
}

export async function messageFor(tx: Tx, reader: Reader, id: number): Promise<Message> {
  const [message] = await loadMessages(tx, [id], reader)
  if (!message) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return message
}
