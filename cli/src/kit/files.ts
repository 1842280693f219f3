// Files that come and go: sheets that are read, exports that are laid down whole or not at all.
import { createWriteStream, existsSync } from 'node:fs'
import { access, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { safeFileName } from '@balcao/contract/validation'
import type { Call } from './command.ts'
import { type Desk, fetchFile } from './desk.ts'
import { Failure } from './faults.ts'

/** A form with a file, as calls that take sheets want it. Throws a `Failure` where it cannot be read. */
export async function formWith(path: string): Promise<FormData> {
  const bytes = await readFile(path).catch(() => {
    throw new Failure('unreadable', { path })
  })
  const form = new FormData()
  form.append('medias', new File([new Uint8Array(bytes)], basename(path)))
  return form
}

/** Refuses before anybody is asked what is not there. */
export async function checkThere(path: string): Promise<void> {
  await access(path).catch(() => {
    throw new Failure('noFile', { path }, 2)
  })
}

export interface Wanted {
  /** Where it goes; the name the server gives it unless said, `-` is stdout. */
  readonly path: string | undefined
  /** May take the place of a file that is there. */
  readonly force: boolean
}

/** Refuses before anything is made what could not be laid down afterwards. */
export function checkFree({ path, force }: Wanted): void {
  if (path !== undefined && path !== '-' && !force && existsSync(path)) throw new Failure('fileThere', { path }, 2)
}

/** Fetches what a job left; where it lies. What is cut off half-way leaves nothing. */
export async function saveResult(
  { out, ending }: Pick<Call, 'out' | 'ending'>,
  desk: Desk,
  link: string,
  name: string,
  wanted: Wanted,
): Promise<string> {
  const answer = await fetchFile(desk.url, link, ending.signal)
  const body = Readable.from(chunksOf(answer))
  if (wanted.path === '-') {
    for await (const chunk of body) out.raw(chunk)
    return '-'
  }
  const path = wanted.path ?? freeName(safeFileName(name))
  // A name nobody else knows, and for one's own eyes: sheets are full of people.
  const part = `${path}.${crypto.randomUUID()}.part`
  const forget = ending.onEnd(() => rm(part, { force: true }))
  try {
    await pipeline(body, createWriteStream(part, { flags: 'wx', mode: 0o600 }))
    if (!wanted.force && existsSync(path)) throw new Failure('fileThere', { path })
    await rename(part, path)
  } finally {
    await rm(part, { force: true })
    forget()
  }
  return path
}

/** Lays a small file down under a name that is free, for one's own eyes as a sheet is; where it lies. */
export async function saveSmall(name: string, base64: string): Promise<string> {
  const path = freeName(safeFileName(name))
  await writeFile(path, Buffer.from(base64, 'base64'), { flag: 'wx', mode: 0o600 })
  return path
}

function freeName(name: string): string {
  const ending = extname(name)
  const stem = name.slice(0, name.length - ending.length)
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${stem}-${n}${ending}`
    if (!existsSync(join(process.cwd(), free))) return free
  }
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) yield part.value
}
