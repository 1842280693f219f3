// Sheets that people download: templates, rows that were wrong, exports.
import { type ResponseBody, SHEET_CELL } from '@balcao/contract'
import { shortenText } from '@balcao/contract/follow-up/answers'
import { renderXlsx, type SheetRows } from './xlsx.ts'
import { yieldBetweenRows } from './yield-rows.ts'

type SheetFile = ResponseBody<'GET /users/import/template'>

/** A small sheet of texts as part of an answer, its first row in front. What begins like a formula is written as text; what no cell holds is cut. */
export async function writeSheet(name: string, rows: SheetRows): Promise<SheetFile> {
  const bytes = Buffer.concat(await Array.fromAsync(renderXlsx(yieldBetweenRows(toTextCells(rows)))))
  return { name: `${name}.xlsx`, base64: bytes.toString('base64') }
}

/** Rows whose cells are nothing but text to whoever opens them. */
export async function* toTextCells(rows: SheetRows): AsyncGenerator<string[]> {
  for await (const row of rows) yield row.map(toSheetText)
}

/** A text that no sheet takes for a formula: with one apostrophe more than there is, which reading takes away again. What no cell holds is cut. */
export function toSheetText(cell: string): string {
  return shortenText(/^'*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell, SHEET_CELL)
}
