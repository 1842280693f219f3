// The rows of a file that somebody uploads, whatever it is: workbooks, texts, pages and cards. In the child alone, and in tests.
import zlib from 'node:zlib'
import { SHEET_CELL } from '@balcao/contract/kit/limits'
import { unzipSync } from 'fflate'
import * as XLSX from 'xlsx'
import { guessHeading, isContactCell } from './cells.ts'
import { formatSheetDate } from './dates.ts'
import { decodeText } from './decode.ts'
import { readHeading } from './headings.ts'
import { readVcards } from './vcards.ts'

/** What was asked for takes more than any sheet that somebody filled in. */
export class TooLargeError extends Error {}

/** A row and its number in the sheet. */
export interface ReadRow {
  readonly row: number
  readonly cells: readonly string[]
}

interface ParseOptions {
  /** The most rows that are wanted, the heading among them. */
  readonly rows: number
  /** Whether they are to begin with the heading, wherever it stands. */
  readonly headed: boolean
}

/** How workbooks begin: since 2007, and before. */
const [ZIP, COMPOUND] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]
/** Outlook has 92. */
const MOST_COLUMNS = 120
const MOST_UNPACKED = 100 * 1024 * 1024
/** Headings are looked for in so many rows: titles stand above them, never pages of text. */
const ROWS_ABOVE = 30

/** Throws what `SheetReadFault` of the child tells apart. */
export function parseSheet(bytes: Uint8Array, { rows, headed }: ParseOptions): Iterable<ReadRow> {
  const sheets = readSheets(bytes, rows)
  return headed ? chooseHeadedRows(sheets) : readRows(sheets[0])
}

/**
 * The rows of the sheet that has the most headings we know, from these on; of several the first. A cover has fewer, a title none. Where
 * nobody knows the headings the sheet is the first that holds numbers or addresses, and its heading the row above them that says most.
 */
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
  const begins = sheets.map(sheet => [...takeFirst(readRows(sheet), ROWS_ABOVE)])
  const hasContacts = ({ cells }: ReadRow) => cells.some(isContactCell)
  const holding = begins.findIndex(rows => rows.some(hasContacts))
  const place = holding >= 0 ? holding : begins.findIndex(rows => rows.length > 0)
  const begin = begins[place] ?? []
  const first = begin.findIndex(hasContacts)
  if (first === 0) yield { row: 0, cells: guessHeading(begin.map(({ cells }) => cells)) }
  const heading = first > 0 ? findWidest(begin.slice(0, first)) : undefined
  for (const one of readRows(sheets[place])) if (one.row >= (heading?.row ?? 0)) yield one
}

/** The first of the rows that say most: titles have a cell or two. */
function findWidest(rows: readonly ReadRow[]): ReadRow | undefined {
  const width = ({ cells }: ReadRow) => cells.filter(text => text !== '').length
  return rows.toSorted((one, other) => width(other) - width(one))[0]
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
function readSheets(bytes: Uint8Array, most: number): Cells[] {
  if (startsWith(bytes, ZIP)) {
    checkUnpacked(bytes)
    return readWorkbook(bytes, 'array')
  }
  if (startsWith(bytes, COMPOUND)) return readWorkbook(bytes, 'array')
  const text = decodeText(bytes)
  if (/^\s*(%PDF|\{\\rtf)/.test(text)) throw new Error('no sheet')
  if (/^\s*BEGIN:VCARD/i.test(text)) return [readVcards(text, most)]
  if (/^\s*</.test(text) && !/<table|<workbook|<([\w-]+):workbook/i.test(text)) throw new Error('no sheet')
  return readWorkbook(text, 'string')
}

/**
 * After so many rows of a workbook since 2007, or cells of an older one, what was left behind is cleared away: by itself the engine takes
 * twice what it needs.
 */
const SWEEP = { zip: 1000, other: 5000 }

function readWorkbook(data: Uint8Array | string, type: 'array' | 'string'): Cells[] {
  let row = 0
  const sweep = typeof data !== 'string' && startsWith(data, ZIP) ? SWEEP.zip : SWEEP.other
  // Unpacked by the runtime, not letter by letter.
  XLSX.CFB.utils.use_zlib(zlib)
  const book = XLSX.read(data, {
    ...{ type, dense: true, raw: true, cellDates: true, UTC: true },
    ...{ cellFormula: false, cellHTML: false, cellText: false },
    /** SheetJS asks at each row, or each cell, where it shall stop, which is nowhere: the only moments in between that it leaves. */
    get sheetRows() {
      if (++row % sweep === 0) Bun.gc(true)
      return 0
    },
    // It makes a number of what it is given.
    set sheetRows(_) {},
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
  if (total > MOST_UNPACKED) throw new TooLargeError()
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

/** Whether a workbook is locked. */
export function isPasswordError(error: unknown): boolean {
  return error instanceof Error && /password|encrypt/i.test(error.message)
}
