// Where the backups of an installation are: by its configuration, or by what somebody names.
import { resolve } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { createBucketStorage } from './bucket.ts'
import { BackupFault } from './fault.ts'
import { createFileSink, createFolderStorage, openFileSource } from './folder.ts'
import type { BackupSink, BackupSource, BackupStorage } from './storage.ts'

type BackupConfig = Config['backup']

/** Where backups are made every day; null: nowhere. */
export function getBackupStorage({ to }: BackupConfig): BackupStorage | null {
  if (to === null) return null
  return 'folder' in to ? createFolderStorage(to.folder) : createBucketStorage(to.s3)
}

/** How what somebody names is written down. */
export function normalizeBackupPath(named: string): string {
  return named.startsWith('s3://') ? named : resolve(named)
}

/** A new one where somebody names it: a path, or `s3://bucket/name`. Throws a `BackupFault`. */
export async function openSink(config: BackupConfig, named: string): Promise<BackupSink> {
  const far = parseObjectAddress(config, named)
  return far ? far.place.sink(far.name) : createFileSink(resolve(named))
}

/** One that is there. Throws a `BackupFault`. */
export async function openSource(config: BackupConfig, named: string): Promise<BackupSource> {
  const far = parseObjectAddress(config, named)
  return far ? far.place.source(far.name) : openFileSource(resolve(named))
}

function parseObjectAddress({ s3 }: BackupConfig, named: string) {
  const [, bucket, path = '', name = ''] = /^s3:\/\/([^/]+)\/(.*\/)?([^/]+)$/.exec(named) ?? []
  if (bucket === undefined) return null
  if (s3 === null) throw new BackupFault('BACKUP_NO_STORE', { where: named })
  return { place: createBucketStorage({ ...s3, bucket, prefix: path }), name }
}
