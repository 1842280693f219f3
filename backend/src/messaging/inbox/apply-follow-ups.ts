// Carries out what follows messages, in the transaction that stores them. All of it is done by the system: so it stands in the log, and
// what is said is marked as automatic.
import type { FollowUp, TicketFacts } from '@balcao/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { publishContactEvents } from '../../desk/contacts/present.ts'
import { contactChannels, contacts } from '../../desk/contacts/table.ts'
import { writeAutomaticMessages } from '../../desk/messages/automatic.ts'
import { CLOCK, NOW, patchTickets, type TicketPatch } from '../../desk/tickets/change.ts'
import { tickets } from '../../desk/tickets/table.ts'
import { ratings } from '../../insight/ratings/table.ts'
import type { Tx } from '../../platform/database/client.ts'
import { loadFacts } from '../../policy/access/ticket-facts.ts'
import { type ActionWithParams, writeLogs } from '../../policy/log/write.ts'
import type { InboxBatch, PlacedMessage } from './batch.ts'
import { passMessageToTypebot } from './hand-to-typebot.ts'
import type { PlannedFollowUp } from './plan-follow-ups.ts'

/** Does all but the talking. Gives the facts of tickets that were there before, for those who lose sight of them. */
export async function applyMoves(
  receiving: InboxBatch,
  following: readonly PlannedFollowUp[],
): Promise<ReadonlyMap<number, TicketFacts>> {
  const before = new Map<number, TicketFacts>()
  for (const { step, all } of groupRuns(following)) {
    const known = all.flatMap(({ ticket: { id, conversation } }) => (conversation.isNew || before.has(id) ? [] : [id]))
    for (const [id, facts] of await loadFacts(receiving.tx, known)) before.set(id, facts)
    await carryOut(receiving, step, all)
  }
  return before
}

interface Run {
  readonly step: FollowUp
  readonly all: PlacedMessage[]
}

/**
 * Where the same follows several messages it is done to all of them in one go. The steps of one ticket keep their order; those of different
 * ones have none.
 */
function groupRuns(following: readonly PlannedFollowUp[]): Run[] {
  const runs: Run[] = []
  const latest = new Map<number, number>()
  for (const { placed, step } of following) {
    const { id } = placed.ticket
    const before = latest.get(id) ?? 0
    const at = runs.findIndex((run, index) => index >= before && Bun.deepEquals(run.step, step))
    latest.set(id, at < 0 ? runs.length : at)
    if (at < 0) runs.push({ step, all: [placed] })
    else runs[at]?.all.push(placed)
  }
  return runs
}

async function carryOut(receiving: InboxBatch, step: FollowUp, all: readonly PlacedMessage[]): Promise<void> {
  const { tx, connection } = receiving
  const log = (deed: ActionWithParams, queueId: number | null = null) => {
    const deeds = all.map(({ ticket, contactId }) => {
      return { ...deed, ticketId: ticket.id, contactId, queueId, whatsappId: connection.id }
    })
    return writeLogs(tx, deeds)
  }
  const patch = (changed: TicketPatch) => {
    const ids = all.map(({ ticket }) => ticket.id)
    return patchTickets(tx, ids, changed)
  }
  switch (step.do) {
    case 'set queue':
      await patch({ queueId: step.queueId, menusShown: null })
      return log({ action: 'ticket.route' }, step.queueId)
    case 'assign':
      await patch({ status: 'open', userId: step.userId, acceptedAt: NOW })
      return log({ action: 'ticket.redirect', params: { userId: step.userId } })
    case 'set status':
      if (step.status === 'closed') await patch({ status: 'closed', closedAt: NOW, unreadMessages: 0 })
      else await patch({ status: 'pending', userId: null, acceptedAt: null })
      return log({ action: step.status === 'closed' ? 'ticket.dismiss' : 'ticket.unsettle' })
    case 'rate':
      for (const placed of all) await rate(tx, placed, step.rate)
      return log({ action: 'ticket.rate', params: { rate: step.rate } })
    case 'opt out':
    case 'opt in':
      for (const { contactId } of all) await markSends(tx, contactId, step.do === 'opt out')
      return log({ action: step.do === 'opt out' ? 'contact.optOut' : 'contact.optIn' })
    case 'await queue':
      return patch({ menusShown: step.menus, menuShownAt: CLOCK })
    case 'await answer':
      await patch({ status: 'bot', botMisses: step.misses, botTurns: step.turns, menuShownAt: CLOCK })
      if (step.turns === 0) await log({ action: 'ticket.bot' })
      return
    case 'leave bot':
      await patch({ status: 'pending', userId: null })
      return log({ action: 'ticket.release' })
    case 'hand to Typebot':
      for (const placed of all) await passMessageToTypebot(receiving, placed)
      return
    case 'note closed':
      return patch({ toldClosedAt: NOW })
  }
}

/** Says the rest, each to who is answered by it. */
export async function writeReplies(receiving: InboxBatch, following: readonly PlannedFollowUp[]): Promise<void> {
  const { tx, connection, settings } = receiving
  const sayings = following.flatMap(({ placed, step }) => (step.do === 'say' ? [{ placed, step }] : []))
  const written = await writeAutomaticMessages(
    tx,
    sayings.map(({ placed, step: { do: _, greets: __, ...words } }) => {
      return { ...words, ticketId: placed.ticket.id, timezone: settings.timezone, ticketToldLater: true }
    }),
  )
  if (written.some(message => message !== null)) receiving.answered = true
  const greeted = sayings.flatMap(({ placed, step }, at) => (step.greets && written[at] ? [placed.contactId] : []))
  const { contactId, whatsappId } = contactChannels
  if (greeted.length > 0)
    await tx
      .update(contactChannels)
      .set({ greetedAt: NOW })
      .where(and(inArray(contactId, greeted), eq(whatsappId, connection.id)))
}

/** Of the ticket as it was resolved: it is still that person's. */
async function rate(tx: Tx, { ticket: { id } }: PlacedMessage, value: number): Promise<void> {
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
  await publishContactEvents(tx, [id])
}
