// A flow lets a ticket go: to people, to one of them, or closed. Where it goes to people a line says why (decisions-2 §10, §22).
import { getCalendar, type Settings } from '@balcao/contract'
import { findRedirectPerson } from '@balcao/contract/follow-up/parts'
import { eq, or, sql } from 'drizzle-orm'
import { connections } from '../../desk/connections/table.ts'
import { writeAutomaticMessage } from '../../desk/messages/automatic.ts'
import { composeLine, type SystemLine, writeLine } from '../../desk/messages/system-lines.ts'
import { queues } from '../../desk/queues/table.ts'
import { applyTicketPlan, NOW, type TicketPlan } from '../../desk/tickets/change.ts'
import type { LockedTicket } from '../../desk/tickets/lock.ts'
import { resolveAssignee } from '../../desk/users/assignee.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { hashEmail } from '../../platform/seal.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { loadRedirects } from '../inbox/plan-follow-ups.ts'
import type { FlowCommand } from './commands.ts'
import type { LeaveReason } from './leave-reasons.ts'
import { typebotSessions } from './table.ts'

/** Ends a flow whose ticket waits for people from now on. `what` fills the line. */
export async function releaseToPeople(tx: Tx, ticket: LockedTicket, why: LeaveReason, detail = ''): Promise<void> {
  await end(tx, ticket, { patch: WAITS, line: createFlowLine(why, detail), log: 'ticket.release' })
}

/** Does what a flow says at its end: its queue, its person, or that it is over. Without a word the ticket waits for people. */
export async function finishFlow(
  tx: Tx,
  ticket: LockedTicket,
  commands: readonly FlowCommand[],
  house: FlowSettings,
): Promise<void> {
  const named = (kind: 'queue' | 'person') => commands.findLast(command => command.do === kind)
  const queue = await lockNamedQueue(tx, named('queue'))
  const queueId = queue.id ?? ticket.queueId
  for (const line of queue.lines) await writeLine(tx, ticket.id, null, line)
  if (commands.some(command => command.do === 'close'))
    return end(tx, ticket, {
      patch: { status: 'closed', queueId, closedAt: NOW, unreadMessages: 0 },
      log: 'ticket.dismiss',
    })
  const person = named('person')
    ? await findNamedPerson(tx, named('person'), queueId, house)
    : await findOwnPerson(tx, ticket, queue.id, house)
  for (const line of person.lines) await writeLine(tx, ticket.id, null, line)
  if (person.found) {
    const { id: userId, name } = person.found
    const patch = { status: 'open', userId, queueId, acceptedAt: NOW, unread: true } as const
    return end(tx, ticket, { patch, line: createFlowLine('flowPerson', name), log: 'ticket.give' })
  }
  const why = commands.some(command => command.do === 'people') ? 'flowAsked' : 'flowEnded'
  const line = queue.id === null ? createFlowLine(why, '') : createFlowLine('flowQueue', queue.name)
  await end(tx, ticket, { patch: { ...WAITS, queueId }, line, log: 'ticket.release' })
}

/** What is asked of the house besides: how its people may be found. */
export interface FlowSettings {
  readonly settings: Settings
  readonly dataKey: string
}

const WAITS = { status: 'pending', userId: null, acceptedAt: null, menusShown: null, unread: true } as const

export function createFlowLine(why: LeaveReason, detail: string): SystemLine {
  return composeLine(why, { what: detail })
}

async function end(tx: Tx, ticket: LockedTicket, plan: TicketPlan): Promise<void> {
  await tx.delete(typebotSessions).where(eq(typebotSessions.ticketId, ticket.id))
  await applyTicketPlan(tx, null, ticket, plan)
}

type NamingCommand = FlowCommand | undefined

/** The queue a flow names, by its number or name. It stays until the transaction ends. */
async function lockNamedQueue(tx: Tx, named: NamingCommand) {
  if (named?.do !== 'queue') return { id: null, name: '', lines: [] }
  const { id, name } = queues
  const byNumber = /^\d{1,9}$/.test(named.name) ? eq(id, Number(named.name)) : undefined
  const byName = sql`f_norm(${name}) = f_norm(${named.name})`
  const [found] = await tx
    .select({ id, name })
    .from(queues)
    .where(or(byNumber, byName))
    .orderBy(id)
    .limit(1)
    .for('key share')
  return found ? { ...found, lines: [] } : { id: null, name: '', lines: [createFlowLine('flowNoQueue', named.name)] }
}

/** The person a flow names, by e-mail or number, or who stands in: only who may have a ticket of this queue. */
async function findNamedPerson(
  tx: Tx,
  named: NamingCommand,
  queueId: number | null,
  { settings, dataKey }: FlowSettings,
) {
  if (named?.do !== 'person') return { found: null, lines: [] }
  const hash = hashEmail(dataKey, named.name)
  const [user] = await getSql(tx)<{ id: number }[]>`
    select id from "user" where deleted_at is null and (email_hash = ${hash} or id::text = ${named.name})`
  // A flow is nobody: for it the owner does not exist.
  const found = user && !isHidden({ id: 0 }, user.id) ? await resolveAssignee(tx, user.id, queueId, settings) : null
  return { found, lines: found ? [] : [createFlowLine('flowNoPerson', named.name)] }
}

/** The contact's own person in the queue it is put into, as after any choice of a queue (decisions-2 §8, 6b), with the words for that. */
async function findOwnPerson(tx: Tx, ticket: LockedTicket, queueId: number | null, { settings }: FlowSettings) {
  const nobody = { found: null, lines: [] }
  if (queueId === null) return nobody
  const redirects = await loadRedirects(tx, settings, [ticket.contactId])
  const userId = findRedirectPerson(queueId, redirects.get(ticket.contactId) ?? [])
  const found = userId === null ? null : await resolveAssignee(tx, userId, queueId, settings)
  if (!found) return nobody
  const words = { text: connections.greetingMessageRedirect }
  const [row] = await tx.select(words).from(connections).where(eq(connections.id, ticket.whatsappId))
  const text = getCalendar(settings).isOpen(new Date()) ? (row?.text ?? '') : ''
  await writeAutomaticMessage(tx, {
    ticketId: ticket.id,
    text,
    timezone: settings.timezone,
    words: { user: found.name },
    ticketToldLater: true,
  })
  return { found, lines: [] }
}
