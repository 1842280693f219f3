// A move taken back as a whole: what came with it goes, as long as nobody has worked on it.
import type { LiveEvent } from '@balcao/contract'
import { and, eq, inArray } from 'drizzle-orm'
import { publishContactReload } from '../../desk/contact-sheets/store.ts'
import type { LongJob, RunningJob } from '../../desk/jobs/long.ts'
import { releaseFiles } from '../../desk/media/claim.ts'
import { lastMessageSql } from '../../desk/messages/last-message.ts'
import { lockMessageSends } from '../../desk/messages/lock-sends.ts'
import { publishMessageDeletion } from '../../desk/messages/present.ts'
import { publishTicketUpdates } from '../../desk/tickets/present.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvents } from '../../platform/live/append.ts'
import { loadFacts } from '../../policy/access/ticket-facts.ts'
import { writeLog } from '../../policy/log/write.ts'
import { removeDump } from './dump-file.ts'
import { loadMove, Mark, Params, removeRows } from './read.ts'
import type { RecordKind } from './records.ts'
import { moveInLinks, moveIns } from './table.ts'

type Running = RunningJob<{ moveInId: number }, { done: number }>
const BATCH = 100

/** How many of its tickets somebody has worked on: those that live again, or were changed since they came. */
export async function countWorkedOn(db: Db | Tx, id: number): Promise<number> {
  const [row] = await getSql(db)<{ n: number }[]>`
    select count(*)::int as n from move_in_link l join ticket t on t.id = l.own_id
    where l.move_in_id = ${id} and l.kind = 'ticket' and l.is_new and (t.status <> 'closed' or t.version > 1)`
  return row?.n ?? 0
}

/** Tickets first, then whom and what they named; what somebody uses by now stays. */
export const UNDO_JOB: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'moveIn.undo', params: Params, mark: Mark },
  async work(parts, job) {
    const { moveInId } = job.params
    const { source } = await loadMove(parts, moveInId)
    await removeDump(parts.config.dataDir, moveInId)
    await removeRows(job, moveInId)
    let removed = 0
    for (const { kind, remove } of REMOVERS) removed = await removeKind(job, kind, remove, removed)
    await job.batch(async tx => {
      await tx.delete(moveInLinks).where(eq(moveInLinks.moveInId, moveInId))
      const endedAt = new Date().toISOString()
      await tx
        .update(moveIns)
        .set({ state: 'undone', mark: null, counts: {}, done: 0, error: null, endedAt })
        .where(eq(moveIns.id, moveInId))
      await writeLog(tx, { action: 'moveIn.undo', userId: job.userId, entityId: moveInId, params: { source, removed } })
      await publishContactReload(tx)
      return { mark: { done: removed }, done: removed }
    })
    return { counts: { removed } }
  },
}

/** Removes those that can go and tells who shows them; gives which did. */
type Remover = (tx: Tx, ids: readonly number[], moveInId: number) => Promise<number[]>

const REMOVERS: readonly { readonly kind: RecordKind; readonly remove: Remover }[] = [
  { kind: 'message', remove: removeMessages },
  { kind: 'contactTag', remove: removeContactTags },
  { kind: 'account', remove: removeAccounts },
  { kind: 'rating', remove: removeRatings },
  { kind: 'ticket', remove: removeTickets },
  { kind: 'contact', remove: removeContacts },
  { kind: 'quickAnswer', remove: removeQuickAnswers },
  { kind: 'tag', remove: removeTags },
  { kind: 'user', remove: removeUsers },
  { kind: 'queue', remove: removeQueues },
]

