// What goes to the process that draws: a line of JSON each. Rows of a table come in packs behind it.
import { packs } from '../apart/lines.ts'
import type { Block, DocumentHead, PdfDocument, Row, Table } from './document.ts'

export type SentTable = Omit<Table, 'rows'>
export type SentBlock = Exclude<Block, Table> | SentTable
export type Sent =
  | { readonly head: DocumentHead }
  | { readonly block: SentBlock }
  | { readonly rows: readonly Row[] }
  /** Only a document that came to its end is one. */
  | { readonly end: true }

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
