// How many messages there were, by quarter of an hour: old ones are counted once.

import type { Db, Tx } from '../../platform/database/client.ts'
import { runInPieces, runPiece } from '../../platform/database/pieces.ts'
import { getSql } from '../../platform/database/raw.ts'

/** What is younger is counted by its index: a large desk has thousands of messages an hour. */
const YOUNG_MS = 7_200_000

/** Counts what has become two hours old, and makes one row of the rows of each quarter and day. Readers see the same sums before and after. */
export async function countMessages(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  await runInPieces(signal, minutes => runPiece(db, tx => countSome(tx, now, minutes)))
  await mergeQuarters(db, signal)
  await mergeDays(db, signal)
}

/** A quarter or day that has several rows: a trigger writes one for each old message that comes or goes. */
interface RepeatedKey {
  readonly at: string
  readonly rows: number
}

/** From the first to the last of a piece. */
interface Stretch {
  readonly first: string
  readonly last: string
}

async function mergeQuarters(db: Db, signal: AbortSignal | undefined): Promise<void> {
  const several = await getSql(db)<RepeatedKey[]>`
    select quarter::text as at, count(*)::int as rows from figure_message group by quarter having count(*) > 1 order by quarter`
  await mergeInPieces(db, signal, several, async (tx, { first, last }) => {
    await getSql(tx)`
      with gone as (
        delete from figure_message where quarter in (
          select quarter from figure_message where quarter >= ${first} and quarter <= ${last} group by quarter having count(*) > 1)
        returning quarter, n)
      insert into figure_message (quarter, n) select quarter, sum(n) from gone group by quarter having sum(n) <> 0`
  })
}

async function mergeDays(db: Db, signal: AbortSignal | undefined): Promise<void> {
  const several = await getSql(db)<RepeatedKey[]>`
    select day::text as at, count(*)::int as rows from figure_message_day group by day having count(*) > 1 order by day`
  await mergeInPieces(db, signal, several, async (tx, { first, last }) => {
    await getSql(tx)`
      with gone as (
        delete from figure_message_day where day in (
          select day from figure_message_day where day >= ${first} and day <= ${last} group by day having count(*) > 1)
        returning day, n)
      insert into figure_message_day (day, n) select day, sum(n) from gone group by day having sum(n) <> 0`
  })
}

async function mergeInPieces(
  db: Db,
  signal: AbortSignal | undefined,
  several: readonly RepeatedKey[],
  merge: (tx: Tx, stretch: Stretch) => Promise<void>,
): Promise<void> {
  let begun = 0
  await runInPieces(signal, async size => {
    let end = begun
    for (let rows = 0; rows < size && end < several.length; end++) rows += several[end]?.rows ?? 0
    const [first, last] = [several[begun]?.at, several[end - 1]?.at]
    if (first === undefined || last === undefined) return true
    begun = end
    await runPiece(db, tx => merge(tx, { first, last }))
    return begun >= several.length
  })
}

/**
 * Counts so many minutes; whether these were the last. Who writes or deletes what is that old waits: it is counted here or by the trigger,
 * never by both. The trigger asks from an hour on, by when its transaction began: one that lasts another hour would be missed.
 */
async function countSome(tx: Tx, now: Date, minutes: number): Promise<boolean> {
  const sql = getSql(tx)
  const end = new Date(now.getTime() - YOUNG_MS).toISOString()
  await sql`
    insert into figure_message_until (id, until)
    select 1, date_bin('15 minutes', coalesce((select min(at) from message), now()), 'epoch') on conflict do nothing`
  const [mark] = await sql<{ from: string; to: string; more: boolean }[]>`
    select u.until as from, n.to, n.to < e.end as more
    from figure_message_until u cross join (select date_bin('15 minutes', ${end}::timestamptz, 'epoch') as end) e
      cross join lateral (select least(e.end, u.until + make_interval(mins => greatest(15, ${minutes}::int))) as to) n
    where u.id = 1 and u.until < e.end for update of u`
  if (!mark) return true
  await sql`
    insert into figure_message (quarter, n)
    select date_bin('15 minutes', m.at, 'epoch'), count(*) from message m
    where m.at >= ${mark.from}::timestamptz and m.at < ${mark.to}::timestamptz group by 1`
  await sql`update figure_message_until set until = ${mark.to}::timestamptz where id = 1`
  return !mark.more
}
