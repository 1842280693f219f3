// Backups in a bucket of any store that speaks S3: one object each, which is there once it is whole.
import { MB } from '@balcao/contract'
import { type BucketSettings, getBucket } from '../../desk/media/bucket.ts'
import { BackupFault } from './fault.ts'
import { type BackupSource, type BackupStorage, hasBackupName } from './storage.ts'

/** More than what is usual: an object has at most ten thousand of them. */
const PART_BYTES = 16 * MB
const PAGE = 1000

export interface BucketBackupStorage extends BackupStorage {
  source(name: string): Promise<BackupSource>
}

/** Names lie below the settings' prefix. */
export function createBucketStorage(settings: BucketSettings): BucketBackupStorage {
  const { prefix, ...options } = settings
  const client = new Bun.S3Client(options)
  const where = (name: string) => `s3://${settings.bucket}/${prefix}${name}`

  /** What the store refuses is said with its word for it. */
  async function withStoreError<T>(name: string, work: Promise<T>): Promise<T> {
    return work.catch(error => {
      const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      throw new BackupFault('BACKUP_NO_PLACE', { where: where(name), why }, { cause: error })
    })
  }

  return {
    where,
    async sink(name) {
      const file = client.file(prefix + name)
      if (await withStoreError(name, file.exists())) throw new BackupFault('BACKUP_THERE', { where: where(name) })
      const writer = file.writer({ partSize: PART_BYTES, queueSize: 2, retry: 3 })
      let written = 0
      return {
        async write(bytes) {
          written += bytes.length
          await withStoreError(name, Promise.all([writer.write(bytes), writer.flush()]))
        },
        async finish() {
          await withStoreError(name, Promise.resolve(writer.end()))
          const { size } = await withStoreError(name, file.stat())
          if (size === written) return
          // It would count among those that are kept, and be taken for a good one.
          await withStoreError(name, client.delete(prefix + name))
          throw new BackupFault('BACKUP_NO_PLACE', { where: where(name), why: `${size} < ${written} B` })
        },
        // Without an end there is no object; parts that came are the store's to throw away.
        abort: async () => {},
      }
    },
    async names(beginning) {
      const names: string[] = []
      for (let startAfter: string | undefined; ; ) {
        const request = { prefix: prefix + beginning, maxKeys: PAGE, ...(startAfter !== undefined && { startAfter }) }
        const { contents = [], isTruncated } = await withStoreError('', client.list(request))
        names.push(...contents.map(({ key }) => key.slice(prefix.length)).filter(hasBackupName))
        startAfter = contents.at(-1)?.key
        if (!isTruncated || startAfter === undefined) return names.sort()
      }
    },
    async remove(name) {
      await withStoreError(name, client.delete(prefix + name))
    },
    async source(name) {
      const { size } = await withStoreError(name, client.file(prefix + name).stat())
      const bucket = getBucket(settings)
      if (!bucket) throw new Error('There are settings, so there is a bucket')
      return { where: where(name), size, stream: () => bucket.read(name, size) }
    },
  }
}
