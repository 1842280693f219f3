// A move taken back as a whole: what came with it goes, as long as nobody has worked on it.
import { and, eq, inArray } from 'drizzle-orm'
import { publishContactReload } from '../../desk/contact-sheets/store.ts'
import type { LongJob, RunningJob } from '../../desk/jobs/long.ts'
import { releaseFiles } from '../../desk/media/claim.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
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

/** Removes those that can go; gives which did. */
type Remover = (tx: Tx, ids: readonly number[]) => Promise<number[]>

const REMOVERS: readonly { readonly kind: RecordKind; readonly remove: Remover }[] = [
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
        select own_id::int as id from move_in_link
        where move_in_id = ${job.params.moveInId} and kind = ${kind} and is_new and own_id > ${after} order by own_id limit ${BATCH}`
      const ids = toIds(found)
      const gone = await remove(tx, ids)
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
  return toIds(
    await getSql(tx)<{ id: number }[]>`
    delete from quick_answer where id = any(${[...ids]}::int[]) and version = 1 returning id`,
  )
}

async function removeTags(tx: Tx, ids: readonly number[]): Promise<number[]> {
  return toIds(
    await getSql(tx)<{ id: number }[]>`
    delete from tag g where g.id = any(${[...ids]}::int[]) and g.version = 1
      and not exists (select 1 from contact_tag t where t.tag_id = g.id) returning g.id`,
  )
}

/** Who was let in stays. */
async function removeUsers(tx: Tx, ids: readonly number[]): Promise<number[]> {
  return toIds(
    await getSql(tx)<{ id: number }[]>`
    delete from "user" u where u.id = any(${[...ids]}::int[]) and not u.active and u.saved_version = 1 and u.last_seen_at is null
      and not exists (select 1 from ticket t where t.user_id = u.id)
      and not exists (select 1 from rating r where r.user_id = u.id) returning u.id`,
  )
}

async function removeQueues(tx: Tx, ids: readonly number[]): Promise<number[]> {
  return toIds(
    await getSql(tx)<{ id: number }[]>`
    delete from queue q where q.id = any(${[...ids]}::int[]) and q.version = 1
      and not exists (select 1 from ticket t where t.queue_id = q.id)
      and not exists (select 1 from user_queue u where u.queue_id = q.id)
      and not exists (select 1 from whatsapp_queue w where w.queue_id = q.id) returning q.id`,
  )
}
