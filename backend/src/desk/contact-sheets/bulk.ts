// One thing done to many contacts: to those that are named, or to all that a search finds (decisions-2 §22).
import {
  BULK_ACTIONS,
  type JobReference,
  type QueryParams,
  type RequestBody,
  type ResponseBody,
} from '@balcao/contract'
import { and, eq, inArray } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { parseSearchText } from '../../platform/http/paging.ts'
import { hasHiddenTicket } from '../../policy/access/live-tickets.ts'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { type LogRecord, writeLogs } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { users } from '../../policy/users/table.ts'
import { loadAccessContext } from '../../policy/users/viewer.ts'
import { removeContact, removeOldMessages } from '../contacts/delete.ts'
import { contactSearchSql } from '../contacts/list.ts'
import { type LongJob, startJob } from '../jobs/long.ts'
import { queues, userQueues } from '../queues/table.ts'
import { tags } from '../tags/table.ts'
import { checkContactRight } from './rights.ts'
import { publishContactChanges } from './store.ts'

type Body = RequestBody<'POST /contacts/bulk'>
type Looked = Exclude<ResponseBody<'POST /contacts/bulk'>, JobReference>

const Params = Type.Object({
  action: Type.Enum(BULK_ACTIONS),
  /** Null: by the search. */
  ids: Type.Union([Type.Array(Type.Integer()), Type.Null()]),
  /** Null: everybody. */
  search: Type.Union([Type.String(), Type.Null()]),
  /** Contacts of the moment when it was asked for. */
  upTo: Type.Integer(),
  total: Type.Integer(),
  tagIds: Type.Array(Type.Integer()),
  queueId: Type.Integer(),
  userId: Type.Integer(),
})
type Params = Static<typeof Params>
const Mark = Type.Object({ id: Type.Integer(), looked: Type.Integer(), changed: Type.Integer(), kept: Type.Integer() })
type Mark = Static<typeof Mark>

const BATCH = 300
/** So many are looked up at once: a search may walk through the whole book. */
const LOOKED_UP = 10_000

/**
 * Tags are everybody's (decisions §4). Throws `ERR_NO_PERMISSION`, `ERR_VALIDATION` without any contacts or for a search that is too short,
 * `ERR_NO_TAG_FOUND`, `ERR_NO_QUEUE_FOUND`, `ERR_NO_USER_FOUND`, `ERR_USER_NO_LINKED_IN_QUEUE`.
 */
export async function changeContactsInBulk(
  parts: Parts,
  session: Session,
  { preview }: QueryParams<'POST /contacts/bulk'>,
  body: Body,
): Promise<JobReference | Looked> {
  const { action, ids, searchParam } = body
  if (action === 'delegate') checkContactRight(session, 'edit')
  if (action === 'delete') checkContactRight(session, 'del')
  if (ids === undefined && searchParam === undefined) throw createFieldError('ids', 'call.contacts')
  if (ids?.length === 0) throw createFieldError('ids', 'call.contacts')
  const search = ids === undefined ? parseSearchText('searchParam', searchParam) : null
  const named = await checked(parts.db, body)
  const chosen = { ids: ids === undefined ? null : [...new Set(ids)], search }
  if (preview === 'true') return previewBulk(parts.db, session, chosen, action)
  const [found] = await getSql(parts.db)<{ n: number; last: number }[]>`
    select count(*)::int as n, coalesce(max(c.id), 0)::int as last from contact c where ${isChosen(parts.db, chosen)}`
  const params = { action, ...chosen, ...named, upTo: found?.last ?? 0, total: found?.n ?? 0 }
  return change(parts, tx => startJob(tx, session, BULK_JOBS[action], params))
}

/** How many they are, who of them is left as they are, and what hangs on them: that only for who may delete them. */
async function previewBulk(
  db: Db,
  reader: AccessContext,
  chosen: Pick<Params, 'ids' | 'search'>,
  action: Body['action'],
): Promise<Looked> {
  const none = { contacts: 0, kept: 0, tickets: 0 }
  const sql = getSql(db)
  if (action !== 'delete') {
    const hidden = action === 'delegate' ? hasHiddenTicket(sql, reader, 'c') : sql`false`
    const [row] = await sql<Omit<Looked, 'tickets'>[]>`
      select count(*)::int as contacts, coalesce(count(*) filter (where ${hidden}), 0)::int as kept from contact c where ${isChosen(db, chosen)}`
    return { ...none, ...row }
  }
  const [row] = await sql<Looked[]>`
    select count(*)::int as contacts, coalesce(count(*) filter (where p.there), 0)::int as kept,
      coalesce(sum(t.n) filter (where not p.there), 0)::int as tickets
    from contact c
      cross join lateral (select count(*)::int as n from ticket where contact_id = c.id) t
      cross join lateral (select exists (select 1 from protocol where contact_id = c.id) or ${hasHiddenTicket(sql, reader, 'c')} as there) p
    where ${isChosen(db, chosen)}`
  return row ?? none
}