async function removeKind(job: Running, kind: RecordKind, remove: Remover, before: number): Promise<number> {
  let removed = before
  for (let after = 0, isOver = false; !isOver; )
    await job.batch(async tx => {
      const found = await getSql(tx)<{ id: number }[]>`
        select own_id::float8 as id from move_in_link
        where move_in_id = ${job.params.moveInId} and kind = ${kind} and is_new and own_id > ${after} order by own_id limit ${BATCH}`
      const ids = toIds(found)
      const gone = await remove(tx, ids, job.params.moveInId)
      await tx
        .delete(moveInLinks)
        .where(
          and(
            eq(moveInLinks.kind, kind),
            eq(moveInLinks.moveInId, job.params.moveInId),
            inArray(moveInLinks.ownId, gone),
          ),
        )
      removed += gone.length
      after = ids.at(-1) ?? after
      isOver = ids.length < BATCH
      return { mark: { done: removed }, done: removed, counts: { removed } }
    })
  return removed
}

/** Those that came to a ticket of an earlier move: it shows the last one that is left again. */
async function removeMessages(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const sql = getSql(tx)
  await lockMessageSends(tx, ids)
  const gone = await sql<{ id: number; ticketId: number; version: number; mediaId: string | null }[]>`
    delete from message where id = any(${[...ids]}::bigint[])
    returning id::float8 as id, ticket_id as "ticketId", version::float8 as version, media_id as "mediaId"`
  await releaseFiles(
    tx,
    gone.flatMap(({ mediaId }) => mediaId ?? []),
  )
  const ticketIds = [...new Set(gone.map(({ ticketId }) => ticketId))]
  const shown = await sql<{ id: number }[]>`
    update ticket t set last_message_id = m.id, last_message = coalesce(m.words, ''), last_message_type = coalesce(m.type, 'chat'),
      last_message_from_me = coalesce(m.from_me, false), last_message_state = m.state, last_message_at = coalesce(m.at, t.last_message_at),
      version = t.version + (t.status <> 'closed')::int
    from unnest(${ticketIds}::int[]) as own(id) left join lateral (
      select m.id, m.at, m.from_me, l.words, l.type, l.state from message m cross join lateral (select ${lastMessageSql(sql)}) l
      where m.ticket_id = own.id and m.media_type <> 'system' order by m.at desc, m.seq desc limit 1) m on true
    where t.id = own.id and t.last_message_id = any(${[...ids]}::bigint[]) returning t.id`
  const facts = await loadFacts(tx, ticketIds)
  const live = new Map([...facts].filter(([, { status }]) => status !== 'closed'))
  for (const { id, ticketId, version } of gone) {
    const seenBy = live.get(ticketId)
    if (seenBy) await publishMessageDeletion(tx, { id, ticketId, version: version + 1 }, seenBy)
  }
  await publishTicketUpdates(
    tx,
    shown.filter(({ id }) => live.has(id)),
  )
  return toIds(gone)
}

/** What the move gave contacts, whoever brought these; by the contact. */
async function removeContactTags(tx: Tx, ids: readonly number[], moveInId: number): Promise<number[]> {
  return toIds(
    await getSql(tx)<{ id: number }[]>`
    delete from contact_tag t using move_in_link l
    where l.move_in_id = ${moveInId} and l.kind = 'contactTag' and l.own_id = any(${[...ids]}::bigint[])
      and t.contact_id = l.own_id and t.tag_id || ':' || t.contact_id = l.key returning t.contact_id as id`,
  )
}

/** Accounts that the move gave contacts; who wrote under one since has it of WhatsApp itself. By the contact. */
async function removeAccounts(tx: Tx, ids: readonly number[], moveInId: number): Promise<number[]> {
  return toIds(
    await getSql(tx)<{ id: number }[]>`
    delete from contact_identity i using move_in_link l
    where l.move_in_id = ${moveInId} and l.kind = 'account' and l.own_id = any(${[...ids]}::bigint[]) and i.kind = 'lid' and i.value = l.key
      and i.contact_id = (select coalesce(c.merged_into, c.id) from contact c where c.id = l.own_id)
      and not exists (select 1 from contact_channel h where h.contact_id = i.contact_id and left(h.jid, length(i.value)) = i.value)
    returning l.own_id::float8 as id`,
  )
}

