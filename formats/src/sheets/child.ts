// Reads one sheet in a process of its own, which `read.ts` starts and ends: a file of 300 kB can ask for a gigabyte and never finish, and
// only the end of a process gives that back. Words: the file, the most rows with anything in them, and `headed` where the rows are to
// begin with their headings, wherever these stand. It writes a line of JSON a row as it goes (its number in the sheet, then its texts;
// none for empty rows), and one with a `fault` should it not come to the end.
import { SHEET_CELL } from '@balcao/contract/kit/limits'
import { unzipSync } from 'fflate'
import * as XLSX from 'xlsx'
import { formatSheetDate } from './dates.ts'
import { decodeText } from './decode.ts'
import { guessHeading, isContactCell, readHeading } from './headings.ts'
import { readVcards } from './vcards.ts'

export type SheetReadFault = 'unreadable' | 'password' | 'tooLarge'

/** What was asked for takes more than any sheet that somebody filled in. */
class TooLarge extends Error {}

/** A row and its number in the sheet. */
interface ReadRow {
  readonly row: number
  readonly cells: readonly string[]
}

/** How workbooks begin: since 2007, and before. */
const [ZIP, COMPOUND] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]
const MOST_COLUMNS = 50
const MOST_UNPACKED = 100 * 1024 * 1024
/** Characters of all cells together: whoever asked may hold them all. */
const MOST_SAID = 32 * 1024 * 1024
const AT_ONCE = 1000
/** Headings are looked for in so many rows: titles stand above them, never pages of text. */
const ROWS_ABOVE = 30

const [path = '', most = '0', headed] = process.argv.slice(2)
try {
  const sheets = readSheets(new Uint8Array(await Bun.file(path).arrayBuffer()))
  await writeRows(headed === 'headed' ? chooseHeadedRows(sheets) : readRows(sheets[0]), Number(most))
} catch (error) {
  const fault: SheetReadFault = error instanceof TooLarge ? 'tooLarge' : isPassword(error) ? 'password' : 'unreadable'
  await Bun.write(Bun.stdout, `${JSON.stringify({ fault })}\n`)
}

async function writeRows(rows: Iterable<ReadRow>, mostRows: number): Promise<void> {
  let [found, reported, lines] = [0, 0, '']
  for (const { row, cells } of rows) {
    reported += cells.reduce((sum, { length }) => sum + length, 0)
    if (reported > MOST_SAID) throw new TooLarge()
    lines += `${JSON.stringify([row, ...cells])}\n`
    if (++found === mostRows) break
    if (found % AT_ONCE !== 0) continue
    await Bun.write(Bun.stdout, lines)
    lines = ''
  }
  await Bun.write(Bun.stdout, lines)
}

/** The rows of the sheet that has the most headings we know, from these on; of several the first. A cover has fewer, a title none. */
function* chooseHeadedRows(sheets: readonly Cells[]): Generator<ReadRow> {
  let best: { readonly sheet: Cells; readonly row: number; readonly known: number } | null = null
  for (const sheet of sheets)
    for (const { row, cells } of takeFirst(readRows(sheet), ROWS_ABOVE)) {
      const known = cells.some(isContactCell) ? 0 : new Set(cells.map(readHeading).filter(Boolean)).size
      if (known > (best?.known ?? 0)) best = { sheet, row, known }
    }
  if (best) {
    for (const one of readRows(best.sheet)) if (one.row >= best.row) yield one
    return
  }
  const sheet = sheets.find(one => !readRows(one).next().done) ?? sheets[0]
  const first = [...takeFirst(readRows(sheet), ROWS_ABOVE)].map(({ cells }) => cells)
  if (first[0]?.some(isContactCell)) yield { row: 0, cells: guessHeading(first) }
  yield* readRows(sheet)
}

function* takeFirst<T>(all: Iterable<T>, most: number): Generator<T> {
  let at = 0
  for (const one of all) {
    if (++at > most) return
    yield one
  }
}

type Cells = readonly (readonly (XLSX.CellObject | undefined)[] | undefined)[]

/** Rows with anything in them. What lies behind the last column, or in a cell behind what one holds, is passed over. */
function* readRows(sheet: Cells = []): Generator<ReadRow> {
  for (let at = 0; at < sheet.length; at++) {
    const cells = Array.from((sheet[at] ?? []).slice(0, MOST_COLUMNS), toText)
    const end = cells.findLastIndex(text => text !== '') + 1
    if (end > 0) yield { row: at + 1, cells: cells.slice(0, end) }
  }
}

/** By what a file is, not by what it is called: programs name pages and texts `.xls`, and SheetJS reads a PDF without a word. */
function readSheets(bytes: Uint8Array): Cells[] {
  if (startsWith(bytes, ZIP)) {
    checkUnpacked(bytes)
    return readWorkbook(bytes, 'array')
  }
  if (startsWith(bytes, COMPOUND)) return readWorkbook(bytes, 'array')
  const text = decodeText(bytes)
  if (/^\s*(%PDF|\{\\rtf)/.test(text)) throw new Error('no sheet')
  if (/^\s*BEGIN:VCARD/i.test(text)) return [readVcards(text)]
  if (/^\s*</.test(text) && !/<table|<workbook|<([\w-]+):workbook/i.test(text)) throw new Error('no sheet')
  return readWorkbook(text, 'string')
}

function readWorkbook(data: Uint8Array | string, type: 'array' | 'string'): Cells[] {
  const book = XLSX.read(data, {
    ...{ type, dense: true, raw: true, cellDates: true, UTC: true },
    ...{ cellFormula: false, cellHTML: false, cellText: false },
  })
  const sheets = book.SheetNames.map((name): Cells => book.Sheets[name]?.['!data'] ?? [])
  if (sheets.every(({ length }) => length === 0)) throw new Error('no sheet')
  // What the parts of a workbook were unpacked to is let go before its rows are made.
  Bun.gc(true)
  return sheets
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
function toText(cell: XLSX.CellObject | undefined): string {
  const value = cell?.v
  if (value === undefined || cell?.t === 'e' || cell?.t === 'z') return ''
  if (value instanceof Date) return formatSheetDate(value)
  const text = String(value).slice(0, SHEET_CELL)
  // Quotes behind a blank are none to SheetJS.
  return (/^\s+"((?:[^"]|"")*)"\s*$/.exec(text)?.[1]?.replaceAll('""', '"') ?? text).trim()
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte)
}

function isPassword(error: unknown): boolean {
  return error instanceof Error && /password|encrypt/i.test(error.message)
}
