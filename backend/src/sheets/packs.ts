/** So many rows take a millisecond or two: what customers write comes between them. */
const PACK = 500

/** What `work` makes of each, with a turn for everybody else now and then. */
export async function inPacks<T, R>(rows: readonly T[], work: (row: T) => R): Promise<R[]> {
  const made: R[] = []
  for (const [at, row] of rows.entries()) {
    if (at % PACK === PACK - 1) await new Promise(resolve => setImmediate(resolve))
    made.push(work(row))
  }
  return made
}
