// Updating while the desk is at work (docs/installing.md): what a table must wait for makes nobody else wait.
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createBackup } from '../src/operations/backup/create.ts'
import { pickSecrets } from '../src/operations/backup/secrets.ts'
import { readConfig } from '../src/platform/config.ts'
import { MIGRATIONS, migrate } from '../src/platform/database/migrate.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY } from './desk-world.ts'
import { waitUntil } from './until.ts'

const { db, url } = await createTestDatabase()
const sql = db.$client
const home = await mkdtemp(join(tmpdir(), 'balcao-migrate-test-'))
afterAll(() => rm(home, { recursive: true, force: true }))
const messages: string[] = []
const tell = (text: string) => void messages.push(text)

beforeEach(() => {
  messages.length = 0
})

test('who misses nothing waits for nobody', async () => {
  await using holder = await holding('select pg_advisory_lock(7114001)')
  await migrate(url, tell)
  expect(messages).toEqual([])
  await holder.free()
})

test('an older version on newer tables changes nothing, and says so', async () => {
  const older = await newerBy('select 1')
  const journal = await Bun.file(join(older, 'meta/_journal.json')).json()
  await Bun.write(
    join(older, 'meta/_journal.json'),
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, 50) }),
  )
  await migrate(url, tell, { migrationsFolder: older })
  expect(messages).toEqual([expect.stringContaining('newer version')])
})

test('while a long report holds a table it is tried again and again, and others read on', async () => {
  await using holder = await holding('begin; select from "user"')
  const update = migrate(url, tell, { migrationsFolder: await newerBy('alter table "user" add column later integer') })
  await waitUntil('it is said that it waits', () => messages.length === 1)
  for (let n = 0; n < 20; n++) await readQuickly('user')
  await holder.free()
  await update
  expect([...(await sql`select later from "user"`)]).toEqual([])
}, 60_000)

test('who gives way where two wait for each other tries again', async () => {
  await sql`create sequence attempts`
  await migrate(url, tell, {
    migrationsFolder: await newerBy(`do $$ begin
      if nextval('attempts') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
    end $$`),
  })
  expect([...(await sql`select last_value::int as n from attempts`)]).toEqual([{ n: 2 }])
  expect(messages).toHaveLength(1)
}, 60_000)

test('a backup that is written keeps its tables: the update waits, and others read on', async () => {
  // More than goes out in one piece.
  await sql`insert into setting (key, value)
    select 'filled', string_agg(md5(random()::text), '') from generate_series(1, 200000)`
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const write = () => {
    reached.resolve()
    return goOn.promise
  }
  const config = readConfig({ DATA_DIR: home, DATA_KEY })
  const backup = createBackup({
    ...{ databaseUrl: url, dataDir: home, bucket: null, version: config.version, secrets: pickSecrets(config) },
    ...{ key: null, where: 'nowhere' },
    sink: async () => ({ write, finish: async () => {}, abort: async () => {} }),
  })
  await Promise.race([reached.promise, backup])
  const update = migrate(url, tell, { migrationsFolder: await newerBy('alter table queue add column later integer') })
  await waitUntil('it is said that it waits', () => messages.length === 1)
  for (let n = 0; n < 20; n++) await readQuickly('queue')
  expect(messages).toHaveLength(1)
  goOn.resolve()
  const [{ manifest }] = await Promise.all([backup, update])
  expect(manifest.tables.length).toBeGreaterThan(30)
  expect([...(await sql`select later from queue`)]).toEqual([])
}, 60_000)

/** The migrations there are and one more. */
async function newerBy(statement: string): Promise<string> {
  const folder = await mkdtemp(join(home, 'migrations-'))
  await cp(MIGRATIONS, folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal: { entries: { idx: number; when: number; tag: string }[] } = await Bun.file(path).json()
  const last = journal.entries.at(-1)
  if (!last) throw new Error('There are no migrations')
  newer++ // beyond those of the tests before
  journal.entries.push({ ...last, idx: last.idx + newer, when: last.when + newer, tag: 'newer' })
  await Bun.write(path, JSON.stringify(journal))
  await Bun.write(join(folder, 'newer.sql'), statement)
  return folder
}
let newer = 0

/** A session of its own that has run this and ends with `free`. */
async function holding(statements: string) {
  const own = postgres(url, { max: 1, onnotice: () => {} })
  await own.unsafe(statements)
  const free = () => own.end({ timeout: 1 })
  return { free, [Symbol.asyncDispose]: free }
}

/** Throws when it has to wait for longer than an attempt to change the table may take. */
async function readQuickly(table: string): Promise<void> {
  await sql.begin(async tx => {
    await tx`set local statement_timeout = '4s'`
    await tx`select from ${tx(table)}`
  })
  await Bun.sleep(100)
}
