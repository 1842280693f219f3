// Long work in short transactions with pauses: live events are read up to the oldest transaction that writes, so whatever is done in one go
// holds up every message meanwhile.
import { max } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db, Tx } from './client.ts'
import { getSql } from './raw.ts'
import { runInTransaction } from './transaction.ts'

/** What a piece should take. */
const PIECE_MS = 40
const [FIRST, LEAST, MOST] = [500, 100, 20_000]

/** Pieces of `size` rows until one says that it was the last, with as long a pause after each. `first`: the size of the first one, and the least where it is small. */
export async function runInPieces(
  signal: AbortSignal | undefined,
  work: (size: number) => Promise<boolean>,
  first = FIRST,
): Promise<void> {
  for (let size = first; !signal?.aborted; ) {
    const begun = performance.now()
    if (await work(size)) return
    const took = performance.now() - begun
    size = Math.round(Math.min(MOST, Math.max(Math.min(LEAST, first), size * Math.min(2, PIECE_MS / took))))
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

/** Rows of a tally by id, at most so many behind one and up to another. */
export interface TallyPiece {
  readonly after: number
  readonly last: number
  readonly size: number
}

/** How many rows were folded, and the last of them. */
export interface FoldedPiece {
  readonly rows: number
  readonly last: number
}

/** As many rows as folding keeps: more combinations than these no tally has. */
const FIRST_FOLDED = 5000

/**
 * Makes few rows of the many of a tally. `fold` puts sums in the place of a piece, in one statement: readers see the same before and after. Of several
 * pieces the sums are folded once more.
 */
export async function foldInPieces(
  db: Db,
  signal: AbortSignal | undefined,
  tally: PgTable & { readonly id: PgColumn },
  fold: (tx: Tx, piece: TallyPiece) => Promise<FoldedPiece>,
): Promise<void> {
  if ((await foldOnce()) > 1) await foldOnce()

  async function foldOnce(): Promise<number> {
    const [row] = await db.select({ last: max(tally.id).mapWith(Number) }).from(tally)
    const last = row?.last ?? 0
    let [after, pieces] = [0, 0]
    await runInPieces(
      signal,
      async size => {
        const folded = await runPiece(db, tx => fold(tx, { after, last, size }))
        after = folded.last
        pieces++
        return folded.rows < size
      },
      FIRST_FOLDED,
    )
    return pieces
  }
}
