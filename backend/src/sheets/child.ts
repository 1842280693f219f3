// Reads one sheet in a process of its own, which `read.ts` starts and ends: a file of 300 kB can ask for a gigabyte and never finish, and
// only the end of a process gives that back. Words: the file, the ending it is named with, the most rows with anything in them. It writes
// a line of JSON a row as it goes (its number in the sheet, then its texts; none for empty rows), and one with a `fault` should it not
// come to the end.
import { unzipSync } from 'fflate'
import type * as SheetJs from 'xlsx'
import { csvRows, withoutEnd } from './csv.ts'
import { dateText } from './dates.ts'
import { openXmlRows, type ReadRow } from './open-xml.ts'
import { MOST_UNPACKED, TooLarge } from './zip.ts'

export type Fault = 'unreadable' | 'password' | 'tooLarge'

const MOST_COLUMNS = 50
/** As many as an .xls holds. */
const MOST_PLACES = 65_536
/** Characters of all cells together: whoever asked may hold them all. */
const MOST_SAID = 32 * 1024 * 1024
const AT_ONCE = 1000

const [path = '', ending = '', most = '0'] = process.argv.slice(2)
try {
  await tell(await rowsOf(new Uint8Array(await Bun.file(path).arrayBuffer()), ending), Number(most))
} catch (error) {
  const fault: Fault = error instanceof TooLarge ? 'tooLarge' : isPassword(error) ? 'password' : 'unreadable'
  await Bun.write(Bun.stdout, `${JSON.stringify({ fault })}\n`)
}

async function tell(rows: Iterable<ReadRow>, mostRows: number): Promise<void> {
  let [found, said, lines] = [0, 0, '']
  for (const { row, cells } of rows) {
    const kept = withoutEnd(cells)
    if (kept.length === 0) continue
    said += kept.reduce((sum, { length }) => sum + length, 0)
    if (said > MOST_SAID) throw new TooLarge()
    lines += `${JSON.stringify([row, ...kept])}\n`
    if (++found === mostRows) break
    if (found % AT_ONCE !== 0) continue
    await Bun.write(Bun.stdout, lines)
    lines = ''
  }
  await Bun.write(Bun.stdout, lines)
}

/** By what a file is, not by what it is called: SheetJS reads a PDF or a page without a word. */
async function rowsOf(bytes: Uint8Array, named: string): Promise<Iterable<ReadRow>> {
  const isZip = startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])
  if (isZip) {
    checkUnpacked(bytes)
    const rows = openXmlRows(bytes, MOST_COLUMNS)
    if (rows) return rows
  } else if (!startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    if (named !== 'csv') throw new Error('no sheet')
    return numbered(csvRows(bytes, MOST_COLUMNS))
  }
  return numbered(readWith(await import('xlsx'), bytes))
}

/** What Excel wrote before 2007, and what others put into a zip. */
function* readWith(XLSX: typeof SheetJs, bytes: Uint8Array): Generator<string[]> {
  const book = XLSX.read(bytes, {
    ...{ type: 'array', dense: true, cellDates: true, cellFormula: false, cellHTML: false, cellText: false, UTC: true },
    ...{ sheets: 0, sheetRows: MOST_PLACES },
  })
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  if (!sheet) throw new Error('no sheet')
  const data: readonly (readonly (SheetJs.CellObject | undefined)[] | undefined)[] = sheet['!data'] ?? []
  for (let at = 0; at < data.length; at++) yield Array.from((data[at] ?? []).slice(0, MOST_COLUMNS), textOf)
}

function* numbered(rows: Iterable<readonly string[]>): Generator<ReadRow> {
  let row = 0
  for (const cells of rows) yield { row: ++row, cells }
}

/** The sizes a zip tells of itself, without unpacking anything. Where they lie, time and memory end it. */
function checkUnpacked(bytes: Uint8Array): void {
  let total = 0
  unzipSync(bytes, {
    filter({ originalSize }) {
      total += originalSize
      return false
    },
  })
  if (total > MOST_UNPACKED) throw new TooLarge()
}

/** As a person would type it: whole numbers with all their digits, dates as `2026-11-22`, times as `08:30`. Of a formula what it came to. */
function textOf(cell: SheetJs.CellObject | undefined): string {
  const value = cell?.v
  if (value === undefined || cell?.t === 'e' || cell?.t === 'z') return ''
  if (value instanceof Date) return dateText(value)
  return String(value).trim()
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte)
}

function isPassword(error: unknown): boolean {
  return error instanceof Error && /password|encrypt/i.test(error.message)
}
