// A release, made as for an installation and moved elsewhere: it runs from its bundle, and does there what needs processes, fonts,
// migrations and pages.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { APP_SECRET, postWebhook } from '@balcao/simulator/graph/post-webhook'
import { HEADS, makeSheetForm } from '../../backend/test/contact-sheet-desk.ts'
import { createEmptyDatabase } from '../../backend/test/database.ts'
import { freePort } from '../../backend/test/desk-process.ts'
import { type SignedInPerson, signInPerson } from '../../backend/test/desk-server.ts'
import { DATA_KEY, makeOfficialLine, makePerson } from '../../backend/test/desk-world.ts'
import { readPdf } from '../../backend/test/pdf-reader.ts'
import { createReportClient } from '../../backend/test/report-files.ts'
import { waitUntil } from '../../backend/test/until.ts'
import { measureMemory } from '../../bench/src/processes.ts'
import { SERVER_BUNDLE, SERVER_PROGRAMS } from '../bundle.ts'

const ROOT = join(import.meta.dir, '../..')
const START_MS = 120_000
const MAKE_MS = 600_000
/** What a server holds is weighed as the least of these seconds: one that was just started has its compiler's garbage. */
const SETTLE_MS = 6000

const { db, url: databaseUrl } = await createEmptyDatabase()
const sql = db.$client
const home = await mkdtemp(join(tmpdir(), 'balcao-release-'))
const release = join(home, 'moved')
const backups = join(home, 'backups')
let desk: Desk
let marina: SignedInPerson

interface Desk {
  readonly url: string
  readonly pid: number
  /** What it said. */
  read(): Promise<string>
  stop(): Promise<void>
}

beforeAll(async () => {
  const made = join(home, 'made')
  const flags = ['--without-chromium', '--without-postgres']
  const packing = Bun.spawn([process.execPath, 'scripts/package.ts', made, ...flags], { cwd: ROOT, stdout: 'ignore' })
  expect(await packing.exited).toBe(0)
  await rename(made, release)
  // What the server starts can only be found in the bundle.
  for (const { script } of SERVER_PROGRAMS) if (!script.endsWith('/main.ts')) await rm(join(release, script))
  desk = await startDesk(SERVER_BUNDLE)
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  marina = await signInPerson(desk.url, 'Marina')
}, MAKE_MS)

afterAll(async () => {
  await desk?.stop()
  await rm(home, { recursive: true, force: true })
}, 60_000)

