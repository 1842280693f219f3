// A copy of the database for what may be a moment old: figures are read there, so that they take nothing from people at work.
import { closeDatabase, type Db, openDatabase } from './client.ts'
import { sqlOf } from './raw.ts'

export interface Replica {
  readonly db: Db
  /** Whether it answers and is not far behind: otherwise the primary is asked. */
  readonly isFresh: boolean
  close(): Promise<void>
}

const LOOK_MS = 3000
/** What it shows is never older. */
const MOST_BEHIND_MS = 10_000

interface Sample {
  readonly at: number
  readonly lsn: string
}

/** Opens the copy at `url` and compares it with its primary every few seconds. */
export function openReplica(url: string, primary: Db): Replica {
  const db = openDatabase(url, { purpose: 'web' })
  let samples: Sample[] = []
  /** When the newest was written of what it has. */
  let upTo = 0
  let looking = false

  async function look(): Promise<void> {
    const at = Date.now()
    const [now] = await sqlOf(primary)<{ lsn: string }[]>`select pg_current_wal_lsn()::text as lsn`
    samples = [...samples.filter(sample => sample.at > at - 4 * MOST_BEHIND_MS), { at, lsn: now?.lsn ?? '0/0' }]
    const positions = samples.map(sample => sample.lsn)
    // One that is no copy is never behind.
    const rows = await sqlOf(db)<{ lsn: string }[]>`
      select lsn from unnest(${positions}::text[]) as known (lsn)
      where not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= lsn::pg_lsn`
    const has = new Set(rows.map(row => row.lsn))
    for (const sample of samples) if (has.has(sample.lsn)) upTo = Math.max(upTo, sample.at)
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
      return Date.now() - upTo < MOST_BEHIND_MS
    },
    async close() {
      clearInterval(timer)
      await closeDatabase(db)
    },
  }
}
