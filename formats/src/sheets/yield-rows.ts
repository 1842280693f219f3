/** In ms. Few rows take so long: what customers write comes between them, and between one and the next where these are long texts. */
const LONGEST_TURN = 5

/** One row after the other, with a turn for everybody else now and then. */
export async function* yieldBetweenRows<T>(rows: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  let begun = performance.now()
  for await (const row of rows) {
    if (performance.now() - begun > LONGEST_TURN) {
      await new Promise(resolve => setImmediate(resolve))
      begun = performance.now()
    }
    yield row
  }
}
