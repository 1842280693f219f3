// The first batch of an erasure: the contact is nobody from here on. What writes to it waits for this transaction, or came before.
import { ERASED_NAME, type Erasure } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import { hasProtocol, lockContact } from '../../desk/contacts/delete.ts'
import { resolveMergedId } from '../../desk/contacts/merged-id.ts'
import { NOBODY } from '../../desk/contacts/table.ts'
import { releaseFiles } from '../../desk/media/claim.ts'
import { listTemplateFiles } from '../../desk/messages/templates.ts'
import { loadProtocols, publishProtocol } from '../../desk/protocols/present.ts'
import { applyTicketPlan, NOW } from '../../desk/tickets/change.ts'
import { lockAnyTicket } from '../../desk/tickets/lock.ts'
import { publishTicketUpdates } from '../../desk/tickets/present.ts'
import { isAdmin } from '../../desk/users/change.ts'
import { lockAllRuns } from '../../messaging/schedules/lock.ts'
import { schedules } from '../../messaging/schedules/table.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvent } from '../../platform/live/append.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import type { erasures, PersonTraces } from './table.ts'
import { collectTraces, NOTHING } from './traces.ts'

type HoldReason = NonNullable<Erasure['held']>

interface Begun {
  readonly traces: PersonTraces
  readonly tickets: number
}

type ErasureRequest = Pick<typeof erasures.$inferSelect, 'contactId' | 'userId' | 'reason'>

/**
 * Takes names and numbers away, ends what is live, and gives what the rest is found by. What came in the grace holds it back: nothing is done
 * then, and why is given. Who turned out to be another contact has more to lose than was asked for.
 */
export async function startErasure(
  tx: Tx,
  { contactId: requestedId, userId, reason }: ErasureRequest,
): Promise<Begun | HoldReason> {
  if (userId === null || !(await isAdmin(tx, userId))) return 'rights'
  const contactId = await resolveMergedId(tx, requestedId)
  if (contactId === null)
    return {
      traces: { contactIds: [requestedId], names: [], pattern: NOTHING, addresses: [], exact: NOTHING, lastEvent: 0 },
      tickets: 0,
    }
  if (contactId !== requestedId) return 'merged'
  await lockRunsAlone(tx, contactId)
  const version = await lockContact(tx, contactId)
  if (reason === '' && (await hasProtocol(tx, contactId))) return 'protocol'
  const traces = await collectTraces(tx, contactId)
  const ids = [...traces.contactIds]
  await loseNames(tx, ids)
  await leaveSends(tx, ids)
  const tickets = await closeTickets(tx, ids)
  await loseWords(tx, ids)
  const gone = { event: 'contact', action: 'delete', contactId, mergedInto: null } as const
  await appendEvent(tx, { to: 'everyone' }, { ...gone, version: version + 1 })
  return { traces, tickets }
}

/** The rows stay for their tickets: nobody finds, lists or merges them any more. */
async function loseNames(tx: Tx, ids: readonly number[]): Promise<void> {
  const sql = getSql(tx)
  const all = [...ids]
  await sql`delete from outbox where contact_id = any(${all}::int[])`
  await sql`delete from contact_identity where contact_id = any(${all}::int[])`
  await sql`delete from contact_channel where contact_id = any(${all}::int[])`
  await sql`delete from contact_tag where contact_id = any(${all}::int[])`
  await sql`delete from contact_redirect where contact_id = any(${all}::int[])`
  await sql`delete from contact_merge where into_id = any(${all}::int[]) or from_id = any(${all}::int[])`
  await sql`delete from typebot_session where ticket_id in (select id from ticket where contact_id = any(${all}::int[]))`
  await sql`
    update contact set name = ${ERASED_NAME}, name_source = 'manual', number = null, email = '', profile_pic_url = null, extra_info = '[]',
      opted_out_at = null, sends_said_at = null, merged_into = ${NOBODY}, updated_at = now(), version = version + 1
    where id = any(${all}::int[])`
}

/** The runs of sends for this person alone, before the contact: whoever hands one over holds it and wants the contact (0153). */
async function lockRunsAlone(tx: Tx, contactId: number): Promise<void> {
  const sql = getSql(tx)
  const rows = await sql<{ id: number }[]>`select id from contact where id = ${contactId} or merged_into = ${contactId}`
  const ids = toIds(rows)
  for (const { id } of await sql<{ id: number }[]>`${isAlone(tx, ids)} order by s.id`) await lockAllRuns(tx, id)
}

function isAlone(tx: Tx, contactIds: readonly number[]): SqlFragment {
  const ids = [...contactIds]
  return getSql(tx)`
    select s.id from schedule s where s.id in (select schedule_id from schedule_contact where contact_id = any(${ids}::int[]))
      and not s.all_contacts and not exists (select 1 from schedule_tag g where g.schedule_id = s.id)
      and not exists (select 1 from schedule_contact c where c.schedule_id = s.id and c.contact_id <> all(${ids}::int[]))`
}

/** A send that was for this person alone goes; of the others only the person does. */
async function leaveSends(tx: Tx, ids: readonly number[]): Promise<void> {
  const sql = getSql(tx)
  const all = [...ids]
  await sql`
    update send_recipient set state = 'excluded', reason = 'no_number', at = now() where contact_id = any(${all}::int[]) and state = 'waiting'`
  const alone = await sql<{ id: number }[]>`${isAlone(tx, ids)} order by s.id for update`
  await sql`delete from schedule_contact where contact_id = any(${all}::int[])`
  for (const { id } of alone) {
    const [gone] = await tx.delete(schedules).where(eq(schedules.id, id)).returning()
    if (!gone) continue
    const { mediaId, template, version } = gone
    await releaseFiles(tx, [...(mediaId === null ? [] : [mediaId]), ...(template ? listTemplateFiles(template) : [])])
    const event = { event: 'agendamento', action: 'delete', version: version + 1, agendamentoId: id } as const
    await appendEvent(tx, { to: 'everyone' }, event)
  }
}

/** Without a word to the customer, who may be gone. Numbers and times stay for the figures. */
async function closeTickets(tx: Tx, ids: readonly number[]): Promise<number> {
  const sql = getSql(tx)
  const tickets = await sql<{ id: number; live: boolean }[]>`
    update ticket set last_message = '', last_message_id = null, last_message_type = 'chat', last_message_state = null, unread_messages = 0,
      pause_tag = null, updated_at = now(), version = version + 1
    where contact_id = any(${[...ids]}::int[]) returning id, status <> 'closed' as live`
  for (const { id, live } of tickets) {
    if (!live) continue
    const patch = { status: 'closed', closedAt: NOW } as const
    await applyTicketPlan(tx, null, await lockAnyTicket(tx, id), { patch, log: 'ticket.dismiss' })
  }
  await publishTicketUpdates(
    tx,
    tickets.filter(({ live }) => !live),
  )
  return tickets.length
}

/** What the team wrote about it where it is kept: in protocols, whose numbers stay. */
async function loseWords(tx: Tx, ids: readonly number[]): Promise<void> {
  const sql = getSql(tx)
  const emptied = await sql<{ id: number }[]>`
    update protocol set mensagem = '', updated_at = now(), version = version + 1
    where contact_id = any(${[...ids]}::int[]) and mensagem <> '' returning id`
  for (const protocol of await loadProtocols(tx, toIds(emptied))) await publishProtocol(tx, protocol, 'update')
}
