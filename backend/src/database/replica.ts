// A copy of the database for what may be a moment old: figures are read there, so that they take nothing from people at work.
import { closeDatabase, type Db, openDatabase } from './client.ts'
import { sqlOf } from './raw.ts'

export interface Replica {
  readonly db: Db
  /** Whether it answers and is not far behind: otherwise the primary is asked. */
  readonly isFresh: boolean
  /** The copy for work that nobody waits at, once it has all that was committed before the call; null when it does not come so far soon. */
  caughtUp(): Promise<Db | null>
  close(): Promise<void>
}

const LOOK_MS = 3000
/** What it shows is never older. */
const MOST_BEHIND_MS = 10_000
/** Work waits this long for it, asking again and again. */
const CATCH_UP_MS = 5000
const AGAIN_MS = 100

/** Where the log of a primary ends. A place is one of its history alone: who becomes primary begins a history of its own. */
interface Position {
  readonly lsn: string
  readonly timeline: number
  /** When that server was started: no other one has the same. */
  readonly server: string
}

interface Sample extends Position {
  readonly at: number
}

/** Opens the copy at `url` and compares it with its primary every few seconds. */
export function openReplica(url: string, primary: Db): Replica {
  const db = openDatabase(url, { purpose: 'web' })
  const work = openDatabase(url, { purpose: 'work' })
  let samples: Sample[] = []
  /** When the newest was written of what it has. */
  let upTo = 0
  let looking = false

  async function look(): Promise<void> {
    const at = Date.now()
    const now = await positionOf(primary)
    if (samples.some(({ timeline, server }) => timeline !== now.timeline || server !== now.server)) {
      // Another primary: what the copy has may be what was lost with the one before.
      samples = []
      upTo = 0
    }
    samples = [...samples.filter(sample => sample.at > at - 4 * MOST_BEHIND_MS), { at, ...now }]
    const has = new Set(await reachedBy(db, now, lsnsOf(samples)))
    if (has.size === 0) upTo = 0
    for (const sample of samples) if (has.has(sample.lsn)) upTo = Math.max(upTo, sample.at)
  }

  const isFresh = () => Date.now() - upTo < MOST_BEHIND_MS

  async function caughtUp(): Promise<Db | null> {
    if (!isFresh()) return null
    try {
      const wanted = await positionOf(primary)
      for (const end = Date.now() + CATCH_UP_MS; Date.now() < end; await Bun.sleep(AGAIN_MS))
        if ((await reachedBy(work, wanted, [wanted.lsn])).length > 0) return work
    } catch {
      // It went away, or the primary did: who asks has the primary.
    }
    return null
  }

  const timer = setInterval(() => {
    if (looking) return
    looking = true
    // What cannot be asked grows old by itself.
    look()
      .catch(() => {})
      .finally(() => {
        looking = false
      })
  }, LOOK_MS)
  return {
    db,
    get isFresh() {
      return isFresh()
    },
    caughtUp,
    async close() {
      clearInterval(timer)
      await Promise.all([closeDatabase(db), closeDatabase(work)])
    },
  }
}

function lsnsOf(samples: readonly Sample[]): string[] {
  return samples.map(({ lsn }) => lsn)
}

/** The end of the primary's log, also of what is not on its disk yet: people see it already. */
async function positionOf(primary: Db): Promise<Position> {
  const [now] = await sqlOf(primary)<Position[]>`
    select pg_current_wal_insert_lsn()::text as lsn, ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline,
      extract(epoch from pg_postmaster_start_time())::text as server`
  if (!now) throw new Error('The primary says nothing')
  return now
}

/**
 * Those of these places that a copy has come to. The primary itself is never behind. Any other server that may be written has a history of its
 * own, and so has a copy of another timeline: an old primary that came back, as itself or as a copy, may well be far beyond.
 */
async function reachedBy(copy: Db, { server, timeline }: Position, lsns: readonly string[]): Promise<string[]> {
  const rows = await sqlOf(copy)<{ lsn: string }[]>`
    select lsn from unnest(${[...lsns]}::text[]) as known (lsn)
    where case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= lsn::pg_lsn
        and coalesce((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint())) = ${timeline}
      else extract(epoch from pg_postmaster_start_time())::text = ${server} end`
  return rows.map(row => row.lsn)
}
