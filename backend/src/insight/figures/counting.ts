// Days of another time zone (docs/decisions/0247): counted beside those that are shown, in short transactions for which nobody waits, and
// then shown in their place.
import type postgres from 'postgres'
import type { Db, Tx } from '../../platform/database/client.ts'
import { runInPieces, runPiece } from '../../platform/database/pieces.ts'
import { getSql } from '../../platform/database/raw.ts'
import { addToDays } from './days.ts'

const LOOK_MS = 50

/** Begins to count by this time zone where the days are by another one; `isAnew`: in any case. */
export async function startCounting(tx: Tx, timezone: string, isAnew: boolean): Promise<void> {
  const sql = getSql(tx)
  const counts = await sql<{ timezone: string; state: string }[]>`
    select timezone, state from figure_count where state <> 'gone' for no key update`
  const isBy = (state: string) => counts.some(count => count.state === state && count.timezone === timezone)
  if (!isAnew && isBy('counting')) return
  await sql`update figure_count set state = 'gone' where state = 'counting'`
  if (!isAnew && isBy('current')) return
  await sql`insert into figure_count (timezone, state) values (${timezone}, 'counting')`
}

/** Counts what is to be counted; who comes after an end goes on where it was. */
export async function countDays(db: Db, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const [begun] = await getSql(db)<{ id: number }[]>`select id from figure_count where state = 'counting'`
    if (!begun) return
    await untilKnown(db, signal)
    await runInPieces(signal, size => runPiece(db, tx => countSome(tx, begun.id, size)))
  }
}

/** Who changed a ticket before the count was there has told it nothing: what they did is counted once they have ended. */
async function untilKnown(db: Db, signal: AbortSignal | undefined): Promise<void> {
  const sql = getSql(db)
  const writing = () => sql<{ id: string }[]>`
    select distinct coalesce(virtualtransaction, '') as id from pg_locks
    where database = (select oid from pg_database where datname = current_database()) and mode = 'RowExclusiveLock' and granted
      and relation in ('ticket'::regclass, 'ticket_figure'::regclass, 'rating'::regclass)`
  const before = new Set((await writing()).map(({ id }) => id))
  while (before.size > 0 && !signal?.aborted) {
    await Bun.sleep(LOOK_MS)
    const now = new Set((await writing()).map(({ id }) => id))
    for (const id of before) if (!now.has(id)) before.delete(id)
  }
}

/** Counts the next tickets, or shows the days when all are counted; whether there is nothing left to do. */
async function countSome(tx: Tx, id: number, size: number): Promise<boolean> {
  const sql = getSql(tx)
  const [count] = await sql<{ timezone: string; from: number; until: number }[]>`
    select timezone, counted_to as from, coalesce(counted_until, (select max(t.id) from ticket t), 0) as until
    from figure_count where id = ${id} and state = 'counting' for no key update`
  if (!count) return true
  const { timezone, from, until } = count
  if (from >= until) {
    await sql`update figure_count set state = 'gone' where state = 'current'`
    await sql`update figure_count set state = 'current' where id = ${id}`
    return true
  }
  const to = Math.min(from + size, until)
  // In one statement: what was told of these tickets and is seen here is in their rows.
  await addToDays(
    sql,
    counted(sql, id, timezone, { from, to }),
    sql`told as (delete from figure_change where generation = ${id} and ticket_id > ${from} and ticket_id <= ${to})`,
  )
  await sql`update figure_count set counted_to = ${to}, counted_until = ${until} where id = ${id}`
  return false
}

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** What some tickets are to the days of a time zone, as the triggers say it. */
function counted(
  sql: postgres.Sql,
  id: number,
  timezone: string,
  { from, to }: { readonly from: number; readonly to: number },
): Fragment {
  const on = (at: Fragment) => sql`(${at} at time zone ${timezone})`
  const whose = sql`queue_id, user_id, whatsapp_id`
  return sql`
    select ${id}::int as generation, ${on(sql`created_at`)}::date as day, extract(hour from ${on(sql`created_at`)}) as hour, contact_id,
      ${whose}, 1 as opened, 0 as closed, 0 as waits, 0 as wait_ms, 0 as services, 0 as service_ms, 0 as ratings, 0 as stars, 0 as asked, 0 as answered
      from ticket where id > ${from} and id <= ${to}
    union all
    select ${id}::int, ${on(sql`closed_at`)}::date, null, null, ${whose}, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
      from ticket where status = 'closed' and closed_at is not null and id > ${from} and id <= ${to}
    union all
    select ${id}::int, ${on(sql`at`)}::date, null, null, ${whose}, 0, 0, (kind = 'wait')::int, case kind when 'wait' then work else 0 end,
      (kind = 'service')::int, case kind when 'service' then work else 0 end, 0, 0, (kind = 'survey')::int, 0
      from ticket_figure where work is not null and ticket_id > ${from} and ticket_id <= ${to}
    union all
    select ${id}::int, ${on(sql`at`)}::date, null, null, ${whose}, 0, 0, 0, 0, 0, 0, 1, rate, 0, 0
      from rating where ticket_id > ${from} and ticket_id <= ${to}
    union all
    select ${id}::int, ${on(sql`asked_at`)}::date, null, null, ${whose}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
      from rating where asked_at is not null and ticket_id > ${from} and ticket_id <= ${to}`
}

/** Removes days that are not shown any more, in the order in which they were written. */
export async function removeOldDays(db: Db, signal?: AbortSignal): Promise<void> {
  const sql = getSql(db)
  while (!signal?.aborted) {
    const [gone] = await sql<{ id: number; from: number | null; until: number | null }[]>`
      select g.id, least((select min(c.id) from figure_contact c), (select min(d.id) from figure_day d))::float8 as from,
        greatest((select max(c.id) from figure_contact c), (select max(d.id) from figure_day d))::float8 as until
      from figure_count g where g.state = 'gone' order by g.id limit 1`
    if (!gone) return
    let from = gone.from ?? 0
    await runInPieces(signal, async size => {
      const to = from + size
      const isLast = to > (gone.until ?? 0)
      await runPiece(db, tx => removeSome(tx, gone.id, { from, to }, isLast))
      from = to
      return isLast
    })
  }
}

interface Rows {
  readonly from: number
  readonly to: number
}

async function removeSome(tx: Tx, id: number, { from, to }: Rows, isLast: boolean): Promise<void> {
  const sql = getSql(tx)
  // Who folds into them now is waited for.
  await sql`select 1 from figure_count where id = ${id} for update`
  // What was folded into them since their end was looked up goes with the last ones.
  const old = sql`generation = ${id} and id >= ${from} and (${isLast}::boolean or id < ${to})`
  await sql`delete from figure_contact where ${old}`
  await sql`delete from figure_day where ${old}`
  if (!isLast) return
  await sql`delete from figure_change where generation = ${id}`
  await sql`delete from figure_count where id = ${id}`
}
