// The process of `apart.ts`: told what to write on its first line, it says at its end what became of it. When whoever started it goes,
// it ends and leaves nothing.
import { splitLines } from '@balcao/formats/subprocess/lines'
import { getBucket } from '../../desk/media/bucket.ts'
import type { SubprocessBackup, SubprocessResult } from './apart.ts'
import { createBackup } from './create.ts'
import { BackupFault } from './fault.ts'
import { getBackupStorage } from './open-storage.ts'

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort(new Error(signal)))
const lines = splitLines(Bun.stdin.stream())
const { value: first = '' } = await lines.next()
lines.next().then(
  () => ending.abort(new Error('Nobody waits for it')),
  error => ending.abort(error),
)
await Bun.write(Bun.stdout, JSON.stringify(await write(JSON.parse(first))))
process.exit(0)

async function write({ databaseUrl, config, secrets, name, first }: SubprocessBackup): Promise<SubprocessResult> {
  const { backup, dataDir, s3, version } = config
  const place = getBackupStorage(backup)
  if (place === null) throw new Error('A daily backup has a place')
  try {
    const made = await createBackup({
      ...{ databaseUrl, dataDir, version, secrets, bucket: getBucket(s3), key: backup.key },
      ...{ where: place.where(name), sink: () => place.sink(name, first) },
      ...{ daily: true, gentle: true, signal: ending.signal },
    })
    return { made }
  } catch (error) {
    if (error instanceof BackupFault) return { code: error.code, params: error.params }
    throw error
  }
}
