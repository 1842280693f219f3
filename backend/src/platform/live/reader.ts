// Reads the live log in an order nobody can be skipped in: by transaction, and only below the oldest one still running.
import { type Db, OURS } from '../database/client.ts'
import type { Notices } from '../database/notices.ts'
import { describeHolder, openTransactions } from '../database/open-transactions.ts'
import { getSql } from '../database/raw.ts'
import { type Cursor, isPast } from './cursor.ts'
import type { Audience } from './table.ts'

export interface LiveRow {
  readonly xid: string
  readonly id: number
  readonly audience: Audience
  /** The event's JSON, as it goes out. */
  readonly payload: string
}

export interface LiveReader {
  stop(): void
}

export interface LiveReaderOptions {
  /** Every page of new events, in order; the next one is read when this is done. */
  readonly hand: (rows: readonly LiveRow[]) => Promise<void>
  /** The database is another one, or one that lost transactions: what was read here is not of it. Reading goes on from now. */
  readonly lost: (position: Cursor) => void
  /** Hears of a database that does not answer. */
  readonly failed: (error: unknown) => void
}

const PAGE = 1000
/** Without a ring a reader looks by itself. */
const LOOK_MS = 1000
/** While a transaction that could still add events is running, the next look comes soon, each time after twice as long up to this. */
const RETRY_MS = 5
/** So long readers wait for a transaction of anybody's; afterwards for our own alone, which has its limits (0146). */
const PATIENCE_MS = 2000
const SLOW_RETRY_MS = 100

/** Reads on behind a position and hands every page of new events over. */
export async function startLiveReader(
  db: Db,
  notices: Notices,
  from: Cursor,
  { hand, lost, failed }: LiveReaderOptions,
): Promise<LiveReader> {
  let position = from
  let running = false
  let again = false
  let stopped = false
  let heldSince: number | null = null
  let looks = 0
  let isNotified = false
  let retry: ReturnType<typeof setTimeout> | undefined

  async function read(): Promise<void> {
    if (running) {
      again = true
      return
    }
    running = true
    const patient = heldSince === null || Date.now() - heldSince < PATIENCE_MS
    try {
      do {
        again = false
        const rows = await (patient
          ? readAfter(db, position, PAGE)
          : readIgnoringForeignTransactions(db, position, PAGE))
        const last = rows.at(-1)
        if (last && !stopped) {
          position = { xid: last.xid, id: last.id }
          looks = 0
          await hand(rows)
        }
        if (rows.length === PAGE) again = true
      } while (again && !stopped)
      if (stopped) return
      const { isHeldBack, isAhead } = await readStanding(db, position)
      if (isAhead) {
        position = await readCurrentPosition(db)
        lost(position)
        return
      }
      if (!isHeldBack) {
        // Whoever was passed by is passed by until the end: not every event waits for them again.
        if (!patient && !isPast(await readCurrentPosition(db), position)) return
        heldSince = null
        isNotified = false
        return
      }
      heldSince ??= Date.now()
      if (!patient && !isNotified) {
        isNotified = true
        const [oldest] = await openTransactions(db, PATIENCE_MS / 1000)
        failed(new Error(`Live events wait no longer for ${describeHolder(oldest, PATIENCE_MS / 1000)}`))
      }
      clearTimeout(retry)
      const soon = Math.min(2 ** looks++, RETRY_MS)
      retry = setTimeout(check, Date.now() - heldSince < PATIENCE_MS ? soon : SLOW_RETRY_MS)
    } finally {
      running = false
      // What was told of while it was looked whether anything waits.
      if (again) check()
    }
  }

  function check(): void {
    if (stopped) return
    read().catch(error => {
      if (!stopped) failed(error)
    })
  }

  await notices.on('live', check)
  const timer = setInterval(check, LOOK_MS)
  return {
    stop() {
      stopped = true
      clearInterval(timer)
      clearTimeout(retry)
    },
  }
}

