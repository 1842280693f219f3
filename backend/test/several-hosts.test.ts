// A database on two hosts, a primary and a hot standby (growth): the primary dies while people and customers write, the standby is made
// the primary, and the desk goes on by itself; with synchronous replication nothing that was answered is lost.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from '@balcao/client/session'
import { APP_SECRET, knock } from '@balcao/simulator/graph/knock'
import postgres from 'postgres'
import { openDatabase } from '../src/database/client.ts'
import { addressesIn } from '../src/database/door.ts'
import { type EmbeddedPostgres, ensurePostgres } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { sqlOf } from '../src/database/raw.ts'
import { openAlways } from '../src/seed/always-open.ts'
import { type RunningServer, startServer } from '../src/server.ts'
import { aConnection, aContact, aPerson, aQueue, aTicket, DATA_KEY, emailOf, PASSWORD } from './desk-world.ts'
import { until } from './until.ts'

const WITHIN_MS = 60_000
let root = ''
let primary: EmbeddedPostgres
let standby: EmbeddedPostgres | undefined
let server: RunningServer | undefined

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'balcao-hosts-'))
  await chmod(root, 0o711)
  primary = await ensurePostgres({ dataDir: join(root, 'one'), test: true })
}, 60_000)

afterAll(async () => {
  await server?.stop()
  await standby?.stop()
  await primary.stop()
  await rm(root, { recursive: true, force: true })
}, 60_000)

test('an address names its hosts, with a port each', () => {
  expect(addressesIn('postgres://u:p@db-1:5432,db-2:5433/balcao?sslmode=require')).toEqual([
    'postgres://u:p@db-1:5432/balcao?sslmode=require',
    'postgres://u:p@db-2:5433/balcao?sslmode=require',
  ])
  expect(addressesIn('postgres://db/balcao')).toEqual(['postgres://db/balcao'])
})

