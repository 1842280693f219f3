/** So many rows take a millisecond or two: what customers write comes between them. */
const PACK = 500

/** One row after the other, with a turn for everybody else now and then. */
export async function* withTurns<T>(rows: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  let at = 0
  for await (const row of rows) {
    if (++at % PACK === 0) await new Promise(resolve => setImmediate(resolve))
    yield row
  }
}
