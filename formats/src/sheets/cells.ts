// What stands in the cells of a sheet, whatever its columns are called.
import { readNumber } from '@balcao/contract/contacts/read-number'

/** What a column holds by its cells. */
export type ColumnContent = 'phone' | 'email' | 'name'

/** Whether a cell holds what headings do not: a number to call, or an address. */
export function isContactCell(cell: string): boolean {
  const digits = cell.replace(/\D/g, '').length
  return (digits >= 8 && digits <= 15 && !/\p{L}{3}/u.test(cell)) || isEmailCell(cell)
}

/** What more than half of the cells of each column are; null where they are nothing of it, or empty. */
export function listColumnContents(rows: readonly (readonly string[])[]): (ColumnContent | null)[] {
  const width = Math.max(0, ...rows.map(row => row.length))
  return Array.from({ length: width }, (_, at) => findContent(rows.flatMap(row => row[at] || [])))
}

/** A heading for rows that have none, from what stands in them: as the empty sheet calls it, else the letter of the column. */
export function guessHeading(rows: readonly (readonly string[])[]): string[] {
  const contents = listColumnContents(rows)
  return contents.map((content, at) =>
    content && contents.indexOf(content) === at ? HEADS[content] : toColumnLetter(at),
  )
}

const HEADS = { phone: 'numero', email: 'email', name: 'nome' } as const satisfies Record<ColumnContent, string>

function findContent(cells: readonly string[]): ColumnContent | null {
  const most = (is: (cell: string) => boolean) => cells.filter(is).length * 2 > cells.length
  if (most(isPhoneCell)) return 'phone'
  return most(isEmailCell) ? 'email' : most(isNameCell) ? 'name' : null
}

/** A number that can be called, or one that a Brazilian mobile is without its area code: no document, day or order. */
function isPhoneCell(cell: string): boolean {
  const reading = readNumber(cell)
  return 'number' in reading || (reading.fault === 'areaCodeMissing' && /^9\d?\D?\d{4}\D?\d{4}$/.test(cell))
}

function isEmailCell(cell: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell)
}

function isNameCell(cell: string): boolean {
  return /\p{L}{2}/u.test(cell) && !/\d{3}/.test(cell)
}

function toColumnLetter(at: number): string {
  const before = at < 26 ? '' : String.fromCharCode(64 + Math.floor(at / 26))
  return `${before}${String.fromCharCode(65 + (at % 26))}`
}
