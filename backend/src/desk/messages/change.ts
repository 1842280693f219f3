// What every change of a message has in common: its row, what its ticket shows of it, and who hears of it.
import type { Message } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Tx } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import { refreshLastMessage } from './last-message.ts'
import { loadMessages, publishMessageEvents } from './present.ts'
import { messages } from './table.ts'

/** Changes a locked message and tells so, and those of the team it `calls` from now on; gives it as it is now for this reader. */
export async function changeMessage(
  tx: Tx,
  reader: AccessContext,
  id: number,
  set: PgUpdateSetSource<typeof messages>,
  calls: readonly number[] = [],
): Promise<Message> {
  await tx
    .update(messages)
    .set({ ...set, version: sql`${messages.version} + 1` })
    .where(eq(messages.id, id))
  await refreshLastMessage(tx, [id])
  await publishMessageEvents(tx, [id], 'update', undefined, new Map([[id, calls]]))
  return loadMessage(tx, reader, id)
}

export async function loadMessage(tx: Tx, reader: AccessContext, id: number): Promise<Message> {
  const [message] = await loadMessages(tx, [id], reader)
  if (!message) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return message
}