async function removeRatings(tx: Tx, ids: readonly number[]): Promise<number[]> {
  return toIds(
    await getSql(tx)<{ id: number }[]>`
    delete from rating where id = any(${[...ids]}::bigint[]) returning id::float8 as id`,
  )
}

/** With their messages, periods and files; a file of one that stays is kept by its message. */
async function removeTickets(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const files = await getSql(tx)<{ id: string | null }[]>`
    select media_id as id from message where ticket_id = any(${[...ids]}::int[]) and media_id is not null order by message.id`
  const gone = toIds(
    await getSql(tx)<{ id: number }[]>`
    delete from ticket where id = any(${[...ids]}::int[]) and status = 'closed' and version = 1 returning id`,
  )
  await releaseFiles(
    tx,
    files.flatMap(({ id }) => id ?? []),
  )
  return gone
}

async function removeContacts(tx: Tx, ids: readonly number[]): Promise<number[]> {
  return toIds(
    await getSql(tx)<{ id: number }[]>`
    delete from contact c where c.id = any(${[...ids]}::int[]) and c.version = 1 and c.merged_into is null
      and not exists (select 1 from ticket t where t.contact_id = c.id)
      and not exists (select 1 from contact o where o.merged_into = c.id)
      and not exists (select 1 from contact_channel h where h.contact_id = c.id)
      and not exists (select 1 from protocol p where p.contact_id = c.id)
      and not exists (select 1 from schedule_contact s where s.contact_id = c.id)
      and not exists (select 1 from send_recipient r where r.contact_id = c.id)
    returning c.id`,
  )
}

async function removeQuickAnswers(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const gone = await getSql(tx)<RemovedRow[]>`
    delete from quick_answer where id = any(${[...ids]}::int[]) and version = 1 returning id, version::float8 as version`
  return publishRemoval(tx, gone, ({ id, version }) => ({
    event: 'quickAnswer',
    action: 'delete',
    version,
    quickAnswerId: id,
  }))
}

async function removeTags(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const gone = await getSql(tx)<RemovedRow[]>`
    delete from tag g where g.id = any(${[...ids]}::int[]) and g.version = 1
      and not exists (select 1 from contact_tag t where t.tag_id = g.id) returning g.id, g.version::float8 as version`
  return publishRemoval(tx, gone, ({ id, version }) => ({ event: 'tag', action: 'delete', version, tagId: id }))
}

/** Who was let in stays. */
async function removeUsers(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const gone = await getSql(tx)<RemovedRow[]>`
    delete from "user" u where u.id = any(${[...ids]}::int[]) and not u.active and u.saved_version = 1 and u.last_seen_at is null
      and not exists (select 1 from ticket t where t.user_id = u.id)
      and not exists (select 1 from rating r where r.user_id = u.id) returning u.id, u.version::float8 as version`
  return publishRemoval(tx, gone, ({ id, version }) => ({ event: 'user', action: 'delete', version, userId: id }))
}

async function removeQueues(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const gone = await getSql(tx)<RemovedRow[]>`
    delete from queue q where q.id = any(${[...ids]}::int[]) and q.version = 1
      and not exists (select 1 from ticket t where t.queue_id = q.id)
      and not exists (select 1 from user_queue u where u.queue_id = q.id)
      and not exists (select 1 from whatsapp_queue w where w.queue_id = q.id) returning q.id, q.version::float8 as version`
  return publishRemoval(tx, gone, ({ id, version }) => ({ event: 'queue', action: 'delete', version, queueId: id }))
}

interface RemovedRow {
  readonly id: number
  readonly version: number
}

/** Of few rows, which everybody's pages hold; of contacts and tickets nobody is told one by one. Gives their ids. */
async function publishRemoval(
  tx: Tx,
  gone: readonly RemovedRow[],
  describe: (row: RemovedRow) => LiveEvent,
): Promise<number[]> {
  await appendEvents(
    tx,
    gone.map(({ id, version }) => ({ event: describe({ id, version: version + 1 }), audience: { to: 'everyone' } })),
  )
  return toIds(gone)
}
