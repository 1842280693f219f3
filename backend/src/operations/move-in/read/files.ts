// Where the files of another desk are: a folder of this machine, or an address of its public folder. What a message names never leads out of it.
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Config } from '../../../platform/config.ts'
import { AppError } from '../../../platform/http/errors.ts'
import { followOutside, OutwardError, readOutwardBody } from '../../../platform/http/outward.ts'

/** Null: it is not there. Throws `ERR_MOVE_IN_FILES` where nothing can be had from there at all. */
export type FileOpener = (paths: readonly string[]) => Promise<AsyncIterable<Uint8Array> | null>

/** One file that cannot be had, whatever is with the others. */
export class UnreadableFileError extends Error {}

const FETCH_MS = 60_000
const TRIES = 3
const PAUSE_MS = 2000

/** Opens a folder or an address. `most`: the bytes of one file. Throws `ERR_MOVE_IN_FILES`. */
export async function openFileSource(
  from: string,
  { privateHosts }: Pick<Config, 'privateHosts'>,
  most: number,
): Promise<FileOpener> {
  if (isAddress(from)) return paths => fetchFirst(from, paths, privateHosts, most)
  const root = await realpath(from).catch(() => null)
  if (root === null || !(await stat(root)).isDirectory()) throw new AppError('ERR_MOVE_IN_FILES')
  return paths => openFirst(root, paths)
}

export function isAddress(from: string): boolean {
  return /^https?:\/\//i.test(from)
}

async function openFirst(root: string, paths: readonly string[]): Promise<AsyncIterable<Uint8Array> | null> {
  for (const path of paths) {
    const found = await findInside(root, path)
    if (found !== null) return readFile(found)
  }
  return null
}

/** Throws `UnreadableFileError` where it may not be read, is gone by now, or lies on a disk that fails. */
async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path)
  try {
    yield* stream
  } catch (error) {
    throw new UnreadableFileError(path, { cause: error })
  }
}

/** The file itself, wherever links lead; null for one outside. */
async function findInside(root: string, path: string): Promise<string | null> {
  if (!isPlain(path)) return null
  const found = await realpath(resolve(root, path)).catch(() => null)
  if (!found?.startsWith(root.endsWith(sep) ? root : root + sep)) return null
  const isFile = await stat(found).then(
    status => status.isFile(),
    () => false,
  )
  return isFile ? found : null
}

/** Names of folders and a file, and no way up, also not one that is written in another form. */
export function isPlain(path: string): boolean {
  const parts = path.split('/')
  return parts.every(
    part => part !== '' && !/[\0\\]/.test(part) && !/^(?:\.|%2e)+$/i.test(part) && !/%2f|%5c/i.test(part),
  )
}

async function fetchFirst(
  address: string,
  paths: readonly string[],
  allowed: readonly string[],
  most: number,
): Promise<AsyncIterable<Uint8Array> | null> {
  for (const path of paths.filter(isPlain)) {
    const url = new URL(path.split('/').map(encodePart).join('/'), address.endsWith('/') ? address : `${address}/`)
    const answer = await fetchPatiently(url.href, allowed)
    const isPage = /^text\/html\b/i.test(answer.headers.get('content-type') ?? '') && !/\.html?$/i.test(path)
    if (answer.ok && !isPage) return readOutwardBody(answer, most)
    await answer.body?.cancel()
    // A desk that is down or overrun has all its files still.
    if (answer.status >= 500 || answer.status === 429) throw new AppError('ERR_MOVE_IN_FILES')
  }
  return null
}

/** A name may be kept as it stands in an address already. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replace(/%25([\da-f]{2})/gi, '%$1')
}

/** Throws `ERR_MOVE_IN_FILES` where nobody answers, or nobody may be asked. */
async function fetchPatiently(url: string, allowed: readonly string[]): Promise<Response> {
  for (let attempt = 1; ; attempt++)
    try {
      return (await followOutside(url, {}, { allowed, ms: FETCH_MS })).answer
    } catch (error) {
      if (!(error instanceof OutwardError)) throw error
      const isFinal = error.fault === 'private' || error.fault === 'insecure'
      if (isFinal || attempt >= TRIES) throw new AppError('ERR_MOVE_IN_FILES')
      await Bun.sleep(PAUSE_MS * attempt)
    }
}
