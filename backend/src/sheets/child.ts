// Reads one sheet in a process of its own, which `read.ts` starts and ends: a file of 300 kB can ask for a gigabyte and never finish, and
// only the end of a process gives that back. Words: the file, the ending it is named with, the most rows. It writes a line of JSON a row
// (an array of texts, empty rows as `[]`), or one with a `fault`.
import { unzipSync } from 'fflate'
import * as XLSX from 'xlsx'
import { csvRows, withoutEnd } from './csv.ts'

export type Fault = 'unreadable' | 'password' | 'tooLarge'

const MOST_COLUMNS = 50
const MOST_UNPACKED = 100 * 1024 * 1024
/** Characters of all cells together: whoever asked holds them all. */
const MOST_SAID = 32 * 1024 * 1024
const AT_ONCE = 1000

class TooLarge extends Error {}

const [path = '', ending = '', most = '0'] = process.argv.slice(2)
try {
  const rows = rowsOf(new Uint8Array(await Bun.file(path).arrayBuffer()), ending, Number(most))
  if (rows.flat().reduce((sum, text) => sum + text.length, 0) > MOST_SAID) throw new TooLarge()
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await Bun.write(
      Bun.stdout,
      rows
        .slice(at, at + AT_ONCE)
        .map(row => `${JSON.stringify(row)}\n`)
        .join(''),
    )
} catch (error) {
  const fault: Fault = error instanceof TooLarge ? 'tooLarge' : isPassword(error) ? 'password' : 'unreadable'
  await Bun.write(Bun.stdout, `${JSON.stringify({ fault })}\n`)
}

/** By what a file is, not by what it is called: SheetJS reads a PDF or a page without a word. */
function rowsOf(bytes: Uint8Array, named: string, mostRows: number): string[][] {
  const isZip = startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])
  if (isZip) checkUnpacked(bytes)
  else if (!startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) {
    if (named !== 'csv') throw new Error('no sheet')
    return csvRows(bytes, mostRows, MOST_COLUMNS)
  }
  const book = XLSX.read(bytes, {
    ...{ type: 'array', dense: true, cellDates: true, cellFormula: false, cellHTML: false, cellText: false, UTC: true },
    ...{ sheets: 0, sheetRows: mostRows },
  })
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  if (!sheet) throw new Error('no sheet')
  const data: readonly (readonly (XLSX.CellObject | undefined)[] | undefined)[] = sheet['!data'] ?? []
  return Array.from(data, row => withoutEnd(Array.from((row ?? []).slice(0, MOST_COLUMNS), cell => textOf(cell))))
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
function textOf(cell: XLSX.CellObject | undefined): string {
  const value = cell?.v
  if (value === undefined || cell?.t === 'e' || cell?.t === 'z') return ''
  if (value instanceof Date) return dateText(value)
  return String(value).trim()
}

function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  // What is only a time stands on the first day there is; its seconds are rounded by the way it is kept.
  const text = new Date(Math.round(date.getTime() / 60_000) * 60_000).toISOString()
  const [day = '', time] = [text.slice(0, 10), text.slice(11, 16)]
  if (date.getUTCFullYear() < 1901) return time
  return time === '00:00' ? day : `${day} ${time}`
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte)
}

function isPassword(error: unknown): boolean {
  return error instanceof Error && /password|encrypt/i.test(error.message)
}
