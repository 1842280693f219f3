// What goes to the process that draws: a line of JSON each. Rows of a table come in packs behind it, as they stand or as what they are made of.
import { packs } from '../subprocess/lines.ts'
import type { Block, DocumentHead, PdfDocument, Row, Table } from './document.ts'

export type SentTable = Omit<Table, 'rows'>
export type SentBlock = Exclude<Block, Table> | SentTable
export type Sent =
  | { readonly head: DocumentHead }
  /** `of`: what the rows of a table are made of. */
  | { readonly block: SentBlock; readonly of?: unknown }
  | { readonly rows: readonly Row[] }
  | { readonly lines: readonly unknown[] }
  /** Only a document that came to its end is one. */
  | { readonly end: true }

export async function* sentOf({ head, blocks }: PdfDocument): AsyncGenerator<string> {
  const said = (sent: Sent) => JSON.stringify(sent)
  yield said({ head })
  for await (const block of blocks) {
    if (block.kind !== 'table') {
      yield said({ block })
      continue
    }
    const { rows, ...table } = block
    if ('packs' in rows) {
      yield said({ block: table, of: rows.of })
      for await (const pack of rows.packs) yield `{"lines":${pack}}`
    } else {
      yield said({ block: table })
      for await (const some of packs(rows)) yield said({ rows: some })
    }
  }
  yield said({ end: true })
}
