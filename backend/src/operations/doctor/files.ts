// The files: room on the disk, whether it can be written, and whether what is known is there.
import { randomUUID } from 'node:crypto'
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getBucket } from '../../desk/media/bucket.ts'
import { ownsBucketNow } from '../../desk/media/bucket-owner.ts'
import { getMediaPath } from '../../desk/media/folder.ts'
import { getSql } from '../../platform/database/raw.ts'
import { readBackupState } from '../backup/alarm.ts'
import { type CheckContext, type CheckFinding, toLevel } from './checks.ts'

/** So many of the newest files are looked for. */
const SAMPLE = 200
/** The bucket has this long to answer: the other areas of files are not to wait for it. */
const BUCKET_MS = 5000

export async function checkFiles(patient: CheckContext): Promise<readonly CheckFinding[]> {
  const found = await Promise.all([
    roomOn(patient),
    writes(patient),
    missing(patient),
    pending(patient),
    backup(patient),
    bucket(patient),
  ])
  return found.flat()
}

async function roomOn({ config }: CheckContext): Promise<CheckFinding> {
  await mkdir(config.dataDir, { recursive: true })
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  const full = 1 - bavail / blocks
  const params = { bytes: bavail * bsize, percent: Math.round((1 - full) * 100) }
  return { code: 'files.room', level: toLevel(full, { warning: 0.9, danger: 0.95 }), params }
}

async function writes({ config }: CheckContext): Promise<CheckFinding> {
  const path = join(config.dataDir, `.doctor-${randomUUID()}`)
  try {
    await writeFile(path, 'ok')
    return { code: 'files.write', level: 'ok', params: {} }
  } catch {
    return { code: 'files.write', level: 'danger', params: {} }
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

/** A file that the database knows and the disk does not: the folder was not moved along, or only one of the two was restored. */
async function missing({ config, db }: CheckContext): Promise<CheckFinding> {
  const rows = await getSql(db)<
    { id: string }[]
  >`select id from media where kept_in = 'folder' and owner <> 'gone' order by created_at desc limit ${SAMPLE}`
  const there = await Promise.all(rows.map(({ id }) => Bun.file(getMediaPath(config.dataDir, id)).exists()))
  const count = there.filter(isThere => !isThere).length
  return { code: 'files.missing', level: count > 0 ? 'danger' : 'ok', params: { count, of: rows.length } }
}

/** Made daily, and the newest good one no older than two days. */
async function backup({ config, db }: CheckContext): Promise<CheckFinding> {
  const state = await readBackupState(db, config)
  const at = state?.goodAt ?? null
  const hours = at === null ? 0 : Math.floor((Date.now() - Date.parse(at)) / 3_600_000)
  const level = state === null ? 'warning' : state.late ? 'danger' : 'ok'
  return { code: 'files.backup', level, params: { hours } }
}

/** Whether it answers and is this desk's; and what has waited for it for long. Nothing where files are kept in the folder alone. */
async function bucket({ config, db }: CheckContext): Promise<readonly CheckFinding[]> {
  const far = getBucket(config.s3)
  if (!far) return []
  const [row] = await getSql(db)<{ count: number }[]>`
    select count(*)::int as count from media
    where kept_in = 'waiting' and owner <> 'gone' and created_at < now() - interval '1 hour'`
  const count = row?.count ?? 0
  const answer = await Promise.race([
    ownsBucketNow({ db }, far).catch(() => null),
    Bun.sleep(BUCKET_MS).then(() => null),
  ])
  return [
    answer === false
      ? { code: 'files.otherDesk', level: 'danger', params: {} }
      : { code: 'files.bucket', level: answer ? 'ok' : 'danger', params: {} },
    { code: 'files.waiting', level: toLevel(count, { warning: 1 }), params: { count } },
  ]
}

async function pending({ db }: CheckContext): Promise<CheckFinding> {
  const [row] = await getSql(db)<{ count: number }[]>`
    select count(*)::int as count from message
    where media->>'state' = 'pending' and created_at < now() - interval '1 hour'`
  const count = row?.count ?? 0
  return { code: 'files.pending', level: toLevel(count, { warning: 1 }), params: { count } }
}
