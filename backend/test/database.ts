// A database of its own for every test file: cloned from a migrated template on the server that TEST_PG names.
import { afterAll } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeWorkingHours } from '../src/app/seed/always-open.ts'
import { closeDatabase, type Db, openDatabase } from '../src/platform/database/client.ts'
import { type EmbeddedPostgres, ensurePostgres } from '../src/platform/database/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createLogger } from '../src/platform/logger.ts'
import { makeJobTables } from '../src/platform/worker/run.ts'
import { cloneTemplate, makeTemplate, runOnServer, toDatabaseUrl } from './template.ts'

const TEMPLATE = 'balcao_template'
const WITH_JOBS = 'balcao_template_with_jobs'

export interface TestDatabase {
  readonly url: string
  readonly db: Db
  /** Done before the database goes, last registered first: hooks of the file itself would come too late. */
  beforeDrop(work: () => Promise<void> | void): void
  drop(): Promise<void>
}

/** A fresh, migrated database; it is dropped after the file's tests. `jobs`: with the tables that a server makes as it starts. */
export async function createTestDatabase({ jobs = false } = {}): Promise<TestDatabase> {
  const template = jobs ? WITH_JOBS : TEMPLATE
  await makeTemplate(await testServer(), template, async url => {
    await migrate(url)
    await removeWorkingHours(url)
    if (jobs) await makeJobTables({ url, log: createLogger({ logLevel: 'silent' }) })
  })
  return databaseOf(cloneTemplate(template))
}

/** The same without any tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return databaseOf('')
}

async function databaseOf(origin: string): Promise<TestDatabase> {
  const server = await testServer()
  const name = `test_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`
  await runOnServer(server, sql => sql.unsafe(`create database ${name} ${origin}`))
  const url = toDatabaseUrl(server, name)
  const db = openDatabase(url)
  const ending: (() => Promise<void> | void)[] = []
  const made: TestDatabase = {
    url,
    db,
    beforeDrop(work) {
      ending.unshift(work)
    },
    async drop() {
      for (const work of ending) await work()
      await closeDatabase(db)
      await runOnServer(server, sql => sql.unsafe(`drop database if exists ${name} with (force)`))
    },
  }
  afterAll(async () => {
    await made.drop()
    living--
    if (living === 0) await stopOwnServer()
  }, 60_000)
  living++
  return made
}

/** Databases of this file; the server goes with the last one. */
let living = 0
let own: Promise<{ engine: EmbeddedPostgres; home: string }> | undefined

/** TEST_PG, or for a file run by hand a server of its own. */
async function testServer(): Promise<string> {
  if (process.env.TEST_PG) return process.env.TEST_PG
  own ??= mkdtemp(join(tmpdir(), 'balcao-test-pg-')).then(async home => {
    await chmod(home, 0o711)
    return { home, engine: await ensurePostgres({ dataDir: join(home, 'pg'), test: true }) }
  })
  return (await own).engine.url
}

/** Ends the server of our own after each file: `bun test` tells nobody when it ends. */
async function stopOwnServer(): Promise<void> {
  const running = await own
  own = undefined
  await running?.engine.stop()
  for (const folder of running ? [running.engine.folder, running.home] : [])
    await rm(folder, { recursive: true, force: true })
}
