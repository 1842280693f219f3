// Long work in short transactions with pauses: live events are read up to the oldest transaction that writes, so whatever is done in one go
// holds up every message meanwhile.
import type { Db, Tx } from './client.ts'
import { getSql } from './raw.ts'
import { runInTransaction } from './transaction.ts'

/** What a piece should take. */
const PIECE_MS = 40
const [FIRST, LEAST, MOST] = [500, 100, 20_000]

/** Pieces of `size` rows until one says that it was the last, with as long a pause after each. */
export async function runInPieces(
  signal: AbortSignal | undefined,
  work: (size: number) => Promise<boolean>,
): Promise<void> {
  for (let size = FIRST; !signal?.aborted; ) {
    const begun = performance.now()
    if (await work(size)) return
    const took = performance.now() - begun
    size = Math.round(Math.min(MOST, Math.max(LEAST, size * Math.min(2, PIECE_MS / took))))
    await Bun.sleep(took)
  }
}

export function runPiece<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return runInTransaction(db, async tx => {
    // What a machine that loses its power forgets is done again.
    await getSql(tx)`set local synchronous_commit = off`
    return work(tx)
  })
}
