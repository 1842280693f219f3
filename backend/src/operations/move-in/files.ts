// Files of the messages that came, one batch after the other beside whoever works (docs/decisions/0326). What is not there stays named in its
// message, and is looked for again when somebody names another place.
import type { MediaInfo, MoveInFileFault } from '@balcao/contract'
import { eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import type { JobParts, LongJob, RunningJob } from '../../desk/jobs/long.ts'
import { claimUpload } from '../../desk/media/claim.ts'
import { ensureDiskSpace } from '../../desk/media/disk-space.ts'
import { createMediaStorage, type MediaStorage } from '../../desk/media/storage.ts'
import { type StoredMedia, storeMedia } from '../../desk/media/store.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { OutwardError } from '../../platform/http/outward.ts'
import { writeLog } from '../../policy/log/write.ts'
import { type FileOpener, openFileSource, UnreadableFileError } from './read/files.ts'
import { loadMove, Params } from './read.ts'
import { moveInFiles, moveIns } from './table.ts'
import type { StoredMove } from './writing.ts'

const Mark = Type.Object({ done: Type.Integer(), after: Type.Integer(), missing: Type.Integer() })
type Progress = { readonly done: number; readonly after: number; readonly missing: number }
type Running = RunningJob<{ moveInId: number }, Progress>

const BATCH = 20
const REST = 0.5
/** As for received files. */
const MOST_BYTES = 256 * 1024 * 1024

export const FILES_JOB: LongJob<typeof Params, typeof Mark> = {
  ...{ kind: 'moveIn.files', params: Params, mark: Mark },
  async work(parts, job) {
    const moveIn = await loadMove(parts, job.params.moveInId)
    const progress = await bringFiles(parts, job, moveIn)
    await finish(job, moveIn, progress)
    return { counts: { files: progress.done, missing: progress.missing } }
  },
}

async function bringFiles(parts: JobParts, job: Running, moveIn: StoredMove): Promise<Progress> {
  let progress: Progress = job.mark ?? { done: 0, after: 0, missing: 0 }
  try {
    const open = await openFileSource(moveIn.filesFrom ?? '', parts.config, MOST_BYTES)
    for (;;) {
      const next = await bringBatch(parts, job, moveIn, open, progress)
      if (!next) return progress
      progress = next
    }
  } catch (error) {
    // One that was stopped meanwhile is no longer this job's: it stands as it does.
    if (error instanceof AppError)
      await job.batch(async tx => {
        await tx.update(moveIns).set({ state: 'done', error: error.code }).where(eq(moveIns.id, moveIn.id))
        return toJobProgress(moveIn, progress)
      })
    throw error
  }
}

/** How far it is then; null: nothing waits any more. */
async function bringBatch(
  parts: JobParts,
  job: Running,
  moveIn: StoredMove,
  open: FileOpener,
  before: Progress,
): Promise<Progress | null> {
  const begun = performance.now()
  const files = await findWaiting(parts, moveIn.id, before.after)
  const last = files.at(-1)
  if (!last) return null
  await ensureDiskSpace(parts.config.dataDir)
  const place = createMediaStorage(parts)
  const found: FoundFile[] = []
  for (const file of files) found.push(await fetchFile(place, open, moveIn, file))
  let progress = before
  await job.batch(async tx => {
    const came = await noteFiles(tx, found)
    const missing = before.missing + found.length - came
    progress = { done: before.done + came, after: last.messageId, missing }
    await countFiles(tx, moveIn.id, came)
    return toJobProgress(moveIn, progress)
  })
  await Bun.sleep((performance.now() - begun) * REST)
  return progress
}

function toJobProgress({ counts }: StoredMove, progress: Progress) {
  return { mark: progress, done: progress.done + progress.missing, total: counts.fileNamed ?? 0 }
}

interface WaitingFile {
  readonly messageId: number
  readonly ticketId: number
  readonly path: string
  readonly name: string
}

type FoundFile = WaitingFile & ({ readonly stored: StoredMedia } | { readonly fault: MoveInFileFault })

async function findWaiting({ db }: JobParts, moveInId: number, after: number): Promise<WaitingFile[]> {
  return getSql(db)<WaitingFile[]>`
    select f.message_id::float8 as "messageId", m.ticket_id as "ticketId", f.path, coalesce(m.media->>'name', '') as name
    from move_in_file f join message m on m.id = f.message_id
    where f.move_in_id = ${moveInId} and f.message_id > ${after} order by f.message_id limit ${BATCH}`
}

/** Throws what would keep every other file from coming as well. */
async function fetchFile(
  place: MediaStorage,
  open: FileOpener,
  { source, company }: StoredMove,
  file: WaitingFile,
): Promise<FoundFile> {
  const paths = listPlaces(source, company, file.path)
  const store = async (name: string) => {
    const bytes = await open(paths)
    return bytes && storeMedia(place, bytes, { name, most: MOST_BYTES, isReceived: true })
  }
  try {
    const name = file.name || 'arquivo'
    const stored = await store(name).catch(error => {
      // What calls itself a picture and is none is kept all the same, as a plain file.
      if (error instanceof AppError && error.code === 'ERR_FILE_TYPE') return store(`${name}.bin`)
      throw error
    })
    return stored ? { ...file, stored } : { ...file, fault: 'missing' }
  } catch (error) {
    const fault = findFault(error)
    if (fault === null) throw error
    return { ...file, fault }
  }
}

/** Where a desk puts a file: by its key in folders of two letters, or of a company of its own. */
function listPlaces(source: StoredMove['source'], company: string | null, path: string): string[] {
  if (source === 'chatwoot') return [`${path.slice(0, 2)}/${path.slice(2, 4)}/${path}`, path]
  return company === null ? [path] : [path, `company${company}/${path}`]
}

function findFault(error: unknown): MoveInFileFault | null {
  if (error instanceof OutwardError) return error.fault === 'tooLarge' ? 'tooLarge' : 'missing'
  if (error instanceof UnreadableFileError) return 'missing'
  if (!(error instanceof AppError)) return null
  if (error.code === 'ERR_FILE_TOO_LARGE') return 'tooLarge'
  return error.code === 'ERR_VALIDATION' ? 'empty' : null
}

/** How many are part of their messages now. */
async function noteFiles(tx: Tx, found: readonly FoundFile[]): Promise<number> {
  const rows = found.flatMap(file =>
    'stored' in file ? [{ ...file, info: toInfo(file.stored), mediaId: file.stored.id }] : [],
  )
  const noted = await getSql(tx)<{ id: number }[]>`
    update message m set media = m.media || x.info, media_id = x."mediaId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x("messageId" int8, "mediaId" text, info jsonb)
    where m.id = x."messageId" and m.media_id is null returning m.id::float8 as id`
  const ids = new Set(noted.map(({ id }) => id))
  for (const { messageId, ticketId, mediaId } of rows)
    if (ids.has(messageId)) await claimUpload(tx, null, mediaId, { ticketId })
  await tx.delete(moveInFiles).where(inArray(moveInFiles.messageId, [...ids]))
  for (const file of found)
    if ('fault' in file)
      await tx.update(moveInFiles).set({ fault: file.fault }).where(eq(moveInFiles.messageId, file.messageId))
  return ids.size
}

function toInfo({ name, mime, size, width, height, thumb }: StoredMedia): Partial<MediaInfo> & { thumb: boolean } {
  return { state: 'ready', error: null, name, mime, size, thumb, ...(width === null ? {} : { width, height }) }
}

async function countFiles(tx: Tx, id: number, came: number): Promise<void> {
  await getSql(tx)`
    update move_in set counts = counts || jsonb_build_object('file', coalesce((counts->>'file')::int, 0) + ${came}::int) where id = ${id}`
}

async function finish(
  job: Running,
  { id, source }: StoredMove,
  files: { done: number; missing: number },
): Promise<void> {
  await job.batch(async tx => {
    await tx.update(moveIns).set({ state: 'done', error: null }).where(eq(moveIns.id, id))
    const params = { source, files: files.done, missing: files.missing }
    await writeLog(tx, { action: 'moveIn.files', userId: job.userId, entityId: id, params })
    return { mark: { ...files, after: Number.MAX_SAFE_INTEGER }, done: files.done + files.missing }
  })
}
