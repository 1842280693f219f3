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

interface Sample {
  readonly at: number
  readonly lsn: string
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
    const lsn = await positionOf(primary)
    samples = [...samples.filter(sample => sample.at > at - 4 * MOST_BEHIND_MS), { at, lsn }]
    const positions = samples.map(sample => sample.lsn)
    const has = new Set(await reachedBy(db, positions))
    for (const sample of samples) if (has.has(sample.lsn)) upTo = Math.max(upTo, sample.at)
  }

  const isFresh = () => Date.now() - upTo < MOST_BEHIND_MS

  async function caughtUp(): Promise<Db | null> {
    if (!isFresh()) return null
    try {
      const wanted = await positionOf(primary)
      for (const end = Date.now() + CATCH_UP_MS; Date.now() < end; await Bun.sleep(AGAIN_MS))
        if ((await reachedBy(work, [wanted])).length > 0) return work
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

/** The end of the primary's log, also of what is not on its disk yet: people see it already. */
async function positionOf(primary: Db): Promise<string> {
  const [now] = await sqlOf(primary)<{ lsn: string }[]>`select pg_current_wal_insert_lsn()::text as lsn`
  return now?.lsn ?? 'FFFFFFFF/FFFFFFFF'
}

/** Those of these positions that a copy has come to. One that is no copy is never behind. */
async function reachedBy(copy: Db, positions: readonly string[]): Promise<string[]> {
  const rows = await sqlOf(copy)<{ lsn: string }[]>`
    select lsn from unnest(${[...positions]}::text[]) as known (lsn)
    where not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= lsn::pg_lsn`
  return rows.map(row => row.lsn)
}
