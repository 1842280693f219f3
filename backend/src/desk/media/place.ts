// Where files are: their rows, the folder, and the bucket that keeps them for good where there is one.
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { type Bucket, bucketOf, type Reads } from './bucket.ts'

export interface MediaPlace {
  readonly db: Db
  /** The folder DATA_DIR. */
  readonly dataDir: string
  readonly bucket?: Bucket | null
}

/** As much of it as whoever reads a file needs. */
export interface ReadPlace extends Pick<MediaPlace, 'db' | 'dataDir'> {
  readonly bucket?: Reads | null
}

export function placeOf({ db, config }: { readonly db: Db; readonly config: Config }): MediaPlace {
  return { db, dataDir: config.dataDir, bucket: bucketOf(config.s3) }
}

/** For reads that somebody waits for. */
export function forPeople({ db, dataDir, bucket }: MediaPlace): ReadPlace {
  return { db, dataDir, bucket: bucket?.forPeople ?? null }
}