/** Events behind a cursor, oldest first, and only those that no running transaction can still come before. */
export function readAfter(db: Db, after: Cursor, limit: number): Promise<LiveRow[]> {
  return getSql(db)<LiveRow[]>`
    select xid::text as xid, id::float8 as id, audience, payload from live_event e
    where (xid, id) > (${after.xid}::xid8, ${after.id}) and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by e.xid, e.id limit ${limit}`
}

/**
 * The same past whoever is no process of ours and so never appends events: other databases of the server, a console, a report. A look
 * at all locks, so only when it is needed. Who runs is taken from the snapshot, and who that is asked for afterwards: what has ended
 * meanwhile is nobody we know, and waited for once more.
 */
export function readIgnoringForeignTransactions(db: Db, after: Cursor, limit: number): Promise<LiveRow[]> {
  return getSql(db)<LiveRow[]>`
    with ours as (
      select x from pg_snapshot_xip(pg_current_snapshot()) as x
      where not exists (select 1 from pg_prepared_xacts where transaction = x::xid)
        and not exists (
          select 1 from pg_locks l join pg_stat_activity a using (pid)
          where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted and l.transactionid = x::xid
            and (a.datname is distinct from current_database() or a.application_name not like ${`${OURS}%`}))
      order by x limit 1
    )
    select xid::text as xid, id::float8 as id, audience, payload from live_event e
    where (xid, id) > (${after.xid}::xid8, ${after.id})
      and xid < coalesce((select x from ours), pg_snapshot_xmax(pg_current_snapshot()))
    order by e.xid, e.id limit ${limit}`
}

/** Events between a cursor and a position that a reader has reached, oldest first. */
export function readBetween(db: Db, after: Cursor, position: Cursor, limit: number): Promise<LiveRow[]> {
  return getSql(db)<LiveRow[]>`
    select xid::text as xid, id::float8 as id, audience, payload from live_event e
    where (xid, id) > (${after.xid}::xid8, ${after.id}) and (xid, id) <= (${position.xid}::xid8, ${position.id})
    order by e.xid, e.id limit ${limit}`
}

/** Everything committed so far lies before this. */
export async function readCurrentPosition(db: Db): Promise<Cursor> {
  const [row] = await getSql(db)<{ xid: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`
  return { xid: row?.xid ?? '0', id: 0 }
}

/**
 * Whether events behind a position wait for a transaction, and whether no transaction of this database has got so far yet. In the order of the
 * cursor's index: there are mostly none, and to find one in any order Postgres would read the whole log.
 */
async function readStanding(db: Db, at: Cursor): Promise<{ isHeldBack: boolean; isAhead: boolean }> {
  const [row] = await getSql(db)<{ isHeldBack: boolean; isAhead: boolean }[]>`
    select coalesce((select true from live_event where (xid, id) > (${at.xid}::xid8, ${at.id}) order by xid, id limit 1), false) as "isHeldBack",
      ${at.xid}::xid8 > pg_snapshot_xmax(pg_current_snapshot()) as "isAhead"`
  return row ?? { isHeldBack: false, isAhead: false }
}

/**
 * What lies between a client's cursor and a position: how many events, or `gone` when some of them are no longer kept, or the cursor is
 * of another database.
 */
export async function measureGap(db: Db, from: Cursor, most: number): Promise<number | 'gone'> {
  const sql = getSql(db)
  if ((await readStanding(db, from)).isAhead) return 'gone'
  const [oldest] = await sql<{ id: string; older: boolean }[]>`
    select id, (xid, id) <= (${from.xid}::xid8, ${from.id}) as older from live_event order by xid, id limit 1`
  if (oldest && !oldest.older && Number(oldest.id) > 1) return 'gone'
  const [gap] = await sql<{ n: number }[]>`
    select count(*)::int as n from (
      select 1 from live_event where (xid, id) > (${from.xid}::xid8, ${from.id}) order by xid, id limit ${most + 1}) as missed`
  return gap?.n ?? 0
}
