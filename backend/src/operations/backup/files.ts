// The stored files of a snapshot: their rows are laid down while it is open, the bytes are read afterwards. A file never changes, so
// what is read later is what was there; only who removes one removes it from under us, and that is told apart from one that is lost.
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { splitLines } from '@balcao/formats/subprocess/lines'
import { and, eq, ne } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Bucket } from '../../desk/media/bucket.ts'
import { hashBytes } from '../../desk/media/bucket-files.ts'
import { getMediaPath, getThumbPath } from '../../desk/media/folder.ts'
import { media } from '../../desk/media/table.ts'
import { AppError } from '../../platform/http/errors.ts'
import { toNoSpaceFault } from './fault.ts'
import type { Manifest } from './format.ts'
import { copyOut } from './session.ts'
import { createFilesSum } from './sums.ts'
import type { BackupWriter, SizedBytes } from './write.ts'

/** The rows of files, on the disk: there may be millions. */
export interface FileListing {
  each(): AsyncGenerator<ListedFile>
  drop(): Promise<void>
}

interface ListedFile {
  readonly id: string
  readonly sha256: string
  readonly size: number
  /** Once it is there for good; a copy may be at hand. */
  readonly inBucket: boolean
}

/** Also of a database that knows of no bucket yet: a backup is made before an upgrade, too. */
const LISTED = `select id, sha256, size, coalesce(to_jsonb(m) ->> 'kept_in', 'folder') = 's3' from media m
  where owner <> 'gone' order by id collate "C"`

export async function listFiles(client: pg.Client): Promise<FileListing> {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-backup-'))
  const path = join(folder, 'files')
  const drop = () => rm(folder, { recursive: true, force: true })
  try {
    const list = await open(path, 'wx', 0o600)
    try {
      for await (const bytes of copyOut(client, LISTED)) await list.writeFile(bytes)
    } finally {
      await list.close()
    }
  } catch (error) {
    await drop()
    throw toNoSpaceFault(tmpdir(), error)
  }
  return {
    drop,
    async *each() {
      for await (const line of splitLines(createReadStream(path))) {
        const [id = '', sha256 = '', size = '', inBucket = ''] = line.split('\t')
        yield { id, sha256, size: Number(size), inBucket: inBucket === 't' }
      }
    },
  }
}

const MOST_NAMED = 100

export interface FileLocation {
  readonly dataDir: string
  readonly bucket: Bucket | null
}

/** Writes every file that is there, and its small picture. */
export async function writeFiles(
  client: pg.Client,
  writer: BackupWriter,
  { dataDir, bucket }: FileLocation,
  files: FileListing,
  wrote: () => void,
): Promise<Manifest['files']> {
  const sums = createFilesSum()
  const missing: string[] = []
  const damaged: string[] = []
  let gone = 0
  for await (const { id, sha256, size, inBucket } of files.each()) {
    const path = getMediaPath(dataDir, id)
    const far = inBucket ? bucket : null
    const here = !far || (await isCopy(path, sha256)) ? await openFile(path) : null
    const file = here ?? (far && ((await begin(far.read(id, size), size)) ?? (await openFile(path))))
    if (file === null) {
      if (await isGone(client, id)) gone++
      else if (missing.length < MOST_NAMED) missing.push(id)
      continue
    }
    const sum = await writer.file({ kind: 'file', id }, file)
    sums.add({ kind: 'file', id }, sum)
    if (sum.sha256 !== sha256 && damaged.length < MOST_NAMED) damaged.push(id)
    const small = (await openFile(getThumbPath(path))) ?? (far && whole(await far.small(`${id}.thumb`)))
    if (small) sums.add({ kind: 'thumb', id }, await writer.file({ kind: 'thumb', id }, small))
    wrote()
  }
  return { ...sums.result(), gone, missing, damaged }
}

/** Whether a copy at hand is what was stored: another one is no reason to leave out what the bucket has. */
async function isCopy(path: string, sha256: string): Promise<boolean> {
  const file = await openFile(path)
  return file !== null && (await hashBytes(file.bytes)) === sha256
}

/** The bytes of a file that is open from now on: who removes it takes its name alone. */
async function openFile(path: string): Promise<SizedBytes | null> {
  try {
    const file = await open(path)
    const { size } = await file.stat()
    return { size, bytes: file.createReadStream({ highWaterMark: 256 * 1024 }) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** The same bytes, once some of them came; null: there is no such object. Throws `ERR_FILES_AWAY`. */
async function begin(bytes: AsyncGenerator<Uint8Array>, size: number): Promise<SizedBytes | null> {
  const first = await bytes.next().catch(error => {
    if (error instanceof AppError && error.code === 'ERR_NO_FILE_FOUND') return null
    throw error
  })
  if (first === null) return null
  const all = async function* () {
    if (!first.done) yield first.value
    yield* bytes
  }
  return { size, bytes: all() }
}

function whole(bytes: Uint8Array | null): SizedBytes | null {
  return bytes && { size: bytes.length, bytes: new Blob([Buffer.from(bytes)]).stream() }
}

async function isGone(client: pg.Client, id: string): Promise<boolean> {
  const there = and(eq(media.id, id), ne(media.owner, 'gone'))
  const rows = await drizzle(client, { casing: 'snake_case' }).select({ id: media.id }).from(media).where(there)
  return rows.length === 0
}
