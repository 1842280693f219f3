// Deleting a contact, which takes all its conversations with it (spec 3 §2); a protocol keeps it (spec 3 §5).
import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { checkSeesLiveTickets } from '../../policy/access/live-tickets.ts'
import { type AccessContext, loadFacts } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { releaseFiles } from '../media/claim.ts'
import { lockMessageSends, lockSends } from '../messages/lock-sends.ts'
import { protocols } from '../protocols/table.ts'
import { publishTicketDeletion } from '../tickets/present.ts'

/**
 * Who may delete contacts need not see what was closed (decisions §4), but what is live (decisions-2 §24). Throws `ERR_NO_PERMISSION`,
 * `ERR_NO_CONTACT_FOUND`, `ERR_PROTOCOL_LINKED`.
 */
export async function deleteContact(parts: Pick<Parts, 'db' | 'ring'>, session: Session, id: number): Promise<void> {
  if (!session.mayContacts.del) throw new AppError('ERR_NO_PERMISSION')
  while (!(await runInTransaction(parts.db, tx => removeOldMessages(tx, session, id))));
  await change(parts, tx => removeContact(tx, session, id))
}

/** Fewer messages than these go with the contact, in its transaction; what is more goes before, so many at once. */
const [LAST, BITE] = [1000, 300]

/**
 * Removes the oldest messages of a contact that is to go: live events of everybody wait for the oldest transaction that writes, and a group
 * of years would be seconds. Asks anew whether the contact may go. Whether few are left, so that `removeContact` may follow. Throws as that.
 */
export async function removeOldMessages(tx: Tx, reader: AccessContext, id: number): Promise<boolean> {
  const sql = getSql(tx)
  await lockRemovable(tx, reader, id)
  const oldest = await sql<{ id: number }[]>`
    select id::float8 as id from message where contact_id = ${id} order by message.at, message.ticket_id, message.seq limit ${LAST}`
  if (oldest.length < LAST) return true
  const ids = toIds(oldest).slice(0, BITE)
  await lockMessageSends(tx, ids)
  const gone = await sql<{ mediaId: string | null }[]>`
    delete from message where id = any(${ids}::bigint[]) returning media_id as "mediaId"`
  await releaseFiles(
    tx,
    gone.flatMap(({ mediaId }) => mediaId ?? []),
  )
  return false
}

/** Takes a contact away, in the caller's transaction. Throws `ERR_NO_CONTACT_FOUND`, `ERR_PROTOCOL_LINKED`, `ERR_NO_PERMISSION`. */
export async function removeContact(tx: Tx, reader: AccessContext, id: number): Promise<void> {
  const sql = getSql(tx)
  const version = await lockRemovable(tx, reader, id)
  await lockSends(tx, sql`m.contact_id = ${id}`)
  const files = await listFileIds(tx, id)
  const tickets = await sql<{ id: number; version: number }[]>`
    select id, version::float8 as version from ticket where contact_id = ${id} order by id`
  const seenBy = await loadFacts(tx, toIds(tickets))

  await sql`delete from ticket where contact_id = ${id}`
  await releaseFiles(tx, files)
  await sql`delete from contact where id = ${id} or merged_into = ${id}`
  await dropOperations(tx, [id])
  const params = { tickets: tickets.length }
  await writeLog(tx, { action: 'contact.delete', params, userId: reader.viewer.id, contactId: id })

  for (const ticket of tickets) {
    const facts = seenBy.get(ticket.id)
    if (facts) await publishTicketDeletion(tx, ticket.id, ticket.version + 1, facts)
  }
  const gone = { event: 'contact', action: 'delete', contactId: id, mergedInto: null } as const
  await appendEvent(tx, { to: 'everyone' }, { ...gone, version: version + 1 })
}

/** Locks a contact that may go; gives its version. */
async function lockRemovable(tx: Tx, reader: AccessContext, id: number): Promise<number> {
  const version = await lockContact(tx, id)
  await checkSeesLiveTickets(tx, reader, id)
  if (await hasProtocol(tx, id)) throw new AppError('ERR_PROTOCOL_LINKED', undefined, {}, 'contactHasProtocol')
  return version
}

/** What waits to be done for contacts that are gone: a receipt of reading has no message that it would go with. */
export async function dropOperations(tx: Tx, ids: readonly number[]): Promise<void> {
  await getSql(tx)`
    delete from outbox o using whatsapp w
    where o.whatsapp_id = w.id and o.contact_id = any(${[...ids]}::int[]) and o.state in ('queued', 'sending')`
}

/** Whether a contact has a protocol. */
export async function hasProtocol(db: Db | Tx, id: number): Promise<boolean> {
  return (await db.$count(protocols, eq(protocols.contactId, id))) > 0
}

/**
 * Locks the contact and its tickets, those too that are opened meanwhile; gives its version. Who writes in a ticket needs the contact to
 * stay and has the ticket locked already: so the contact is first only kept from other changes, and for oneself alone after its tickets. Throws
 * `ERR_NO_CONTACT_FOUND`.
 */
export async function lockContact(tx: Tx, id: number): Promise<number> {
  const sql = getSql(tx)
  const [contact] = await sql<{ version: number }[]>`
    select version::int from contact where id = ${id} and merged_into is null for no key update`
  if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
  const lockTickets = () => sql`select 1 from ticket where contact_id = ${id} order by id for update`
  await lockTickets()
  await sql`select 1 from contact where id = ${id} for update`
  await lockTickets()
  return contact.version
}

/** Files of its messages, and those its tickets were given. */
async function listFileIds(tx: Tx, id: number): Promise<string[]> {
  const rows = await getSql(tx)<{ id: string }[]>`
    select id from media where owner in ('message', 'schedule') and (ticket_id in (select t.id from ticket t where t.contact_id = ${id})
      or id in (select media_id from message where contact_id = ${id} and media_id is not null))`
  return rows.map(row => row.id)
}
