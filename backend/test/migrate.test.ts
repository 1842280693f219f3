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
})

test('who gives way where two wait for each other tries again', async () => {
  await sql`create sequence attempts`
  await migrate(url, tell, {
    migrationsFolder: await newerBy(`do $$ begin
      if nextval('attempts') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
    end $$`),
  })
  expect([...(await sql`select last_value::int as n from attempts`)]).toEqual([{ n: 2 }])
  expect(messages).toHaveLength(1)
})

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
})

const INDEX = `CREATE INDEX CONCURRENTLY IF NOT EXISTS "contact_made" ON "contact" ("created_at")`

test('an index is built while somebody writes into its table, and behind it the next migration', async () => {
  await using writer = await holding(`begin; insert into contact (name) values ('Ana')`)
  const folder = await newerBy(
    'alter table queue add column soon integer',
    INDEX,
    'alter table queue add column after integer',
  )
  const update = migrate(url, tell, { migrationsFolder: folder })
  await waitUntil('it waits for who writes', async () => (await countBuilders()) === 1)
  await sql`insert into contact (name) values ('Bruna')`
  expect([...(await sql`select soon from queue`)]).toEqual([])
  await writer.free()
  await update
  expect(await findIndex('contact_made')).toBe('valid')
  expect([...(await sql`select after from queue`)]).toEqual([])
  expect(messages).toEqual([])
})

test('two processes that start at once build it once, and none waits for the other for ever', async () => {
  await sql`drop index contact_made`
  await using writer = await holding(`begin; insert into contact (name) values ('Ana')`)
  const folder = await newerBy(INDEX)
  const both = [migrate(url, tell, { migrationsFolder: folder }), migrate(url, tell, { migrationsFolder: folder })]
  await waitUntil(
    'one builds, the other says that it waits',
    async () => (await countBuilders()) === 1 && messages.length === 1,
  )
  await writer.free()
  await Promise.all(both)
  expect(await findIndex('contact_made')).toBe('valid')
  const [newest] = await sql<{ n: number }[]>`select count(*)::int as n from drizzle.__drizzle_migrations
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`
  expect(newest?.n).toBe(1)
})

test('killed in the middle, it is built anew by whoever starts next', async () => {
  await sql`drop index contact_made`
  const folder = await newerBy(INDEX, 'drop index concurrently if exists "nothing"')
  const writer = await holding(`begin; insert into contact (name) values ('Ana')`)
  const killed = startMigration(folder)
  await waitUntil('it is half built', async () => (await findIndex('contact_made')) === 'half built')
  killed.kill('SIGKILL')
  await killed.exited
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%contact_made%' and pid <> pg_backend_pid()`
  await waitUntil('nobody builds it', async () => (await countBuilders()) === 0)
  await writer.free()
  expect(await findIndex('contact_made')).toBe('half built')
  await migrate(url, tell, { migrationsFolder: folder })
  expect(await findIndex('contact_made')).toBe('valid')
})

test('an update waits for a table no longer than others may, and builds beside everybody', async () => {
  const names = [...new Bun.Glob('*.sql').scanSync(MIGRATIONS)].filter(name => name > '0080').sort()
  for (const name of names) {
    const text = await Bun.file(join(MIGRATIONS, name)).text()
    const made = [...text.matchAll(/CREATE TABLE "(\w+)"/g)].map(([, table]) => table)
    const statements = text.split('--> statement-breakpoint')
    const indexes = statements.filter(each => /\b(CREATE (UNIQUE )?|DROP )INDEX\b/.test(each))
    const locking = indexes.filter(
      each =>
        !/INDEX CONCURRENTLY IF (NOT )?EXISTS "/.test(each) && !made.some(table => each.includes(`ON "${table}"`)),
    )
    expect([name, locking]).toEqual([name, []])
    // What is done beside the work of others is not undone with the rest.
    if (indexes.some(each => each.includes('CONCURRENTLY'))) expect([name, indexes]).toEqual([name, statements])
  }
})

/** A process of its own that brings the database up to date. */
function startMigration(folder: string) {
  const program = `import { migrate } from '${join(import.meta.dir, '../src/platform/database/migrate.ts')}'
    await migrate(process.env.URL, console.error, { migrationsFolder: process.env.FOLDER })`
  const env = { ...process.env, URL: url, FOLDER: folder }
  return Bun.spawn([process.execPath, '-e', program], { env, stdout: 'ignore', stderr: 'ignore' })
}

async function findIndex(name: string): Promise<'valid' | 'half built' | null> {
  const [row] = await sql<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`
  return row ? (row.valid ? 'valid' : 'half built') : null
}

async function countBuilders(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_progress_create_index where relid = 'contact'::regclass`
  return row?.n ?? 0
}

/** The migrations there are and some more. */
async function newerBy(...statements: string[]): Promise<string> {
  const folder = await mkdtemp(join(home, 'migrations-'))
  await cp(MIGRATIONS, folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal: { entries: { idx: number; when: number; tag: string }[] } = await Bun.file(path).json()
  const last = journal.entries.at(-1)
  if (!last) throw new Error('There are no migrations')
  for (const statement of statements) {
    newer++ // beyond those of the tests before
    const tag = `newer${newer}`
    journal.entries.push({ ...last, idx: last.idx + newer, when: last.when + newer, tag })
    await Bun.write(join(folder, `${tag}.sql`), statement)
  }
  await Bun.write(path, JSON.stringify(journal))
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
