// Clearing the book: contacts without tickets, protocols and schedules go (decisions-2 §14). The numbers first, and a word.
import { CLEAR_WORD, type JobReference, type QueryParams, type ResponseBody } from '@balcao/contract'
import type postgres from 'postgres'
import Type from 'typebox'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { appendEvents } from '../../platform/live/append.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog, writeLogs } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { dropOperations } from '../contacts/delete.ts'
import { type LongJob, startJob } from '../jobs/long.ts'
import { checkContactRight } from './rights.ts'
import { publishContactReload, TOLD_SINGLY } from './store.ts'

type Numbers = Exclude<ResponseBody<'POST /contacts/clear'>, JobReference>

/** Throws `ERR_NO_PERMISSION` without the right, `ERR_VALIDATION` without the word. */
export async function clearContacts(
  parts: Parts,
  session: Session,
  query: QueryParams<'POST /contacts/clear'>,
  word: string | undefined,
): Promise<Numbers | JobReference> {
  checkContactRight(session, 'del')
  if (query.preview === 'true') return numbers(parts)
  if (word?.trim().toUpperCase() !== CLEAR_WORD) throw createFieldError('confirm', 'call.confirm', { word: CLEAR_WORD })
  const { deleted: most } = await numbers(parts)
  const [last] = await getSql(parts.db)<{ id: number }[]>`select id from contact order by id desc limit 1`
  return change(parts, tx => startJob(tx, session, CLEAR_JOB, { upTo: last?.id ?? 0, most }))
}

async function numbers({ db }: Parts): Promise<Numbers> {
  const sql = getSql(db)
  const [row] = await sql<{ deleted: number; total: number }[]>`
    select count(*) filter (where ${isIdle(sql)})::int as deleted, count(*)::int as total
    from contact c where c.merged_into is null`
  return { deleted: row?.deleted ?? 0, total: row?.total ?? 0 }
}

/** Whether a contact `c` has nothing that would go with it: also nothing of those that were merged into it, nor a part in a send that runs. */
function isIdle(sql: postgres.Sql) {
  return sql`not exists (select 1 from ticket t where t.contact_id = c.id)
    and not exists (select 1 from protocol p where p.contact_id = c.id)
    and not exists (select 1 from schedule_contact s where s.contact_id = c.id)
    and not exists (select 1 from send_recipient r join send e on e.id = r.send_id where r.contact_id = c.id and e.ended_at is null)`
}

const Params = Type.Object({ upTo: Type.Integer(), most: Type.Integer() })
const Mark = Type.Object({ id: Type.Integer(), deleted: Type.Integer() })
const BATCH = 300

/** Contacts of the moment when it was asked for, from the oldest on. */
export const CLEAR_JOB: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'contacts.clear', params: Params, mark: Mark },
  async work(_, job) {
    let mark = job.mark ?? { id: 0, deleted: 0 }
    for (let isOver = false; !isOver; ) {
      let next = mark
      await job.batch(async tx => {
        const batch = await clearSome(tx, mark.id, job.params, job.userId)
        isOver = batch.isOver
        next = { id: batch.last, deleted: mark.deleted + batch.gone }
        const counts = { deleted: next.deleted }
        if (isOver) await writeLog(tx, { action: 'contact.clear', params: counts, userId: job.userId })
        return { mark: next, counts, done: next.deleted, total: Math.max(job.params.most, next.deleted) }
      })
      mark = next
    }
    return { counts: { deleted: mark.deleted } }
  },
}

/** Who was given a ticket between the look and the lock stays. */
async function clearSome(tx: Tx, after: number, { upTo, most }: { upTo: number; most: number }, userId: number) {
  const sql = getSql(tx)
  const found = await sql<{ id: number }[]>`
    select c.id from contact c where c.id > ${after} and c.id <= ${upTo} and c.merged_into is null and ${isIdle(sql)}
    order by c.id limit ${BATCH}`
  const ids = found.map(({ id }) => id)
  await sql`select 1 from contact where id = any(${ids}::int[]) order by id for update`
  const gone = await sql<{ id: number; version: number }[]>`
    delete from contact c where c.id = any(${ids}::int[]) and c.merged_into is null and ${isIdle(sql)}
    returning c.id, c.version::int as version`
  await sql`delete from contact where merged_into = any(${toIds(gone)}::int[])`
  await dropOperations(tx, toIds(gone))
  await writeLogs(
    tx,
    gone.map(({ id: contactId }) => ({ action: 'contact.delete' as const, params: { tickets: 0 }, userId, contactId })),
  )
  await tellGone(tx, gone, most)
  return { last: ids.at(-1) ?? after, gone: gone.length, isOver: ids.length < BATCH }
}

async function tellGone(tx: Tx, gone: readonly { id: number; version: number }[], most: number): Promise<void> {
  if (most > TOLD_SINGLY) return gone.length > 0 ? publishContactReload(tx) : undefined
  await appendEvents(
    tx,
    gone.map(({ id: contactId, version }) => ({
      event: { event: 'contact', action: 'delete', version: version + 1, contactId, mergedInto: null } as const,
      audience: { to: 'everyone' },
    })),
  )
}
