// Where the words of a customer leave the inbox for the connection's Typebot (decisions-2 §10): noted with the message, told by a job.
import { and, eq } from 'drizzle-orm'
import { messages } from '../../desk/messages/table.ts'
import { patchTicket } from '../../desk/tickets/change.ts'
import { tickets } from '../../desk/tickets/table.ts'
import { writeLog } from '../../policy/log/write.ts'
import { enqueueForTypebot as hand } from '../typebot/hand.ts'
import type { InboxBatch, PlacedMessage } from './batch.ts'

/** A ticket that is not with the bot yet begins there; of several first words that came together the first one begins. */
export async function passMessageToTypebot(
  { tx, connection }: InboxBatch,
  { ticket, contactId, event }: PlacedMessage,
): Promise<void> {
  const { id: messageId, whatsappId, contactId: author, providerId } = messages
  const [[message], [stands]] = await Promise.all([
    tx
      .select({ id: messageId })
      .from(messages)
      .where(and(eq(whatsappId, connection.id), eq(author, contactId), eq(providerId, event.ref.id))),
    tx.select({ status: tickets.status }).from(tickets).where(eq(tickets.id, ticket.id)),
  ])
  if (!message) return
  const begins = stands?.status !== 'bot'
  if (begins) {
    await patchTicket(tx, ticket.id, { status: 'bot' })
    await writeLog(tx, { action: 'ticket.bot', ticketId: ticket.id, contactId, whatsappId: connection.id })
  }
  await hand(tx, { ticketId: ticket.id, messageId: message.id, begins })
}
