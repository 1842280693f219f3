// Files of this machine's installation, for commands of whoever runs it. The desk may run meanwhile.
import { ConfigError } from '../../platform/config-error.ts'
import { withDatabaseHere } from '../../platform/database/here.ts'
import type { Bucket } from './bucket.ts'
import { isAway } from './far.ts'
import { isOtherDesk, takeOver } from './mark.ts'
import { countFiles, type Moved, type MoveOptions, moveFiles } from './move.ts'
import { type MediaPlace, placeOf } from './place.ts'

type Env = Readonly<Record<string, string | undefined>>

/** How many files are kept where. Throws `ConfigError`, `NoDatabaseHere`. */
export function countHere(env: Env): ReturnType<typeof countFiles> {
  return onPlace(env, countFiles)
}

/** Moves them; the signal ends it between two files. Throws the same, and `ERR_FILES_AWAY`. */
export function moveHere(env: Env, options: MoveOptions): Promise<Moved> {
  return onPlace(env, place => {
    bucketIn(place)
    return moveFiles(place, options)
  })
}

/** The bucket is this desk's from now on. Throws the same. */
export function takeOverHere(env: Env): Promise<void> {
  return onPlace(env, place => takeOver(place, bucketIn(place)))
}

/** What kept it from being done, where somebody can mend it. */
export function whyNotHere(error: unknown): 'bucketMissing' | 'otherDesk' | 'bucketAway' | null {
  if (error instanceof BucketMissing) return 'bucketMissing'
  if (isOtherDesk(error)) return 'otherDesk'
  return isAway(error) ? 'bucketAway' : null
}

class BucketMissing extends ConfigError {
  constructor() {
    super(['S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set'])
  }
}

function bucketIn({ bucket }: MediaPlace): Bucket {
  if (!bucket) throw new BucketMissing()
  return bucket
}

function onPlace<T>(env: Env, work: (place: MediaPlace) => Promise<T>): Promise<T> {
  return withDatabaseHere(env, ({ db, config }) => work(placeOf({ db, config })))
}
