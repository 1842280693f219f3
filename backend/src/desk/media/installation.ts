// Files of this machine's installation, for commands of whoever runs it. The desk may run meanwhile.
import { ConfigError } from '../../platform/config-error.ts'
import { runWithInstallation } from '../../platform/database/installation.ts'
import type { Bucket } from './bucket.ts'
import { isBucketAway } from './bucket-files.ts'
import { isOtherDesk, takeOverBucket } from './bucket-owner.ts'
import { countFiles, type MoveOptions, type MoveProgress, moveFiles } from './move.ts'
import { createMediaStorage, type MediaStorage } from './storage.ts'

type Env = Readonly<Record<string, string | undefined>>

/** How many files are kept where. Throws `ConfigError`, `DatabaseMissingError`. */
export function countInstallationFiles(env: Env): ReturnType<typeof countFiles> {
  return onPlace(env, countFiles)
}

/** Moves them; the signal ends it between two files. Throws the same, and `ERR_FILES_AWAY`. */
export function moveInstallationFiles(env: Env, options: MoveOptions): Promise<MoveProgress> {
  return onPlace(env, place => {
    requireBucket(place)
    return moveFiles(place, options)
  })
}

/** The bucket is this desk's from now on. Throws the same. */
export function takeOverInstallationBucket(env: Env): Promise<void> {
  return onPlace(env, place => takeOverBucket(place, requireBucket(place)))
}

/** What kept it from being done, where somebody can mend it. */
export function classifyFileFault(error: unknown): 'bucketMissing' | 'otherDesk' | 'bucketAway' | null {
  if (error instanceof BucketMissing) return 'bucketMissing'
  if (isOtherDesk(error)) return 'otherDesk'
  return isBucketAway(error) ? 'bucketAway' : null
}

class BucketMissing extends ConfigError {
  constructor() {
    super(['S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set'])
  }
}

function requireBucket({ bucket }: MediaStorage): Bucket {
  if (!bucket) throw new BucketMissing()
  return bucket
}

function onPlace<T>(env: Env, work: (place: MediaStorage) => Promise<T>): Promise<T> {
  return runWithInstallation(env, ({ db, config }) => work(createMediaStorage({ db, config })))
}
