// Carries out what follows messages, in the transaction that stores them. All of it is done by the system: so it stands in the log, and
// what is said is marked as automatic.
import type { TicketFacts } from '@balcao/contract'
import { and, eq, sql } from 'drizzle-orm'
import { factsOf } from '../access/ticket-facts.ts'
import { contactEvents } from '../contacts/present.ts'
import { contactChannels, contacts } from '../contacts/table.ts'
import type { Tx } from '../database/client.ts'
import { type LoggedAction, writeLog } from '../log/write.ts'
import { say } from '../messages/say.ts'
import { ratings } from '../ratings/table.ts'
import { CLOCK, NOW, patchTicket, type TicketPatch } from '../tickets/change.ts'
import { tickets } from '../tickets/table.ts'
import type { Following } from './follow.ts'
import { handToTypebot } from './hand-to-typebot.ts'
import type { Placed, Receiving } from './receiving.ts'

/** Does all but the talking. Gives the facts of tickets that were there before, for those who lose sight of them. */
export async function move(
  receiving: Receiving,
  following: readonly Following[],
): Promise<ReadonlyMap<number, TicketFacts>> {
  const before = new Map<number, TicketFacts>()
  for (const { placed, step } of following) {
    const { ticket, contactId } = placed
    const { tx, connection } = receiving
    const facts = ticket.conversation.isNew || before.has(ticket.id) ? undefined : await factsOf(tx, ticket.id)
    if (facts) before.set(ticket.id, facts)
    const log = (deed: LoggedAction, queueId: number | null = null) =>
      writeLog(tx, { ...deed, ticketId: ticket.id, contactId, queueId, whatsappId: connection.id })
    const patch = (changed: TicketPatch) => patchTicket(tx, ticket.id, changed)
    switch (step.do) {
      case 'set queue':
        await patch({ queueId: step.queueId, menusShown: null })
        await log({ action: 'ticket.route' }, step.queueId)
        break
      case 'assign':
        await patch({ status: 'open', userId: step.userId, acceptedAt: NOW })
        await log({ action: 'ticket.redirect', params: { userId: step.userId } })
        break
      case 'set status':
        if (step.status === 'closed') await patch({ status: 'closed', closedAt: NOW, unreadMessages: 0 })
        else await patch({ status: 'pending', userId: null, acceptedAt: null })
        await log({ action: step.status === 'closed' ? 'ticket.dismiss' : 'ticket.unsettle' })
        break
      case 'rate':
        await rate(tx, placed, step.rate)
        await log({ action: 'ticket.rate', params: { rate: step.rate } })
        break
      case 'opt out':
      case 'opt in':
        await markSends(tx, contactId, step.do === 'opt out')
        await log({ action: step.do === 'opt out' ? 'contact.optOut' : 'contact.optIn' })
        break
      case 'await queue':
        await patch({ menusShown: step.menus, menuShownAt: CLOCK })
        break
      case 'await answer':
        await patch({ status: 'bot', botMisses: step.misses, botTurns: step.turns, menuShownAt: CLOCK })
        if (step.turns === 0) await log({ action: 'ticket.bot' })
        break
      case 'leave bot':
        await patch({ status: 'pending', userId: null })
        await log({ action: 'ticket.release' })
        break
      case 'hand to Typebot':
        await handToTypebot(receiving, placed)
        break
      case 'note closed':
        await patch({ toldClosedAt: NOW })
    }
  }
  return before
}

/** Says the rest, each to who is answered by it. */
export async function sayAll(receiving: Receiving, following: readonly Following[]): Promise<void> {
  const { tx, connection, settings } = receiving
  for (const { placed, step } of following) {
    if (step.do !== 'say') continue
    const { do: _, greets, ...words } = step
    const ticketId = placed.ticket.id
    const said = await say(tx, { ...words, ticketId, timezone: settings.timezone, ticketToldLater: true })
    if (!said) continue
    receiving.answered = true
    const { contactId, whatsappId } = contactChannels
    const channel = and(eq(contactId, placed.contactId), eq(whatsappId, connection.id))
    if (greets) await tx.update(contactChannels).set({ greetedAt: NOW }).where(channel)
  }
}

/** Of the ticket as it was resolved: it is still that person's. */
async function rate(tx: Tx, { ticket: { id } }: Placed, value: number): Promise<void> {
  const { contactId, whatsappId, queueId, userId } = tickets
  const [row] = await tx.select({ contactId, whatsappId, queueId, userId }).from(tickets).where(eq(tickets.id, id))
  if (row) await tx.insert(ratings).values({ ...row, ticketId: id, rate: value })
}

async function markSends(tx: Tx, id: number, isOut: boolean): Promise<void> {
  const marked = {
    optedOutAt: isOut ? NOW : null,
    sendsSaidAt: NOW,
    updatedAt: NOW,
    version: sql`${contacts.version} + 1`,
  }
  await tx.update(contacts).set(marked).where(eq(contacts.id, id))
  await contactEvents(tx, [id])
}
