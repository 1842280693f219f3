// Files that come and go: sheets that are read, exports that are laid down whole or not at all.
import { accessSync, constants, createWriteStream, existsSync, statSync } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createOfflineError } from '@balcao/client'
import { SHEET_BYTES } from '@balcao/contract'
import { toSafeFileName } from '@balcao/contract/kit/validation'
import type { CommandContext } from './command.ts'
import { type Desk, fetchFile } from './desk.ts'
import { Failure, getErrorCode, toWriteFailure } from './faults.ts'
import { parseChoice } from './pick.ts'

/**
 * A sheet, as calls want it in a form: read once, so that what is taken is what was looked at. Refuses before anybody is asked what is not
 * there, cannot be read or is larger than any sheet.
 */
export async function readSheet(path: string): Promise<() => FormData> {
  const found = await stat(path).catch(() => {
    throw new Failure('noFile', { path }, 2)
  })
  // What is no file may never end.
  if (!found.isFile()) throw new Failure('unreadable', { path })
  if (found.size > SHEET_BYTES) throw new Failure('sheetTooLarge')
  const bytes = await readFile(path).catch(() => {
    throw new Failure('unreadable', { path })
  })
  const file = new File([new Uint8Array(bytes)], basename(path))
  return () => {
    const form = new FormData()
    form.append('medias', file)
    return form
  }
}

export interface FileTarget {
  /** Where it goes; the name the server gives it unless said, `-` is stdout. */
  readonly path: string | undefined
  /** May take the place of a file that is there. */
  readonly force: boolean
}

/** Refuses before anything is made what could not be laid down afterwards. */
export function checkFree({ path, force }: FileTarget): void {
  if (path === '-') return
  const folder = path === undefined ? '.' : dirname(path)
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw toWriteFailure(folder, error, 2)
  }
  const there = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  if (path === undefined || !there) return
  if (!there.isFile()) throw new Failure('noPlace', { path, why: there.isDirectory() ? 'EISDIR' : 'special' }, 2)
  if (!force) throw new Failure('fileThere', { path }, 2)
}

/** The format that was asked for, else the one the file's name says, else the first. Throws a `Failure` where it is none of them. */
export function resolveFormat<const F extends string>(
  request: string | undefined,
  path: string | undefined,
  formats: readonly [F, ...F[]],
): F {
  if (request !== undefined) return parseChoice(request, formats)
  const ending = extname(path ?? '')
    .slice(1)
    .toLowerCase()
  return KNOWN_FORMATS.includes(ending) ? parseChoice(ending, formats) : formats[0]
}

/** Endings of which people know what is inside. */
const KNOWN_FORMATS = ['pdf', 'xlsx', 'xls', 'csv']

/** Fetches what a job left; where it lies. What is cut off half-way leaves nothing. */
export async function saveResult(
  { out, ending }: Pick<CommandContext, 'out' | 'ending'>,
  desk: Desk,
  link: string,
  name: string,
  wanted: FileTarget,
): Promise<string> {
  const answer = await fetchFile(desk.url, link, ending.signal)
  const body = Readable.from(readChunks(answer, ending.signal))
  if (wanted.path === '-') {
    for await (const chunk of body) await out.pour(chunk)
    return '-'
  }
  const path = wanted.path ?? findFreeName(toSafeFileName(name))
  // A name nobody else knows, and for one's own eyes: sheets are full of people.
  const part = `${path}.${crypto.randomUUID()}.part`
  const forget = ending.onEnd(() => rm(part, { force: true }))
  try {
    await pipeline(body, createWriteStream(part, { flags: 'wx', mode: 0o600 }))
    if (!wanted.force && existsSync(path)) throw new Failure('fileThere', { path })
    await rename(part, path)
  } catch (error) {
    throw toWriteFailure(path, error)
  } finally {
    await rm(part, { force: true })
    forget()
  }
  return path
}

/** Lays a small file down under a name that is free, for one's own eyes as a sheet is; where it lies. */
export async function saveSmall(name: string, base64: string): Promise<string> {
  const path = findFreeName(toSafeFileName(name))
  try {
    await writeFile(path, Buffer.from(base64, 'base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') await rm(path, { force: true })
    throw toWriteFailure(path, error)
  }
  return path
}

function findFreeName(name: string): string {
  const ending = extname(name)
  const stem = name.slice(0, name.length - ending.length)
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${stem}-${n}${ending}`
    if (!existsSync(join(process.cwd(), free))) return free
  }
}

/** Its parts; a line that breaks meanwhile is told as a desk that does not answer. */
async function* readChunks({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  const next = () =>
    reader?.read().catch((error: unknown) => {
      throw signal.aborted ? error : createOfflineError(error)
    })
  for (let part = await next(); part?.value; part = await next()) yield part.value
}
