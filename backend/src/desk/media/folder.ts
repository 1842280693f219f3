// The folder `media` of DATA_DIR: where files are received, and lie at hand.
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MB } from '@balcao/contract'
import { AppError } from '../../platform/http/errors.ts'
import { ensureDiskSpace, toNoSpaceError } from './disk-space.ts'
import { SNIFF_BYTES } from './file-type.ts'

/** Bytes on the disk that belong to nothing yet. */
export interface ReceivedBytes {
  readonly path: string
  readonly size: number
  readonly sha256: string
  /** The first of them, which tell the type. */
  readonly head: Uint8Array
}

/** Where files lie that belong to nothing yet, and for long only after a crash. */
const INCOMING = 'incoming'

/** What customers sent is nobody's business who only has an account on this machine, whatever the umask is. */
export const OURS_ALONE = 0o700
const OTHERS = 0o077

/** Makes the folder, where there is none, and closes one that stands open. */
export async function makeFolder(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'media')
  await mkdir(folder, { recursive: true, mode: OURS_ALONE })
  const { mode } = await stat(folder)
  if ((mode & OTHERS) !== 0) await chmod(folder, OURS_ALONE)
}

/** Writes bytes to the disk as they come. Throws `ERR_FILE_TOO_LARGE` beyond `most`, `ERR_NO_SPACE`; then nothing is left of them. */
export async function receiveFile(
  dataDir: string,
  bytes: AsyncIterable<Uint8Array>,
  most: number,
): Promise<ReceivedBytes> {
  const folder = join(dataDir, 'media', INCOMING)
  const path = join(folder, randomBytes(18).toString('base64url'))
  try {
    await mkdir(folder, { recursive: true, mode: OURS_ALONE })
    return { path, ...(await writeFile(dataDir, bytes, path, most)) }
  } catch (error) {
    await rm(path, { force: true })
    throw toNoSpaceError(error)
  }
}

/** Removes what was received and kept by nobody for this long: whoever received it is gone. */
export async function sweepIncoming(dataDir: string, olderThanMs: number): Promise<void> {
  const folder = join(dataDir, 'media', INCOMING)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (mtimeMs < Date.now() - olderThanMs) await rm(path, { force: true })
  }
}

interface Ages {
  /** So long nobody needed a copy. */
  readonly unneededMs: number
  /** So long a file was there without being known. */
  readonly unknownMs: number
}

/** Removes copies that nobody has needed for long, and what nobody knows. `known`: of these files, `far`: those that the bucket keeps. */
export async function sweepCopies(
  dataDir: string,
  { unneededMs, unknownMs }: Ages,
  findKnown: (
    ids: readonly string[],
  ) => Promise<{ readonly known: readonly string[]; readonly far: readonly string[] }>,
): Promise<void> {
  const root = join(dataDir, 'media')
  for (const folder of await readdir(root).catch(() => [])) {
    if (folder === INCOMING) continue
    const old: { readonly name: string; readonly ms: number }[] = []
    for (const name of await readdir(join(root, folder)).catch(() => [])) {
      const { mtimeMs } = await stat(join(root, folder, name)).catch(() => ({ mtimeMs: Date.now() }))
      const ms = Date.now() - mtimeMs
      if (ms > Math.min(unneededMs, unknownMs)) old.push({ name, ms })
    }
    if (old.length === 0) continue
    const found = await findKnown(old.map(({ name }) => toMediaId(name)))
    const [known, far] = [new Set(found.known), new Set(found.far)]
    for (const { name, ms } of old) {
      const id = toMediaId(name)
      const goes = known.has(id) ? far.has(id) && ms > unneededMs : ms > unknownMs
      if (goes) await rm(join(root, folder, name), { force: true })
    }
  }
}

function toMediaId(name: string): string {
  return name.replace(/\.thumb$/, '')
}

/** Removes a file and its small picture from the folder. */
export async function removeFrom(dataDir: string, id: string): Promise<void> {
  const path = getMediaPath(dataDir, id)
  await rm(path, { force: true })
  await rm(getThumbPath(path), { force: true })
}

/** Where the file of an id lies, if it is at hand. */
export function getMediaPath(dataDir: string, id: string): string {
  return join(dataDir, 'media', id.slice(0, 2), id)
}

export function getThumbPath(path: string): string {
  return `${path}.thumb`
}

/** Files and the names in folders are on the disk from now on, also after a power cut. */
export async function syncToDisk(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const file = await open(path)
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

/** How much is written before the disk is looked at again: others write too. */
const LOOK_EVERY = 4 * MB

async function writeFile(dataDir: string, stream: AsyncIterable<Uint8Array>, path: string, most: number) {
  const file = await open(path, 'wx')
  const hash = createHash('sha256')
  const heads: Uint8Array[] = []
  let size = 0
  let lookAt = 0
  try {
    for await (const chunk of stream) {
      if (size < SNIFF_BYTES) heads.push(Buffer.copyBytesFrom(chunk, 0, SNIFF_BYTES - size))
      size += chunk.byteLength
      if (size > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
      // Before anything is waited for: each chunk has a round of the event loop for this (`streamChunks`).
      hash.update(chunk)
      if (size > lookAt) {
        await ensureDiskSpace(dataDir)
        lookAt = size + LOOK_EVERY
      }
      for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten
    }
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(heads) }
}
