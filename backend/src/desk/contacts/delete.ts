// Deleting a contact, which takes all its conversations with it (spec 3 §2); a protocol keeps it (spec 3 §5).
import { LOG_SOURCES, Profile } from '@balcao/contract'
import { and, eq, gt, sql } from 'drizzle-orm'
import Type from 'typebox'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/http/errors.ts'
import { createValidator } from '../../platform/http/validate.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { cancelJob, enqueueJob } from '../../platform/worker/enqueue.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { checkSeesLiveTickets } from '../../policy/access/live-tickets.ts'
import { type AccessContext, loadFacts } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { getLogSource, runWithLogSource } from '../../policy/log/source.ts'
import { logEntries } from '../../policy/log/table.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { toPersonId } from '../../policy/users/viewer.ts'
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
  await removeInBites(parts, session, id).catch(async error => {
    // Who was refused is not to find it done a minute later.
    if (error instanceof AppError) await cancelJob(parts.db, toRemovalKey(session, id))
    throw error
  })
}

async function removeInBites(parts: Pick<Parts, 'db' | 'ring'>, reader: AccessContext, id: number): Promise<void> {
  while (!(await runInTransaction(parts.db, tx => removeBite(tx, reader, id))));
  await change(parts, tx => removeContact(tx, reader, id))
}

/** As `removeOldMessages`; after each bite it is put off anew that a job goes on in our place: when we are killed nobody else would. */
async function removeBite(tx: Tx, reader: AccessContext, id: number): Promise<boolean> {
  if (await removeOldMessages(tx, reader, id)) return true
  const payload = { contactId: id, viewer: reader.viewer, source: getLogSource() }
  const when = { key: toRemovalKey(reader, id), attempts: ATTEMPTS, inSeconds: SILENCE_S }
  await enqueueJob(tx, 'remove-contact', { payload, ...when })
  return false
}

/** Each person's own: a refusal of one ends nothing that another began. */
function toRemovalKey({ viewer }: AccessContext, id: number): string {
  return `remove-contact:${id}:${viewer.id}`
}

/** Whose deletion has not gone on for so long is left by who did it. */
const SILENCE_S = 60
const ATTEMPTS = 25

/**
 * Goes on with a contact whose deletion was begun, as whoever began it, with the rights of that moment: half of it is gone. Who has got a protocol
 * meanwhile, or a conversation that person does not see, stays.
 */
export function removalJob(parts: Parts): JobKind {
  async function work(payload: unknown): Promise<void> {
    const { contactId, viewer, source } = toRemoval(payload)
    const reader = { viewer, settings: await readSettings(parts.db) }
    await runWithLogSource(source, () => removeInBites(parts, reader, contactId)).catch(error => {
      if (!(error instanceof AppError)) throw error
      if (error.code !== 'ERR_NO_CONTACT_FOUND')
        parts.log.warn({ contactId, code: error.code }, 'a contact stays, without its old messages')
    })
  }
  return { kind: 'remove-contact', crew: 'long', work }
}

const toRemoval = createValidator(
  Type.Object({
    contactId: Type.Integer(),
    viewer: Type.Object({ id: Type.Integer(), profile: Profile, queueIds: Type.Array(Type.Integer()) }),
    source: Type.Enum(LOG_SOURCES),
  }),
)

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
  await noteStart(tx, reader, id)
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

/** Before the first of it goes: should it not come to the end, the log tells who began. Of one person a day later it is another deletion. */
async function noteStart(tx: Tx, { viewer }: AccessContext, id: number): Promise<void> {
  const known = await tx.$count(
    logEntries,
    and(
      eq(logEntries.contactId, id),
      eq(logEntries.action, 'contact.deleteStart'),
      sql`${logEntries.userId} is not distinct from ${toPersonId(viewer.id)}::int`,
      gt(logEntries.createdAt, sql`now() - interval '1 day'`),
    ),
  )
  if (known === 0) await writeLog(tx, { action: 'contact.deleteStart', userId: viewer.id, contactId: id })
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
