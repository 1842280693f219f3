// Where files are: their rows, the folder, and the bucket that keeps them for good where there is one.
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { type Bucket, bucketOf } from './bucket.ts'

export interface MediaPlace {
  readonly db: Db
  /** The folder DATA_DIR. */
  readonly dataDir: string
  readonly bucket?: Bucket | null
}

export function placeOf({ db, config }: { readonly db: Db; readonly config: Config }): MediaPlace {
  return { db, dataDir: config.dataDir, bucket: bucketOf(config.s3) }
}
