// What came of a call is written down: what the flow says, what it has us do, and how it goes on. In one transaction, and only while
// the flow still has the ticket: who took it meanwhile hears nothing more of it.
import { eq, sql } from 'drizzle-orm'
import { publishContactEvents } from '../../desk/contacts/present.ts'
import { writeLine } from '../../desk/messages/system-lines.ts'
import type { LockedTicket } from '../../desk/tickets/lock.ts'
import { publishTicketEvents } from '../../desk/tickets/present.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { FlowTurn } from './begin.ts'
import type { CallFault } from './client.ts'
import type { FlowCommand } from './commands.ts'
import { createFlowLine, type FlowSettings, finishFlow, releaseToPeople } from './leave.ts'
import { WHY_FAULT, WHY_STOP } from './leave-reasons.ts'
import { lockFlow } from './lock-flow.ts'
import type { FlowPlan } from './plan.ts'
import { typebotSessions } from './table.ts'
import { type ReadyMessage, writeFlowMessages } from './write-messages.ts'

/** What a call came to. `isRenewed`: the session had been forgotten, and this is the answer of a new one. */
export type TurnResult =
  | { readonly fault: CallFault }
  | {
      readonly plan: FlowPlan
      readonly ready: readonly ReadyMessage[]
      /** Files that stood where nobody may fetch them. */
      readonly refused: number
      readonly sessionId: string | null
      readonly isRenewed: boolean
    }

export async function settleTurn(tx: Tx, turn: FlowTurn, result: TurnResult, house: FlowSettings): Promise<void> {
  const commands = 'plan' in result ? result.plan.commands : []
  // Contacts are locked before tickets.
  if (commands.some(command => command.do === 'tag')) await lockTicketContact(tx, turn.ticketId)
  const held = await lockFlow(tx, turn.ticketId)
  if (held?.flow.call !== turn.call) return
  const { ticket } = held
  if ('fault' in result) return releaseToPeople(tx, ticket, WHY_FAULT[result.fault])
  if (!(await writeFlowMessages(tx, ticket, turn.kind, result.ready))) return releaseToPeople(tx, ticket, 'flowSilent')
  for (let n = 0; n < result.refused; n++) await writeLine(tx, ticket.id, null, createFlowLine('flowFile', ''))
  await carryOutOnTheWay(tx, ticket, commands)

  const { next } = result.plan
  if (next.is === 'ended') return finishFlow(tx, ticket, commands, house)
  if (next.is === 'stopped') return releaseToPeople(tx, ticket, WHY_STOP[next.why], next.detail)
  const sessionId = result.sessionId ?? turn.sessionId
  if (sessionId === null) return releaseToPeople(tx, ticket, 'flowStrange')
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
  await publishTicketEvents(tx, [{ ticketId: ticket.id, action: 'update' }])
}

/** Commands that end nothing. */
async function carryOutOnTheWay(tx: Tx, ticket: LockedTicket, commands: readonly FlowCommand[]): Promise<void> {
  for (const command of commands) {
    if (command.do === 'unknown') await writeLine(tx, ticket.id, null, createFlowLine('flowUnknown', command.word))
    if (command.do === 'tag' && !(await tag(tx, ticket, command.name)))
      await writeLine(tx, ticket.id, null, createFlowLine('flowNoTag', command.name))
  }
}

/** Puts a tag that there is on the ticket's contact; false: there is none of this name. */
async function tag(tx: Tx, { contactId }: LockedTicket, name: string): Promise<boolean> {
  const sql = getSql(tx)
  const [found] = await sql<{ id: number; name: string }[]>`
    select id, name from tag where f_norm(name) = f_norm(${name}) order by id limit 1 for key share`
  if (!found) return false
  const added = await sql`
    insert into contact_tag (contact_id, tag_id) values (${contactId}, ${found.id}) on conflict do nothing`
  if (added.count === 0) return true
  await sql`update contact set updated_at = now(), version = version + 1 where id = ${contactId}`
  const params = { changes: [{ field: 'tags', to: found.name }] }
  await writeLog(tx, { action: 'contact.update', params, contactId })
  await publishContactEvents(tx, [contactId])
  return true
}

async function lockTicketContact(tx: Tx, ticketId: number): Promise<void> {
  await getSql(tx)`
    select 1 from contact where id = (select contact_id from ticket where id = ${ticketId}) for no key update`
}
