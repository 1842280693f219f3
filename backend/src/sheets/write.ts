// Sheets that people download: templates, and rows that were wrong.
import { type AnswerOf, shortened } from '@balcao/contract'
import { SHEET_CELL } from './csv.ts'

type SheetFile = AnswerOf<'GET /users/import/template'>

/** A sheet of texts, its first row in front. What begins like a formula is written as text; what no cell holds is cut. */
export async function writeSheet(name: string, rows: readonly (readonly string[])[]): Promise<SheetFile> {
  // Only here: a process that writes none does not hold the library.
  const { utils, write } = await import('xlsx')
  const sheet = utils.aoa_to_sheet(rows.map(row => row.map(escaped)))
  const book = utils.book_new(sheet, 'Planilha')
  const bytes: Uint8Array = write(book, { type: 'buffer', bookType: 'xlsx', compression: true })
  return { name: `${name}.xlsx`, base64: Buffer.from(bytes).toString('base64') }
}

function escaped(cell: string): string {
  return shortened(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell, SHEET_CELL)
}
