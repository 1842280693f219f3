// Reports read back as whoever opens them finds them.
import * as XLSX from 'xlsx'

/** The cells of each sheet by its name: texts, numbers, and days as sheets count them. */
export type ReadSheet = Readonly<Record<string, (string | number | null)[][]>>

export function sheetsIn(bytes: Uint8Array): ReadSheet {
  const book = XLSX.read(bytes, { type: 'array', dense: true })
  const rowsOf = (sheet: XLSX.WorkSheet) =>
    XLSX.utils.sheet_to_json<(string | number | null)[]>(sheet, { header: 1, defval: null, raw: true })
  return Object.fromEntries(Object.entries(book.Sheets).map(([name, sheet]) => [name, rowsOf(sheet)]))
}
