// The Postgres server of the benchmarks: durable as in production, kept under .cache/bench (or BENCH_CACHE) so that seeded databases last.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeWorkingHours } from '@balcao/backend/app/seed/always-open'
import { ensurePostgres } from '@balcao/backend/platform/database/embedded'
import { migrate } from '@balcao/backend/platform/database/migrate'
import postgres from 'postgres'

const CACHE = process.env.BENCH_CACHE ?? join(import.meta.dir, '../../.cache/bench')

/** Of databases that are dropped after use. */
const PREFIX = 'bench'

let running: ReturnType<typeof ensurePostgres> | undefined

/** Address of the server's own database; started at the first call. BENCH_PG names another server. */
export async function getEngineUrl(): Promise<string> {
  if (process.env.BENCH_PG) return process.env.BENCH_PG
  running ??= startEngine()
  return (await running).url
}

async function startEngine(): ReturnType<typeof ensurePostgres> {
  const engine = await ensurePostgres({ dataDir: CACHE })
  // Of a server that runs already another run may be at work on them.
  if (!engine.wasRunning) await dropLeftDatabases(engine.url)
  return engine
}

/** Databases of runs that were ended in the middle; those that are kept for the next run have other names. */
export async function dropLeftDatabases(url: string, prefix = PREFIX): Promise<void> {
  const left = await runOnServer(url, `select datname from pg_database where datname ~ '^${prefix}_.+_[0-9a-f]{8}$'`)
  for (const { datname } of left) await runOnServer(url, `drop database if exists ${datname} with (force)`)
}

export async function stopEngine(): Promise<void> {
  await (await running)?.stop()
}

/** Ends the server, has the system forget what it read of its files, and starts it again. Throws for one of `BENCH_PG`. */
export async function restartCold(): Promise<void> {
  if (!running) throw new Error('Only the server of the benchmarks can be made cold, not one of BENCH_PG.')
  const { folder } = await running
  await stopEngine()
  // A file read for nothing by who says that it will not read it again.
  const forget = ['dd', 'if={}', 'iflag=nocache', 'count=0', 'status=none']
  const child = Bun.spawn(['find', folder, '-type', 'f', '-size', '+100k', '-exec', ...forget, ';'])
  if ((await child.exited) !== 0) throw new Error('The system did not forget what it read of the database.')
  running = startEngine()
  await running
}

export function toDatabaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Runs something on a database of its own, migrated and dropped afterwards; `copyOf`: begun as a copy of one nobody is connected to. */
export async function withDatabase<T>(purpose: string, body: (url: string) => Promise<T>, copyOf?: string): Promise<T> {
  const server = await getEngineUrl()
  const name = `${PREFIX}_${purpose}_${crypto.randomUUID().slice(0, 8)}`
  await runOnServer(server, `create database ${name}${copyOf === undefined ? '' : ` template ${copyOf}`}`)
  try {
    const url = toDatabaseUrl(server, name)
    await migrate(url)
    await removeWorkingHours(url)
    return await body(url)
  } finally {
    await runOnServer(server, `drop database if exists ${name} with (force)`)
  }
}

/** Runs something with a folder of its own, removed afterwards. */
export async function withFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(process.env.BALCAO_TEMPORARY ?? tmpdir(), 'balcao-bench-'))
  try {
    return await body(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One statement on the server's own database. */
export async function runOnServer(url: string, statement: string): Promise<readonly postgres.Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
