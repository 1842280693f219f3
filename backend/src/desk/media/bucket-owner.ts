// Whose the bucket is: an object in it names the desk that writes there. A copy of a desk (a dump that was loaded elsewhere, a backup that
// was restored to be looked at) that was given the same bucket and prefix would remove what the living desk still needs, and be content.
import type { Db } from '../../platform/database/client.ts'
import { getSqlState } from '../../platform/database/faults.ts'
import { getSql } from '../../platform/database/raw.ts'
import { type Bucket, createFilesAwayError } from './bucket.ts'
import type { MediaStorage } from './storage.ts'

/** Beside the files, whose names are longer. */
export const MARK = 'desk'
/** What was seen is believed for as long: another desk that takes the bucket over is noticed then. */
const BELIEVED_MS = 60_000

type DatabaseHolder = Pick<MediaStorage, 'db'>

const seen = new WeakMap<Bucket, { readonly desk: string; readonly isOurs: boolean; readonly until: number }>()

/** Whether this desk may write to the bucket, which becomes its own where it is nobody's. Throws `ERR_FILES_AWAY`. */
export async function ownsBucket(place: DatabaseHolder, bucket: Bucket): Promise<boolean> {
  const known = seen.get(bucket)
  if (known && known.until > Date.now() && known.desk === (await identifyDesk(place.db))) return known.isOurs
  return ownsBucketNow(place, bucket)
}

/** The same, asked of the bucket whatever was seen before: whether it answers. Throws `ERR_FILES_AWAY`. */
export async function ownsBucketNow({ db }: DatabaseHolder, bucket: Bucket): Promise<boolean> {
  const desk = await identifyDesk(db)
  const marked = await bucket.small(MARK)
  if (marked === null) await bucket.note(MARK, desk)
  const isOurs = marked === null || new TextDecoder().decode(marked) === desk
  seen.set(bucket, { desk, isOurs, until: Date.now() + BELIEVED_MS })
  return isOurs
}

/** Throws `ERR_FILES_AWAY` where the bucket is another desk's, or cannot be asked. */
export async function checkBucketOwnership(place: DatabaseHolder, bucket: Bucket): Promise<void> {
  if (!(await ownsBucket(place, bucket))) throw createFilesAwayError(new OtherDeskError())
}

/** The bucket is this desk's from now on: another one that used it writes there no more. Throws `ERR_FILES_AWAY`. */
export async function takeOverBucket({ db }: DatabaseHolder, bucket: Bucket): Promise<void> {
  await bucket.note(MARK, await identifyDesk(db))
  seen.delete(bucket)
}

/** Whether files cannot be put into the bucket because it is another desk's. */
export function isOtherDesk(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof OtherDeskError
}

export class OtherDeskError extends Error {
  override readonly name = 'OtherDeskError'

  constructor() {
    super(
      'The bucket is marked as another desk’s: npm run files -- take-over, or give this one an S3_PREFIX of its own',
    )
  }
}

const desks = new WeakMap<Db, string>()

/** A database is known by its server and its number there: a standby that takes over is the same, one that was loaded from a dump is not. */
async function identifyDesk(db: Db): Promise<string> {
  const known = desks.get(db) ?? (await readDesk(db))
  desks.set(db, known)
  return known
}

async function readDesk(db: Db): Promise<string> {
  const [row] = await getSql(db)<{ oid: string }[]>`
    select oid::text as oid from pg_database where datname = current_database()`
  return `${await identifyServer(db)}-${row?.oid}`
}

/** Not every managed server lets itself be asked. */
async function identifyServer(db: Db): Promise<string> {
  try {
    const [row] = await getSql(db)<{ id: string }[]>`select system_identifier::text as id from pg_control_system()`
    return row?.id ?? ''
  } catch (error) {
    if (getSqlState(error) === '42501') return ''
    throw error
  }
}
