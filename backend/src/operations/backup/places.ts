// Where the backups of an installation are: by its configuration, or by what somebody names.
import { resolve } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { bucketPlace } from './bucket.ts'
import { BackupFault } from './fault.ts'
import { fileSink, fileSource, folderPlace } from './folder.ts'
import type { Place, Sink, Source } from './place.ts'

type Given = Config['backup']

/** Where backups are made every day; null: nowhere. */
export function placeOf({ to }: Given): Place | null {
  if (to === null) return null
  return 'folder' in to ? folderPlace(to.folder) : bucketPlace(to.s3)
}

/** How what somebody names is written down. */
export function placeNamed(named: string): string {
  return named.startsWith('s3://') ? named : resolve(named)
}

/** A new one where somebody names it: a path, or `s3://bucket/name`. Throws a `BackupFault`. */
export async function sinkAt(given: Given, named: string): Promise<Sink> {
  const far = objectIn(given, named)
  return far ? far.place.sink(far.name) : fileSink(resolve(named))
}

/** One that is there. Throws a `BackupFault`. */
export async function sourceAt(given: Given, named: string): Promise<Source> {
  const far = objectIn(given, named)
  return far ? far.place.source(far.name) : fileSource(resolve(named))
}

function objectIn({ s3 }: Given, named: string) {
  const [, bucket, path = '', name = ''] = /^s3:\/\/([^/]+)\/(.*\/)?([^/]+)$/.exec(named) ?? []
  if (bucket === undefined) return null
  if (s3 === null) throw new BackupFault('BACKUP_NO_STORE', { where: named })
  return { place: bucketPlace({ ...s3, bucket, prefix: path }), name }
}