test('it brings its database up to its version and serves its pages', async () => {
  const migrations = (await readdir(join(ROOT, 'backend/migrations'))).filter(name => name.endsWith('.sql'))
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from drizzle.__drizzle_migrations`
  expect(row?.n).toBe(migrations.length)
  const page = await fetch(desk.url, { headers: { accept: 'text/html' } })
  expect([page.status, (await page.text()).includes('<html')]).toEqual([200, true])
  const remotes: { entry: string }[] = await (await fetch(`${desk.url}/remotes.json`)).json()
  expect(remotes.length).toBeGreaterThan(2)
  for (const { entry } of remotes) expect((await fetch(new URL(entry, desk.url))).status).toBe(200)
})

test('it takes a webhook, reads a sheet, and draws a report as PDF and as a workbook', async () => {
  const line = await makeOfficialLine(db)
  const message = { whatsappId: line, phoneNumberId: '5501', from: '5531987600001', id: 'wamid.first', body: 'Bom dia' }
  await waitUntil('the line takes it', async () => (await postWebhook(desk.url, message)) === 200, START_MS)
  expect(await sql`select body from message where not from_me`).toMatchObject([{ body: 'Bom dia' }])

  const sheet = makeSheetForm([HEADS, ['Ana Prado', '31 98655-4410', '', '', 'sim']])
  const read = await marina.call('POST', '/contacts/import?preview=true', sheet)
  expect([read.status, read.body]).toEqual([200, expect.objectContaining({ created: 1 })])

  const reports = createReportClient(desk)
  const period = { startDate: '2026-01-01', endDate: new Date().toISOString().slice(0, 10) }
  const job = await reports.made('ticket', { ...period, format: 'pdf' }, marina)
  expect([job.state, job.error]).toEqual(['done', null])
  const { pages } = await readPdf(await reports.fileOf(job))
  expect(pages.map(({ text }) => text).join()).toContain('5531987600001')
  const sheets = await reports.sheets('ticket', period, marina)
  expect(JSON.stringify(sheets)).toContain('5531987600001')
})

test('a backup that fails leaves a stack with a source’s name and line, and one that does not is made', async () => {
  await Bun.write(backups, 'a file')
  await beginBackup()
  await waitUntil('it says so', async () => (await desk.read()).includes('the daily backup failed'), START_MS)
  const failure = (await desk.read()).split('\n').find(line => line.includes('the daily backup failed')) ?? ''
  const source = await Bun.file(join(ROOT, 'backend/src/operations/backup/apart.ts')).text()
  const line = source.split('\n').findIndex(each => each.includes('throw new BackupFault')) + 1
  expect(JSON.parse(failure).err.stack).toContain(`${release}/backend/src/operations/backup/apart.ts:${line}`)

  await rm(backups)
  await mkdir(backups)
  await sql`delete from backup`
  await beginBackup()
  await waitUntil(
    'it is made',
    async () => (await sql`select 1 from backup where state = 'done'`).length === 1,
    START_MS,
  )
  expect((await readdir(backups)).length).toBe(1)
}, 300_000)

test('its program writes a backup and verifies it, beside the desk’s database: it came without a Postgres', async () => {
  const file = join(home, 'desk.tar.age')
  for (const command of ['create', 'verify']) {
    const { code, err } = await runProgram('backup', command, file)
    expect([command, code, err]).toEqual([command, 0, expect.any(String)])
  }
  // Those of this database alone: others are verified on the same server.
  const left = await sql`select datname from pg_database
    where starts_with(datname, (select 'balcao_verify_' || oid || '_' from pg_database where datname = current_database()))`
  expect([...left]).toEqual([])
}, 120_000)

test('it holds less memory than from its sources', async () => {
  await desk.stop()
  const held: number[] = []
  for (const script of [SERVER_BUNDLE, 'backend/src/main.ts']) {
    const server = await startDesk(script)
    held.push(await measureLeast(server.pid))
    await server.stop()
  }
  const [bundled = Number.NaN, asSources = Number.NaN] = held
  expect(bundled / asSources).toBeLessThan(0.92)
}, 300_000)

/** Ten minutes are long: as the clock asks for it. */
async function beginBackup(): Promise<void> {
  await sql`select graphile_worker.add_job('daily-backup', '{}'::json)`
}

/** As on a machine that has nothing else of ours. */
function makeEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', TZ = 'UTC' } = process.env
  const data = join(home, 'data')
  return { PATH, TZ, HOME: home, DATABASE_URL: databaseUrl, DATA_DIR: data, DATA_KEY, BACKUP_DIR: backups, ...more }
}

/** A command of the server's machine. */
async function runProgram(...words: string[]): Promise<{ code: number; err: string }> {
  const env = makeEnvironment({ BALCAO_BACKUP_KEY: 'a key that is long enough' })
  const program = [join(release, 'bin/balcao'), ...words]
  const child = Bun.spawn(program, { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const err = await new Response(child.stderr).text()
  return { code: await child.exited, err }
}

async function startDesk(script: string): Promise<Desk> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const said = join(home, `${crypto.randomUUID()}.log`)
  const child = Bun.spawn([join(release, 'bin/bun'), '--smol', join(release, script)], {
    cwd: home,
    env: makeEnvironment({
      PORT: String(port),
      GRAPH_APP_SECRET: APP_SECRET,
      GRAPH_URL: 'http://127.0.0.1:9',
    }),
    stdio: ['ignore', Bun.file(said), 'inherit'],
  })
  const isReady = () =>
    fetch(`${url}/ready`).then(
      answer => answer.ok || child.exitCode !== null,
      () => child.exitCode !== null,
    )
  await waitUntil('it is ready', isReady, START_MS)
  return {
    url,
    pid: child.pid,
    read: () => Bun.file(said).text(),
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

async function measureLeast(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (const end = performance.now() + SETTLE_MS; performance.now() < end; await Bun.sleep(250))
    least = Math.min(least, await measureMemory(pid))
  return least
}
