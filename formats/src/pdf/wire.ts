// What goes to the process that draws: a line of JSON each. Rows of a table come in packs behind it, as they stand or as what they are made of.
import { batchRows } from '../subprocess/lines.ts'
import type { DocumentBlock, DocumentHead, PdfDocument, Row, Table } from './document.ts'

export type TableFrame = Omit<Table, 'rows'>
export type BlockFrame = Exclude<DocumentBlock, Table> | TableFrame
export type DocumentFrame =
  | { readonly head: DocumentHead }
  /** `of`: what the rows of a table are made of. */
  | { readonly block: BlockFrame; readonly of?: unknown }
  | { readonly rows: readonly Row[] }
  | { readonly lines: readonly unknown[] }
  /** Only a document that came to its end is one. */
  | { readonly end: true }

export async function* serializeDocument({ head, blocks }: PdfDocument): AsyncGenerator<string> {
  const encode = (sent: DocumentFrame) => JSON.stringify(sent)
  yield encode({ head })
  for await (const block of blocks) {
    if (block.kind !== 'table') {
      yield encode({ block })
      continue
    }
    const { rows, ...table } = block
    if ('packs' in rows) {
      yield encode({ block: table, of: rows.of })
      for await (const pack of rows.packs) yield `{"lines":${pack}}`
    } else {
      yield encode({ block: table })
      for await (const some of batchRows(rows)) yield encode({ rows: some })
    }
  }
  yield encode({ end: true })
}
