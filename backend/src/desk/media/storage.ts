// Where files are: their rows, the folder, and the bucket that keeps them for good where there is one.
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { type Bucket, type BucketReader, getBucket } from './bucket.ts'

export interface MediaStorage {
  readonly db: Db
  /** The folder DATA_DIR. */
  readonly dataDir: string
  readonly bucket?: Bucket | null
}

/** As much of it as whoever reads a file needs. */
export interface ReadStorage extends Pick<MediaStorage, 'db' | 'dataDir'> {
  readonly bucket?: BucketReader | null
}

export function createMediaStorage({ db, config }: { readonly db: Db; readonly config: Config }): MediaStorage {
  return { db, dataDir: config.dataDir, bucket: getBucket(config.s3) }
}

/** For reads that somebody waits for. */
export function toReadStorage({ db, dataDir, bucket }: MediaStorage): ReadStorage {
  return { db, dataDir, bucket: bucket?.forPeople ?? null }
}
