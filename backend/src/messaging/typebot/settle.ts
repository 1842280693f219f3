// What came of a call is written down: what the flow says, what it has us do, and how it goes on. In one transaction, and only while
// the flow still has the ticket: who took it meanwhile hears nothing more of it.
import { eq, sql } from 'drizzle-orm'
import { contactEvents } from '../../desk/contacts/present.ts'
import { writeLine } from '../../desk/messages/inside.ts'
import type { LockedTicket } from '../../desk/tickets/lock.ts'
import { ticketEvents } from '../../desk/tickets/present.ts'
import type { Tx } from '../../platform/database/client.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Turn } from './begin.ts'
import type { CallFault } from './client.ts'
import type { Command } from './commands.ts'
import { holdFlow } from './hold.ts'
import { type House, leaveAs, leaveToPeople, lineOf } from './leave.ts'
import type { Plan } from './plan.ts'
import { typebotSessions } from './table.ts'
import { type Ready, tell } from './tell.ts'
import { WHY_FAULT, WHY_STOP } from './why.ts'

/** What a call came to. `isRenewed`: the session had been forgotten, and this is the answer of a new one. */
export type Result =
  | { readonly fault: CallFault }
  | {
      readonly plan: Plan
      readonly ready: readonly Ready[]
      /** Files that stood where nobody may fetch them. */
      readonly refused: number
      readonly sessionId: string | null
      readonly isRenewed: boolean
    }

export async function settleTurn(tx: Tx, turn: Turn, result: Result, house: House): Promise<void> {
  const commands = 'plan' in result ? result.plan.commands : []
  // Contacts are locked before tickets.
  if (commands.some(command => command.do === 'tag')) await lockContactOf(tx, turn.ticketId)
  const held = await holdFlow(tx, turn.ticketId)
  if (held?.flow.call !== turn.call) return
  const { ticket } = held
  if ('fault' in result) return leaveToPeople(tx, ticket, WHY_FAULT[result.fault])
  if (!(await tell(tx, ticket, turn.kind, result.ready))) return leaveToPeople(tx, ticket, 'flowSilent')
  for (let n = 0; n < result.refused; n++) await writeLine(tx, ticket.id, null, lineOf('flowFile', ''))
  await carryOutOnTheWay(tx, ticket, commands)

  const { next } = result.plan
  if (next.is === 'ended') return leaveAs(tx, ticket, commands, house)
  if (next.is === 'stopped') return leaveToPeople(tx, ticket, WHY_STOP[next.why], next.what)
  const sessionId = result.sessionId ?? turn.sessionId
  if (sessionId === null) return leaveToPeople(tx, ticket, 'flowStrange')
  await tx
    .update(typebotSessions)
    .set({
      sessionId,
      asked: next.is === 'asked' ? next.asked : null,
      goesOnAt: next.is === 'goesOn' ? new Date(Date.now() + next.afterMs).toISOString() : null,
      call: null,
      renewed: held.flow.renewed || result.isRenewed,
      touchedAt: sql`now()`,
    })
    .where(eq(typebotSessions.ticketId, ticket.id))
  await ticketEvents(tx, [{ ticketId: ticket.id, action: 'update' }])
}

/** Commands that end nothing. */
async function carryOutOnTheWay(tx: Tx, ticket: LockedTicket, commands: readonly Command[]): Promise<void> {
  for (const command of commands) {
    if (command.do === 'unknown') await writeLine(tx, ticket.id, null, lineOf('flowUnknown', command.word))
    if (command.do === 'tag' && !(await tag(tx, ticket, command.name)))
      await writeLine(tx, ticket.id, null, lineOf('flowNoTag', command.name))
  }
}

/** Puts a tag that there is on the ticket's contact; false: there is none of this name. */
async function tag(tx: Tx, { contactId }: LockedTicket, name: string): Promise<boolean> {
  const sql = sqlOf(tx)
  const [found] = await sql<{ id: number; name: string }[]>`
    select id, name from tag where f_norm(name) = f_norm(${name}) order by id limit 1 for key share`
  if (!found) return false
  const added = await sql`
    insert into contact_tag (contact_id, tag_id) values (${contactId}, ${found.id}) on conflict do nothing`
  if (added.count === 0) return true
  await sql`update contact set updated_at = now(), version = version + 1 where id = ${contactId}`
  const params = { changes: [{ field: 'tags', to: found.name }] }
  await writeLog(tx, { action: 'contact.update', params, contactId })
  await contactEvents(tx, [contactId])
  return true
}

async function lockContactOf(tx: Tx, ticketId: number): Promise<void> {
  await sqlOf(tx)`
    select 1 from contact where id = (select contact_id from ticket where id = ${ticketId}) for no key update`
}
