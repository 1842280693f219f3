// Of two transactions that wait for each other Postgres ends one, and one that waits for a lock too long. Everything in it was undone, so it
// is run again.
import type { Db, Tx } from './client.ts'
import { getSqlState } from './faults.ts'

/** Of what met another transaction in a deadlock, and of what waited for a lock in vain: seconds, each time. */
const MOST_TRIES = { '40P01': 5, '40001': 5, '55P03': 2 }
const WAIT_MS = 20

/**
 * One transaction, run again after a deadlock, a serialisation fault, or once where a lock was not got in time. Only for work that does nothing outside of its transaction; who
 * locks in the one order (docs/decisions/0153) hardly ever needs it.
 */
export async function runInTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      const code = getSqlState(error)
      if (attempt >= (Object.entries(MOST_TRIES).find(([known]) => known === code)?.[1] ?? 0)) throw error
      // By chance, or both would meet again.
      await Bun.sleep(WAIT_MS * attempt * Math.random())
    }
  }
}
