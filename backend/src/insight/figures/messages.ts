// How many messages there were, by quarter of an hour: old ones are counted once.

import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'

/** What is younger is counted by its index: a large desk has thousands of messages an hour. */
const YOUNG_MS = 7_200_000
/** Counted in one go, so that the first time of a large desk is many short transactions. */
const MOST_DAYS = 30

/** Counts what has become two hours old, and makes one row of the rows of each quarter and day. Readers see the same sums before and after. */
export async function countMessages(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await runInTransaction(db, tx => countSome(tx, now))));
  await runInTransaction(db, async tx => {
    const sql = getSql(tx)
    await sql`
      with gone as (
        delete from figure_message where quarter in (select quarter from figure_message group by quarter having count(*) > 1) returning quarter, n)
      insert into figure_message (quarter, n) select quarter, sum(n) from gone group by quarter having sum(n) <> 0`
    await sql`
      with gone as (
        delete from figure_message_day where day in (select day from figure_message_day group by day having count(*) > 1) returning day, n)
      insert into figure_message_day (day, n) select day, sum(n) from gone group by day having sum(n) <> 0`
  })
}

/**
 * Whether there is more. Who writes or deletes what is that old waits: it is counted here or by the trigger, never by both. The trigger
 * asks from an hour on, by when its transaction began: one that lasts another hour would be missed.
 */
async function countSome(tx: Tx, now: Date): Promise<boolean> {
  const sql = getSql(tx)
  const end = new Date(now.getTime() - YOUNG_MS).toISOString()
  await sql`
    insert into figure_message_until (id, until)
    select 1, date_bin('15 minutes', coalesce((select min(at) from message), now()), 'epoch') on conflict do nothing`
  const [mark] = await sql<{ from: string; to: string; more: boolean }[]>`
    select u.until as from, n.to, n.to < e.end as more
    from figure_message_until u cross join (select date_bin('15 minutes', ${end}::timestamptz, 'epoch') as end) e
      cross join lateral (select least(e.end, u.until + make_interval(days => ${MOST_DAYS})) as to) n
    where u.id = 1 and u.until < e.end for update of u`
  if (!mark) return false
  await sql`
    insert into figure_message (quarter, n)
    select date_bin('15 minutes', m.at, 'epoch'), count(*) from message m
    where m.at >= ${mark.from}::timestamptz and m.at < ${mark.to}::timestamptz group by 1`
  await sql`update figure_message_until set until = ${mark.to}::timestamptz where id = 1`
  return mark.more
}
