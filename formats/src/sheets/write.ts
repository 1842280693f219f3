// Sheets that people download: templates, rows that were wrong, exports.
import { type AnswerOf, SHEET_CELL } from '@balcao/contract'
import { shortened } from '@balcao/contract/answers'
import { withTurns } from './packs.ts'
import { type Rows, xlsxOf } from './xlsx.ts'

type SheetFile = AnswerOf<'GET /users/import/template'>

/** A small sheet of texts as part of an answer, its first row in front. What begins like a formula is written as text; what no cell holds is cut. */
export async function writeSheet(name: string, rows: Rows): Promise<SheetFile> {
  const bytes = Buffer.concat(await Array.fromAsync(xlsxOf(withTurns(asTexts(rows)))))
  return { name: `${name}.xlsx`, base64: bytes.toString('base64') }
}

/** Rows whose cells are nothing but text to whoever opens them. */
export async function* asTexts(rows: Rows): AsyncGenerator<string[]> {
  for await (const row of rows) yield row.map(sheetText)
}

/** A text that no sheet takes for a formula: with one apostrophe more than there is, which reading takes away again. What no cell holds is cut. */
export function sheetText(cell: string): string {
  return shortened(/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell, SHEET_CELL)
}
