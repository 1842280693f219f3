// Sheets that people upload, read in a child process with a limit of time and memory (docs/decisions/0209).
import { createReadStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { AppError, SHEET_ENDINGS } from '@balcao/contract'
import { createWaitingLine } from '@balcao/contract/kit/waiting-line'
import { splitLines } from '../subprocess/lines.ts'
import { lowerPriority } from '../subprocess/low-priority.ts'
import { findScript } from '../subprocess/script.ts'
import type { SheetReadFault } from './child.ts'

/** A file as it was received: where it lies and what it is called. */
interface GivenFile {
  readonly path: string
  readonly name: string
}

export interface SheetLimits {
  /** The most rows below the heading. */
  readonly rows: number
  /** Whether the rows begin with headings we know, wherever these stand: below a title, or on another sheet than the first. */
  readonly headed?: boolean
  /** Of a processor, where the system tells (Linux); several times as many of the clock anywhere. */
  readonly seconds?: number
  readonly memoryMb?: number
}

/** One row, counted as in the sheet: the heading is row 1; row 0 where the sheet has none. Cells as people would type them. */
export interface SheetRow {
  readonly row: number
  readonly cells: readonly string[]
}

const ENDINGS = SHEET_ENDINGS.map(ending => `.${ending}`)
const SECONDS = 20
/** The child steps back behind others: on a busy machine the clock says little of what a file costs. */
const CLOCK_TIMES = 6
const MEMORY_MB = 700
const LOOK_MS = 50

/**
 * The rows of the first sheet, the heading first; those with nothing in them are left out. Throws `ERR_FILE_TYPE`,
 * `ERR_SHEET_UNREADABLE`, `ERR_SHEET_PASSWORD`, and `ERR_SHEET_TOO_LARGE` with the most rows there may be: for too many of them, and for
 * what takes more time or memory than any sheet that somebody filled in.
 */
export function readSheet(file: GivenFile, limits: SheetLimits): Promise<SheetRow[]> {
  return runSheetReader(file, limits, child => Array.fromAsync(parseRows(child, limits)))
}

/** How a sheet begins. */
export interface SheetBeginning {
  readonly heading: SheetRow | null
  /** Rows that tell what stands in which column. */
  readonly sample: readonly SheetRow[]
  /** Rows below the heading. */
  readonly total: number
}

const SAMPLE_ROWS = 100

/** All of it is looked at. Throws as `readSheet`. */
export function readBeginning(file: GivenFile, limits: SheetLimits): Promise<SheetBeginning> {
  return runSheetReader(file, limits, child => takeBeginning(parseRows(child, limits)))
}

async function takeBeginning(rows: AsyncIterable<SheetRow>): Promise<SheetBeginning> {
  const first: SheetRow[] = []
  let total = -1
  for await (const row of rows) if (++total <= SAMPLE_ROWS) first.push(row)
  const [heading = null, ...sample] = first
  return { heading, sample, total: Math.max(0, total) }
}

/** The rows of a sheet on the disk: nobody holds them all. */
export interface SpooledSheet extends SheetBeginning {
  /** Those below the heading. */
  readonly rows: () => AsyncGenerator<SheetRow>
  readonly remove: () => Promise<void>
}

/** Lays the rows where `keep` writes what it is given. Throws as `readSheet`; then nothing is left of them. */
export async function spoolSheet(
  file: GivenFile,
  limits: SheetLimits,
  keep: (bytes: AsyncIterable<Uint8Array>) => Promise<{ readonly path: string }>,
): Promise<SpooledSheet> {
  let path: string | undefined
  const remove = async () => {
    if (path !== undefined) await rm(path, { force: true })
  }
  try {
    await runSheetReader(file, limits, async child => {
      ;({ path } = await keep(child))
    })
    const rows = () => parseRows(createReadStream(path ?? ''), limits)
    return { ...(await takeBeginning(rows())), rows: () => behindTheFirst(rows()), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function* behindTheFirst(rows: AsyncIterable<SheetRow>): AsyncGenerator<SheetRow> {
  let at = 0
  for await (const row of rows) if (at++ > 0) yield row
}

/** Two of them take what two may take; the others wait. */
const children = createWaitingLine(2)

/** What `take` makes of what the child says of a file. */
async function runSheetReader<T>(
  file: GivenFile,
  limits: SheetLimits,
  take: (output: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const ending = extname(file.name).toLowerCase()
  if (!ENDINGS.includes(ending)) throw new AppError('ERR_FILE_TYPE', { type: ending })
  // One more than may be shows that there are too many.
  const words = [file.path, String(limits.rows + 2), ...(limits.headed ? ['headed'] : [])]
  return children
    .run(() => childSays(words, limits, take))
    .catch(error => {
      throw error instanceof Killed ? tooLarge(limits) : error
    })
}

/** The rows that stand in what the child said. */
async function* parseRows(output: AsyncIterable<Uint8Array>, limits: SheetLimits): AsyncGenerator<SheetRow> {
  let found = 0
  for await (const line of splitLines(output)) {
    const frame: unknown = JSON.parse(line)
    if (!Array.isArray(frame)) throw toSheetError(frame, limits)
    if (++found > limits.rows + 1) throw tooLarge(limits)
    const [row, ...cells] = frame
    yield { row: Number(row), cells: cells.map(cell => unescaped(String(cell))) }
  }
}

function tooLarge({ rows }: SheetLimits): AppError {
  return new AppError('ERR_SHEET_TOO_LARGE', { most: rows })
}

/** It was ended: by its time, or by the memory it took. */
class Killed extends Error {}

/** What `take` makes of what the child says, if the child came to its end. */
async function childSays<T>(
  words: readonly string[],
  limits: SheetLimits,
  take: (output: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const child = Bun.spawn([process.execPath, '--smol', findScript(join(import.meta.dir, 'child.ts')), ...words], {
    cwd: import.meta.dir,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: (limits.seconds ?? SECONDS) * CLOCK_TIMES * 1000,
    killSignal: 'SIGKILL',
    // Nothing of ours: what reads a stranger's file knows no secrets.
    env: { PATH: process.env.PATH ?? '' },
  })
  const watch = watchUse(child, limits)
  lowerPriority(child.pid, BEHIND)
  try {
    const taken = await take(child.stdout)
    if ((await child.exited) === 0) return taken
    throw child.signalCode === 'SIGKILL' ? new Killed() : new AppError('ERR_SHEET_UNREADABLE')
  } finally {
    clearInterval(watch)
    child.kill('SIGKILL')
  }
}

/** So nice that what customers write comes first, and not so that a busy machine never comes to it. */
const BEHIND = 5

function toSheetError(frame: unknown, limits: SheetLimits): AppError {
  const fault: Partial<Record<'fault', SheetReadFault>> = typeof frame === 'object' && frame !== null ? frame : {}
  if (fault.fault === 'tooLarge') return tooLarge(limits)
  return new AppError(fault.fault === 'password' ? 'ERR_SHEET_PASSWORD' : 'ERR_SHEET_UNREADABLE')
}

/** Where the system tells how much a process holds and has worked (Linux); elsewhere the clock is the limit. */
function watchUse(child: Bun.Subprocess, limits: SheetLimits): ReturnType<typeof setInterval> {
  const { memoryMb = MEMORY_MB, seconds = SECONDS } = limits
  const check = async () => {
    const files = ['status', 'stat'].map(name => readFile(`/proc/${child.pid}/${name}`, 'utf8'))
    // Not told here, or over meanwhile.
    const [status = '', stat = ''] = await Promise.all(files).catch(() => [])
    const held = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    // Behind the name in brackets: in hundredths of a second, its own and what the system did for it.
    const [own = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
    if (held > memoryMb * 1024 || (own + system) / 100 > seconds) child.kill('SIGKILL')
  }
  return setInterval(() => void check(), LOOK_MS)
}

/** What `writeSheet` put before a text that begins like a formula. */
function unescaped(cell: string): string {
  return /^'+[=+\-@]/.test(cell) ? cell.slice(1) : cell
}
