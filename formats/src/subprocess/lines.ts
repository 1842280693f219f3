// What goes between a process and one of its own children: lines of JSON, and long lists in packs.

/** The lines of a stream of text as they come; what follows the last end of line is none. */
export async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let parts: string[] = []
  for await (const chunk of stream) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    parts.push(first)
    for (const begun of others) {
      yield parts.join('')
      parts = [begun]
    }
  }
}

/** A long list whose rows are made by the process that writes them: what they are made of, and packs of it as JSON that nobody reads on the way. */
export interface DeferredRows {
  readonly of: unknown
  readonly packs: AsyncIterable<string>
}

/** So many rows are turned into text at once: between two packs others have their turn. */
const PACK = 200

export async function* batchRows<Row>(rows: AsyncIterable<Row> | Iterable<Row>, most = PACK): AsyncGenerator<Row[]> {
  let some: Row[] = []
  for await (const row of rows) {
    some.push(row)
    if (some.length < most) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