/** What the act names, as long as it is there. */
async function checked(db: Db, { action, tagIds = [], queueId = 0, userId }: Body) {
  const none = { tagIds: [], queueId: 0, userId: 0 }
  if (action === 'delete') return none
  if (action !== 'delegate') {
    const known = await db
      .select({ id: tags.id })
      .from(tags)
      .where(inArray(tags.id, [...tagIds]))
    if (tagIds.length === 0) throw createFieldError('tagIds', 'call.tag')
    if (known.length < new Set(tagIds).size) throw new AppError('ERR_NO_TAG_FOUND')
    return { ...none, tagIds: toIds(known) }
  }
  if ((await db.$count(queues, eq(queues.id, queueId))) === 0) throw new AppError('ERR_NO_QUEUE_FOUND')
  if (userId === undefined) throw createFieldError('userId', 'call.person')
  if (userId === null) return { ...none, queueId }
  if ((await db.$count(users, and(eq(users.id, userId), users.active))) === 0) throw new AppError('ERR_NO_USER_FOUND')
  const linked = and(eq(userQueues.userId, userId), eq(userQueues.queueId, queueId))
  if ((await db.$count(userQueues, linked)) === 0) throw new AppError('ERR_USER_NO_LINKED_IN_QUEUE')
  return { ...none, queueId, userId }
}

/** Of contacts `c`. */
function isChosen(db: Db, { ids, search }: Pick<Params, 'ids' | 'search'>) {
  const sql = getSql(db)
  return sql`c.merged_into is null
    ${ids === null ? sql`` : sql`and c.id = any(${ids}::int[])`}
    ${search === null ? sql`` : sql`and c.id in (${contactSearchSql(sql, search)})`}`
}

/** `isDone`: all of it was done to them, else a part, and they are to be given again. `changed`: those that are other ones now. */
interface BatchResult {
  readonly isDone: boolean
  readonly changed: readonly number[]
}

/** Does it to some contacts. */
type BatchAction = (tx: Tx, ids: readonly number[], params: Params, reader: AccessContext) => Promise<BatchResult>

const tagJob = bulkJob('contacts.tag', BATCH, changeTags)
const BULK_JOBS: Readonly<Record<Body['action'], LongJob<typeof Params, typeof Mark>>> = {
  tag: tagJob,
  untag: tagJob,
  delegate: bulkJob('contacts.assign', BATCH, assign),
  // Each with everything that was said with it: one at a time.
  delete: bulkJob('contacts.remove', 1, remove),
}
export const BULK_KINDS = [...new Set(Object.values(BULK_JOBS))]

function bulkJob(kind: string, size: number, act: BatchAction): LongJob<typeof Params, typeof Mark> {
  return {
    ...{ kind, params: Params, mark: Mark },
    async work({ db }, job) {
      let mark: Mark = job.mark ?? { id: 0, looked: 0, changed: 0, kept: 0 }
      let ahead: readonly number[] = []
      for (let isOver = false; !isOver; ) {
        if (ahead.length < size) ahead = await nextIds(db, job.params, mark.id)
        const ids = ahead.slice(0, size)
        let next = mark
        await job.batch(async tx => {
          const { isDone, changed } = await act(tx, ids, job.params, await loadAccessContext(db, job.userId))
          next = isDone ? passBatch(mark, ids, changed) : mark
          const { looked } = next
          return { mark: next, counts: toCounts(next), done: looked, total: Math.max(job.params.total, looked) }
        })
        mark = next
        ahead = ahead.filter(id => id > mark.id)
        isOver = ids.length < size && ahead.length === 0
      }
      return { counts: toCounts(mark) }
    },
  }
}

function passBatch({ id, looked, changed, kept }: Mark, ids: readonly number[], others: readonly number[]): Mark {
  return {
    id: ids.at(-1) ?? id,
    looked: looked + ids.length,
    changed: changed + others.length,
    kept: kept + ids.length - others.length,
  }
}

