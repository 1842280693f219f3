// A flow lets a ticket go: to people, to one of them, or closed. Where it goes to people a line says why (decisions-2 §10, §22).
import { calendarOf, type Settings } from '@balcao/contract'
import { personFor } from '@balcao/contract/follow-up-parts'
import { eq, or, sql } from 'drizzle-orm'
import { connections } from '../../desk/connections/table.ts'
import { composeLine, type Line, writeLine } from '../../desk/messages/inside.ts'
import { say } from '../../desk/messages/say.ts'
import { queues } from '../../desk/queues/table.ts'
import { carryOut, NOW, type TicketPlan } from '../../desk/tickets/change.ts'
import type { LockedTicket } from '../../desk/tickets/lock.ts'
import { takerFor } from '../../desk/users/stand-in.ts'
import type { Tx } from '../../platform/database/client.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { emailHash } from '../../platform/seal.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { redirectsFor } from '../inbox/follow.ts'
import type { Command } from './commands.ts'
import { typebotSessions } from './table.ts'
import type { Why } from './why.ts'

/** Ends a flow whose ticket waits for people from now on. `what` fills the line. */
export async function leaveToPeople(tx: Tx, ticket: LockedTicket, why: Why, what = ''): Promise<void> {
  await end(tx, ticket, { patch: WAITS, line: lineOf(why, what), log: 'ticket.release' })
}

/** Does what a flow says at its end: its queue, its person, or that it is over. Without a word the ticket waits for people. */
export async function leaveAs(tx: Tx, ticket: LockedTicket, commands: readonly Command[], house: House): Promise<void> {
  const named = (what: 'queue' | 'person') => commands.findLast(command => command.do === what)
  const queue = await queueIn(tx, named('queue'))
  const queueId = queue.id ?? ticket.queueId
  for (const line of queue.lines) await writeLine(tx, ticket.id, null, line)
  if (commands.some(command => command.do === 'close'))
    return end(tx, ticket, {
      patch: { status: 'closed', queueId, closedAt: NOW, unreadMessages: 0 },
      log: 'ticket.dismiss',
    })
  const person = named('person')
    ? await personIn(tx, named('person'), queueId, house)
    : await ownPersonIn(tx, ticket, queue.id, house)
  for (const line of person.lines) await writeLine(tx, ticket.id, null, line)
  if (person.found) {
    const { id: userId, name } = person.found
    const patch = { status: 'open', userId, queueId, acceptedAt: NOW, unread: true } as const
    return end(tx, ticket, { patch, line: lineOf('flowPerson', name), log: 'ticket.give' })
  }
  const why = commands.some(command => command.do === 'people') ? 'flowAsked' : 'flowEnded'
  const line = queue.id === null ? lineOf(why, '') : lineOf('flowQueue', queue.name)
  await end(tx, ticket, { patch: { ...WAITS, queueId }, line, log: 'ticket.release' })
}

/** What is asked of the house besides: how its people may be found. */
export interface House {
  readonly settings: Settings
  readonly dataKey: string
}

const WAITS = { status: 'pending', userId: null, acceptedAt: null, menusShown: null, unread: true } as const

export function lineOf(why: Why, what: string): Line {
  return composeLine(why, { what })
}

async function end(tx: Tx, ticket: LockedTicket, plan: TicketPlan): Promise<void> {
  await tx.delete(typebotSessions).where(eq(typebotSessions.ticketId, ticket.id))
  await carryOut(tx, null, ticket, plan)
}

type Named = Command | undefined

/** The queue a flow names, by its number or name. It stays until the transaction ends. */
async function queueIn(tx: Tx, named: Named) {
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
  return found ? { ...found, lines: [] } : { id: null, name: '', lines: [lineOf('flowNoQueue', named.name)] }
}

/** The person a flow names, by e-mail or number, or who stands in: only who may have a ticket of this queue. */
async function personIn(tx: Tx, named: Named, queueId: number | null, { settings, dataKey }: House) {
  if (named?.do !== 'person') return { found: null, lines: [] }
  const hash = emailHash(dataKey, named.name)
  const [user] = await sqlOf(tx)<{ id: number }[]>`
    select id from "user" where deleted_at is null and (email_hash = ${hash} or id::text = ${named.name})`
  // A flow is nobody: for it the owner does not exist.
  const found = user && !isHidden({ id: 0 }, user.id) ? await takerFor(tx, user.id, queueId, settings) : null
  return { found, lines: found ? [] : [lineOf('flowNoPerson', named.name)] }
}

/** The contact's own person in the queue it is put into, as after any choice of a queue (decisions-2 §8, 6b), with the words for that. */
async function ownPersonIn(tx: Tx, ticket: LockedTicket, queueId: number | null, { settings }: House) {
  const nobody = { found: null, lines: [] }
  if (queueId === null) return nobody
  const userId = personFor(queueId, await redirectsFor(tx, settings, ticket.contactId))
  const found = userId === null ? null : await takerFor(tx, userId, queueId, settings)
  if (!found) return nobody
  const words = { text: connections.greetingMessageRedirect }
  const [row] = await tx.select(words).from(connections).where(eq(connections.id, ticket.whatsappId))
  const text = calendarOf(settings).isOpen(new Date()) ? (row?.text ?? '') : ''
  await say(tx, {
    ticketId: ticket.id,
    text,
    timezone: settings.timezone,
    words: { user: found.name },
    ticketToldLater: true,
  })
  return { found, lines: [] }
}
