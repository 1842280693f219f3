// What goes to the process that draws: a line of JSON each. Rows of a table come in packs behind it.
import type { Block, DocumentHead, PdfDocument, Row, Table } from './document.ts'

export type SentTable = Omit<Table, 'rows'>
export type SentBlock = Exclude<Block, Table> | SentTable
export type Sent =
  | { readonly head: DocumentHead }
  | { readonly block: SentBlock }
  | { readonly rows: readonly Row[] }
  /** Only a document that came to its end is one. */
  | { readonly end: true }

/** So many rows are turned into text at once: between two packs others have their turn. */
const PACK = 200

export async function* sentOf({ head, blocks }: PdfDocument): AsyncGenerator<Sent> {
  yield { head }
  for await (const block of blocks) {
    if (block.kind !== 'table') yield { block }
    else {
      const { rows, ...table } = block
      yield { block: table }
      for await (const some of packs(rows)) yield { rows: some }
    }
  }
  yield { end: true }
}

async function* packs(rows: Table['rows']): AsyncGenerator<Row[]> {
  let some: Row[] = []
  for await (const row of rows) {
    some.push(row)
    if (some.length < PACK) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/** The lines of a stream of text as they come. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
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