function toCounts({ changed, kept }: Mark) {
  return { changed, kept }
}

async function nextIds(db: Db, params: Params, after: number): Promise<number[]> {
  const rows = await getSql(db)<{ id: number }[]>`
    select c.id from contact c where ${isChosen(db, params)} and c.id > ${after} and c.id <= ${params.upTo}
    order by c.id limit ${LOOKED_UP}`
  return toIds(rows)
}

async function changeTags(
  tx: Tx,
  ids: readonly number[],
  { action, tagIds, total }: Params,
  { viewer }: AccessContext,
) {
  const sql = getSql(tx)
  const userId = viewer.id
  await hold(tx, ids)
  const rows =
    action === 'tag'
      ? await sql<{ id: number; tag_id: number }[]>`
          insert into contact_tag (contact_id, tag_id)
          select c.id, g.id from contact c, tag g
          where c.id = any(${[...ids]}::int[]) and c.merged_into is null and g.id = any(${tagIds}::int[])
          on conflict do nothing returning contact_id as id, tag_id`
      : await sql<{ id: number; tag_id: number }[]>`
          delete from contact_tag where contact_id = any(${[...ids]}::int[]) and tag_id = any(${tagIds}::int[])
          returning contact_id as id, tag_id`
  const byContact = Map.groupBy(rows, ({ id }) => id)
  const changed = [...byContact.keys()]
  const names = new Map(
    (await tx.select({ id: tags.id, name: tags.name }).from(tags).where(inArray(tags.id, tagIds))).map(tag => [
      tag.id,
      tag.name,
    ]),
  )
  await changedContacts(tx, changed, total, contactId => {
    const tagNames = (byContact.get(contactId) ?? []).map(one => names.get(one.tag_id) ?? '').join(', ')
    const field = action === 'tag' ? { field: 'tags', to: tagNames } : { field: 'tags', from: tagNames }
    return { action: 'contact.update', params: { changes: [field] }, userId, contactId }
  })
  return { isDone: true, changed }
}

/** Who is in a conversation that this person does not see is left as he is. */
async function assign(tx: Tx, ids: readonly number[], { queueId, userId: to, total }: Params, reader: AccessContext) {
  const sql = getSql(tx)
  const userId = reader.viewer.id
  await hold(tx, ids)
  const open = sql`c.id = any(${[...ids]}::int[]) and not ${hasHiddenTicket(sql, reader, 'c')}`
  const rows =
    to === 0
      ? await sql<{ id: number }[]>`
          delete from contact_redirect r using contact c where c.id = r.contact_id and ${open} and r.queue_id = ${queueId} returning c.id`
      : // Who lost the queue meanwhile is given nobody.
        await sql<{ id: number }[]>`
          insert into contact_redirect as r (contact_id, queue_id, user_id)
          select c.id, l.queue_id, l.user_id from contact c, user_queue l
          where ${open} and c.merged_into is null and not c.is_group and l.queue_id = ${queueId} and l.user_id = ${to}
          on conflict (contact_id, queue_id) do update set user_id = excluded.user_id where r.user_id <> excluded.user_id
          returning r.contact_id as id`
  const changed = toIds(rows)
  const field = { field: 'redirect', to: to === 0 ? [] : [{ queueId, userId: to }] }
  await changedContacts(tx, changed, total, contactId => ({
    ...{ action: 'contact.update', params: { changes: [field] }, userId, contactId },
  }))
  return { isDone: true, changed }
}

/** Who has a protocol stays (spec 3 §5), and whose conversation one does not see; who is gone is gone. */
async function remove(tx: Tx, ids: readonly number[], _: Params, reader: AccessContext): Promise<BatchResult> {
  const changed: number[] = []
  for (const id of ids) {
    try {
      if (!(await removeOldMessages(tx, reader, id))) return { isDone: false, changed }
      await removeContact(tx, reader, id)
      changed.push(id)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  return { isDone: true, changed }
}

async function hold(tx: Tx, ids: readonly number[]): Promise<void> {
  await getSql(tx)`select 1 from contact where id = any(${[...ids]}::int[]) order by id for no key update`
}

async function changedContacts(
  tx: Tx,
  ids: readonly number[],
  total: number,
  deed: (contactId: number) => LogRecord,
): Promise<void> {
  await getSql(tx)`update contact set version = version + 1, updated_at = now() where id = any(${[...ids]}::int[])`
  await writeLogs(tx, ids.map(deed))
  await publishContactChanges(tx, [], ids, total)
}
