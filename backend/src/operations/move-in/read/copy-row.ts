// A row as Postgres writes it in text: columns between tabs, signs escaped.
import type { SourceRow } from '../records.ts'

const SIGNS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Only of the columns that are wanted; null in their place: not wanted. */
export function readCopyRow(line: string, columns: readonly (string | null)[]): SourceRow {
  const row: Record<string, string | null> = {}
  let begins = 0
  for (const column of columns) {
    const tab = line.indexOf('\t', begins)
    const ends = tab < 0 ? line.length : tab
    if (column !== null) row[column] = readCell(line.slice(begins, ends))
    begins = ends + 1
  }
  return row
}

function readCell(cell: string): string | null {
  if (cell === '\\N') return null
  if (!cell.includes('\\')) return cell
  return cell.replace(/\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|(.))/gs, (_, hex, octal, sign: string) =>
    sign === undefined
      ? String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8))
      : (SIGNS[sign] ?? sign),
  )
}
