// Sheets that people upload: .xlsx, .xls and .csv, read in a child process with a limit of time and memory (docs/decisions/0209).
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { linesOf } from '../apart/lines.ts'
import { AppError } from '../http/errors.ts'
import type { Fault } from './child.ts'

/** A file as it was received: where it lies and what it is called. */
interface GivenFile {
  readonly path: string
  readonly name: string
}

export interface SheetLimits {
  /** The most rows below the heading. */
  readonly rows: number
  readonly seconds?: number
  readonly memoryMb?: number
}

/** One row, counted as in the sheet: the heading is row 1. Cells as people would type them. */
export interface SheetRow {
  readonly row: number
  readonly cells: readonly string[]
}

const ENDINGS = ['.xlsx', '.xls', '.csv']
const SECONDS = 20
const MEMORY_MB = 700
const LOOK_MS = 50

/**
 * The rows of the first sheet, the heading first; those with nothing in them are left out. Throws `ERR_FILE_TYPE`,
 * `ERR_SHEET_UNREADABLE`, `ERR_SHEET_PASSWORD`, and `ERR_SHEET_TOO_LARGE` with the most rows there may be: for too many of them, and for
 * what takes more time or memory than any sheet that somebody filled in.
 */
export async function readSheet(file: GivenFile, limits: SheetLimits): Promise<SheetRow[]> {
  const ending = extname(file.name).toLowerCase()
  if (!ENDINGS.includes(ending)) throw new AppError('ERR_FILE_TYPE', { type: ending })
  const tooLarge = new AppError('ERR_SHEET_TOO_LARGE', { most: limits.rows })
  // One more than may be shows that there are too many.
  const words = [file.path, ending.slice(1), String(limits.rows + 2)]
  const rows: SheetRow[] = []
  let at = 0
  await inTurn(() =>
    childSays(words, limits, line => {
      const cells: unknown = JSON.parse(line)
      if (!Array.isArray(cells)) throw faultOf(cells, tooLarge)
      at++
      if (cells.length > 0) rows.push({ row: at, cells: cells.map(cell => unescaped(String(cell))) })
    }),
  ).catch(error => {
    throw error instanceof Killed ? tooLarge : error
  })
  if (rows.length > limits.rows + 1) throw tooLarge
  return rows
}

/** It was ended: by its time, or by the memory it took. */
class Killed extends Error {}

/** Takes the child's lines as they come: others have their turn between them. */
async function childSays(words: readonly string[], limits: SheetLimits, take: (line: string) => void): Promise<void> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'child.ts'), ...words], {
    cwd: import.meta.dir,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: (limits.seconds ?? SECONDS) * 1000,
    killSignal: 'SIGKILL',
    // Nothing of ours: what reads a stranger's file knows no secrets.
    env: { PATH: process.env.PATH ?? '' },
  })
  const watch = watchMemory(child, limits.memoryMb ?? MEMORY_MB)
  try {
    for await (const line of linesOf(child.stdout)) take(line)
    if ((await child.exited) === 0) return
    throw child.signalCode === 'SIGKILL' ? new Killed() : new AppError('ERR_SHEET_UNREADABLE')
  } finally {
    clearInterval(watch)
    child.kill('SIGKILL')
  }
}

const AT_ONCE = 2
const line: (() => void)[] = []
let free = AT_ONCE

/** Two of them take what two may take; the others wait. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free--
  else await new Promise<void>(resolve => line.push(resolve))
  try {
    return await work()
  } finally {
    const next = line.shift()
    if (next) next()
    else free++
  }
}

function faultOf(said: unknown, tooLarge: AppError): AppError {
  const fault: Partial<Record<'fault', Fault>> = typeof said === 'object' && said !== null ? said : {}
  if (fault.fault === 'tooLarge') return tooLarge
  return new AppError(fault.fault === 'password' ? 'ERR_SHEET_PASSWORD' : 'ERR_SHEET_UNREADABLE')
}

/** Where the system tells how much a process holds (Linux); elsewhere its time is the limit. */
function watchMemory(child: Bun.Subprocess, mostMb: number): ReturnType<typeof setInterval> {
  const look = () =>
    readFile(`/proc/${child.pid}/status`, 'utf8').then(
      status => {
        const held = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
        if (held > mostMb * 1024) child.kill('SIGKILL')
      },
      () => {}, // not told here, or over meanwhile
    )
  return setInterval(() => void look(), LOOK_MS)
}

/** What `writeSheet` put before a text that begins like a formula. */
function unescaped(cell: string): string {
  return /^'+[=+\-@]/.test(cell) ? cell.slice(1) : cell
}