test('the primary dies under load and the standby takes its place: the desk goes on, and nothing that was answered is lost', async () => {
  await onServer(primary.url, sql => sql`create database balcao`)
  const one = withName(primary.url)
  await migrate(one)
  await openAlways(one)
  const db = openDatabase(one, { max: 2 })
  const queueId = await aQueue(db, 'Vendas')
  const userId = await aPerson(db, { name: 'Bruna', profile: 'admin', queueIds: [queueId] })
  const line = await aConnection(db, 'Oficial', 'cloud_api')
  await sqlOf(
    db,
  )`update whatsapp set wanted = true, config = '{"phoneNumberId":"5501","wabaId":"9901"}' where id = ${line}`
  const whatsappId = await aConnection(db, 'Celular')
  const contactId = await aContact(db, 'Padaria')
  const ticketId = await aTicket(db, { contactId, whatsappId, status: 'open', queueId, userId })
  await db.$client.end()

  standby = await makeStandby()
  const two = withName(standby.url)
  await followed()
  const hosts = `${new URL(one).host},${new URL(two).host}`
  server = await startServer({
    env: {
      DATABASE_URL: one.replace(new URL(one).host, hosts),
      DATABASE_READ_URL: two,
      DATA_DIR: join(root, 'data'),
      DATA_KEY,
      PORT: '0',
      LOG_LEVEL: 'silent',
      GRAPH_APP_SECRET: APP_SECRET,
      GRAPH_URL: 'http://127.0.0.1:9',
      WHATSAPP_WEB_URL: 'ws://127.0.0.1:9',
      ADMIN_EMAIL: 'dono@saojose.example',
      ADMIN_PASSWORD: PASSWORD,
    },
  })
  const { url } = server
  const bruna = await signIn(url, { email: emailOf('Bruna'), password: PASSWORD })
  const heard = new Set<string>()
  const live = bruna.live({ firstWait: 100 })
  live.on('appMessage', event => 'message' in event && heard.add(event.message.body))
  live.start()

  const queues = async () => (await bruna.api('GET /dashboard/cards')).queues
  const readThere = () =>
    onServer(
      two,
      async sql =>
        (await sql`select 1 from pg_stat_activity where query like '%contact_tally%' and pid <> pg_backend_pid()`)
          .length > 0,
    )
  await until('figures are read from the standby', async () => (await queues()) === 1 && (await readThere()), WITHIN_MS)
  await onServer(two, sql => sql`select pg_wal_replay_pause()`)
  await onServer(one, sql => sql`insert into queue (name, color) values ('Financeiro', '#2C53A4')`)
  await until('a standby that falls behind is not asked', async () => (await queues()) === 2, WITHIN_MS)
  await onServer(two, sql => sql`select pg_wal_replay_resume()`)

  const answered: string[] = []
  let going = true
  const customers = (async () => {
    for (let n = 0; going; n++) {
      const given = { whatsappId: line, phoneNumberId: '5501', from: `55319987600${String(n % 10).padStart(2, '0')}` }
      // As Meta does it: again and again until it is taken.
      while (going && (await knock(url, { ...given, id: `wamid.${n}`, body: `cliente ${n}` })) !== 200)
        await Bun.sleep(50)
      if (going) answered.push(`cliente ${n}`)
    }
  })()
  const agent = (async () => {
    for (let n = 0; going; n++) {
      const body = { body: `atendente ${n}` }
      const sent = await bruna.api('POST /messages/:ticketId', { params: { ticketId }, body }).catch(() => null)
      if (sent) answered.push(body.body)
      await Bun.sleep(20)
    }
  })()
  const more = async (count: number) => {
    const wanted = answered.length + count
    await until(`${count} more are answered`, () => answered.length >= wanted, WITHIN_MS)
  }

  await more(40)
  const [pid] = (await readFile(join(primary.folder, 'cluster/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  // Nobody starts it again.
  await primary.stop()
  const died = performance.now()
  await until('the standby is made the primary', async () => {
    return onServer(two, async sql => (await sql<{ done: boolean }[]>`select pg_promote() as done`)[0]?.done === true)
  })
  await more(1)
  console.log(`Answered again ${((performance.now() - died) / 1000).toFixed(1)} s after the primary died`)
  await more(40)
  going = false
  await Promise.all([customers, agent])
  const kept = await onServer(
    two,
    sql => sql<{ body: string }[]>`select distinct body from message where body = any(${answered})`,
  )
  expect(answered.length - kept.length).toBe(0)
  const [row] = await onServer(
    two,
    sql => sql<{ n: number }[]>`
    select count(*)::int as n from (select from message where body like 'cliente %' group by body having count(*) > 1)`,
  )
  expect(row?.n).toBe(0)
  await until('all are heard', () => answered.every(text => heard.has(text)), WITHIN_MS)
  live.stop()
}, 180_000)

/** A copy of the primary's files, taken while it runs, that follows it. */
async function makeStandby(): Promise<EmbeddedPostgres> {
  const folder = join(root, 'two')
  const cluster = join(folder, 'cluster')
  await mkdir(folder, { recursive: true })
  const sql = postgres(primary.url, { max: 1, onnotice: () => {} })
  await sql`select pg_backup_start('standby', true)`
  await cp(primary.folder, folder, {
    recursive: true,
    filter: from => !/postmaster\.(pid|opts)$|pg_replslot\/.|pg_stat_tmp\/./.test(from),
  })
  const [backup] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`
  await writeFile(join(cluster, 'backup_label'), backup?.labelfile ?? '')
  await writeFile(join(cluster, 'standby.signal'), '')
  const { hostname, port, username, password } = new URL(primary.url)
  const from = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`
  await writeFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
  if (process.getuid?.() === 0) await giveAway(folder)
  await chmod(cluster, 0o700)
  await sql.end()
  return ensurePostgres({ dataDir: folder, test: true })
}

/** From now on what is committed is on both. */
async function followed(): Promise<void> {
  await onServer(primary.url, async sql => {
    await until(
      'the standby follows',
      async () => (await sql`select 1 from pg_stat_replication`).length === 1,
      WITHIN_MS,
    )
    await sql`alter system set synchronous_standby_names = 'standby'`
    await sql`alter database balcao set synchronous_commit = 'on'`
    await sql`select pg_reload_conf()`
    const isSync = async () => (await sql`select 1 from pg_stat_replication where sync_state = 'sync'`).length === 1
    await until('it follows in step', isSync, WITHIN_MS)
  })
}

async function giveAway(folder: string): Promise<void> {
  const NOBODY = 65_534
  await chown(folder, NOBODY, NOBODY)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveAway(path)
    else await chown(path, NOBODY, NOBODY)
  }
}

async function onServer<T>(url: string, work: (sql: postgres.Sql) => Promise<T> | PromiseLike<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 2 })
  }
}

function withName(url: string): string {
  const named = new URL(url)
  named.pathname = '/balcao'
  return named.href
}
