// Of two transactions that wait for each other Postgres ends one. Everything in it was undone, so it is run again.

import type { Db, Tx } from './client.ts'
import { sqlStateOf } from './faults.ts'

const MOST_TRIES = 5
const WAIT_MS = 20

/**
 * One transaction, run again after a deadlock or a serialisation fault. Only for work that does nothing outside of its transaction; who
 * locks in the one order (docs/decisions/0153) hardly ever needs it.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      const code = sqlStateOf(error)
      if (attempt === MOST_TRIES || (code !== '40P01' && code !== '40001')) throw error
      // By chance, or both would meet again.
      await Bun.sleep(WAIT_MS * attempt * Math.random())
    }
  }
}
