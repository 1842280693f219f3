// A backup of very many messages while customers write: how long it takes, how large it is, what the customers wait; then it is verified
// and restored, row by row and byte by byte.
import { join } from 'node:path'
import { storeMedia } from '@balcao/backend/desk/media/store'
import { openFileSource } from '@balcao/backend/operations/backup/folder'
import { restoreBackup } from '@balcao/backend/operations/backup/restore'
import { verifyBackup } from '@balcao/backend/operations/backup/verify'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { getEngineUrl, runOnServer, toDatabaseUrl, withFolder } from './engine.ts'
import { measureGraph } from './latency.ts'
import { computePercentile, watchMost } from './measure.ts'
import { DATA_KEY } from './people.ts'
import { measureMemory } from './processes.ts'
import { openSeededDatabase } from './seeded.ts'

const MB = 1024 * 1024
const KEY = 'a key of the benchmarks, long enough'
/** Pictures and documents: bytes that cannot be packed. */
const FILES = 400
const FILE_BYTES = 100_000
const MAIN = join(import.meta.dir, '../../cli/src/main.ts')

export const backup: Benchmark = {
  name: 'backup',
  about: 'a backup of 2,000,000 messages (--tickets: half of them) while customers write, verified and restored',
  onlyByName: true,
  async run(options) {
    const { url, close } = await openSeededDatabase(readNumberOption(options, 'tickets', 1_000_000))
    await close()
    return withFolder(folder =>
      withDesk({ cloud: 4, baileys: 0, copyOf: new URL(url).pathname.slice(1) }, async desk => {
        await addFiles(desk)
        const quiet = await measureGraph(desk, options)
        let writing: Promise<BackupMeasurement> | undefined
        const times = await measureGraph(desk, options, () => {
          writing = runBackup(desk, join(folder, 'under-load.backup'))
        })
        const underLoad = await writing
        const alone = await runBackup(desk, join(folder, 'alone.backup'))
        const [size] = await desk.sql<{ mb: number; messages: number }[]>`
          select pg_database_size(current_database())::float8 / ${MB} as mb, (select count(*)::int from message) as messages`
        const figures: Figure[] = [
          { label: 'messages in it', value: size?.messages ?? 0, unit: '' },
          {
            ...{ label: 'written while customers write', value: underLoad?.seconds ?? Number.NaN, unit: 's' },
            reference: { label: 'while nobody writes', value: alone.seconds },
          },
          {
            ...{ label: 'the backup, encrypted', value: alone.bytes / MB, unit: 'MB' },
            reference: {
              label: 'database with its indexes, and files',
              value: (size?.mb ?? 0) + (FILES * FILE_BYTES) / MB,
            },
          },
          { label: 'most memory of the process that writes it', value: alone.peak / MB, unit: 'MB', aim: 250 },
          {
            ...{
              label: 'Graph webhook to socket meanwhile, p99',
              value: computePercentile(times, 0.99),
              unit: 'ms',
              aim: 150,
            },
            reference: { label: 'without a backup', value: computePercentile(quiet, 0.99) },
          },
        ]
        // The one that was written while rows came and changed: both compare it with what was counted and hashed then.
        return [...figures, ...(await readBack(join(folder, 'under-load.backup'), folder))]
      }),
    )
  },
}

async function addFiles({ databaseUrl, dataDir, sql }: BenchDesk): Promise<void> {
  const db = openDatabase(databaseUrl, { max: 2 })
  for (let n = 0; n < FILES; n++) await storeMedia({ db, dataDir }, randomBytes(), { name: `${n}.bin`, most: 10 * MB })
  await sql`update media set owner = 'message'`
  await closeDatabase(db)
}

async function* randomBytes(): AsyncGenerator<Uint8Array> {
  for (let left = FILE_BYTES; left > 0; left -= 50_000) yield crypto.getRandomValues(new Uint8Array(50_000))
}

interface BackupMeasurement {
  readonly seconds: number
  readonly bytes: number
  readonly peak: number
}

/** As an operator does it: a process of its own, from its start to its end. */
async function runBackup({ databaseUrl, dataDir }: BenchDesk, path: string): Promise<BackupMeasurement> {
  const begun = performance.now()
  const child = Bun.spawn([process.execPath, MAIN, 'backup', 'create', path], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATA_KEY, BALCAO_BACKUP_KEY: KEY },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const held = watchMost(() => measureMemory(child.pid).catch(() => 0))
  const errors = await new Response(child.stderr).text()
  const peak = held.stop()
  if ((await child.exited) !== 0) throw new Error(`The backup failed: ${errors}`)
  return { seconds: (performance.now() - begun) / 1000, bytes: Bun.file(path).size, peak }
}

/** Both compare every row and every byte, and throw at the first that is another. */
async function readBack(path: string, folder: string): Promise<Figure[]> {
  const source = await openFileSource(path)
  const server = await getEngineUrl()
  const verifying = performance.now()
  await verifyBackup({ source, key: KEY, dataDir: folder, serverUrl: server })
  const restoring = performance.now()
  const name = `bench_restored_${crypto.randomUUID().slice(0, 8)}`
  await runOnServer(server, `create database ${name}`)
  try {
    const into = { databaseUrl: toDatabaseUrl(server, name), dataDir: join(folder, 'restored') }
    await restoreBackup({ source, key: KEY, ...into, hasBucket: false, dataKey: DATA_KEY, dataKeyIsGiven: true })
  } finally {
    await runOnServer(server, `drop database if exists ${name} with (force)`)
  }
  return [
    {
      label: 'the one written meanwhile, verified: restored and compared',
      value: (restoring - verifying) / 1000,
      unit: 's',
    },
    { label: 'the same, restored and compared', value: (performance.now() - restoring) / 1000, unit: 's' },
  ]
}
