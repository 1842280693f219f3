// A database on two hosts, a primary and a hot standby, behind one address that follows the primary: the primary dies while people and
// customers write, the standby is promoted, and the desk goes on by itself; with synchronous replication nothing that was answered is lost.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from '@balcao/client/session'
import { APP_SECRET, postWebhook } from '@balcao/simulator/graph/post-webhook'
import { removeWorkingHours } from '../src/app/seed/always-open.ts'
import { type RunningServer, startServer } from '../src/app/server.ts'
import { openDatabase } from '../src/platform/database/client.ts'
import { type EmbeddedPostgres, ensurePostgres } from '../src/platform/database/embedded.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { DATA_KEY, makeOfficialLine, makeServedTicket, PASSWORD, toEmail } from './desk-world.ts'
import { followPrimary, type PrimaryAddress } from './primary-address.ts'
import { runOnServer } from './servers.ts'
import { makeStandby, waitUntilInStep } from './standby.ts'
import { waitUntil } from './until.ts'

const WITHIN_MS = 60_000
let root = ''
let primary: EmbeddedPostgres
let standby: EmbeddedPostgres | undefined
let server: RunningServer | undefined
let address: PrimaryAddress | undefined

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'balcao-hosts-'))
  await chmod(root, 0o711)
  primary = await ensurePostgres({ dataDir: join(root, 'one'), test: true })
}, 60_000)

afterAll(async () => {
  await server?.stop()
  address?.close()
  await standby?.stop()
  await primary.stop()
  await rm(root, { recursive: true, force: true })
}, 60_000)

test('the primary dies under load and the standby takes its place: the desk goes on, and nothing that was answered is lost', async () => {
  await runOnServer(primary.url, sql => sql`create database balcao`)
  const one = withName(primary.url)
  await migrate(one)
  await removeWorkingHours(one)
  const db = openDatabase(one, { max: 2 })
  const line = await makeOfficialLine(db)
  const ticketId = await makeServedTicket(db, 'admin')
  await db.$client.end()

  standby = await makeStandby(primary, join(root, 'two'), { test: true })
  const two = withName(standby.url)
  await waitUntilInStep(primary)
  // The tests' servers give durability up; what a standby is to have, it has before it is answered.
  await runOnServer(primary.url, sql => sql`alter database balcao set synchronous_commit = 'on'`)
  address = await followPrimary(one)
  server = await startServer({
    env: {
      DATABASE_URL: address.url,
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
  const bruna = await signIn(url, { email: toEmail('Bruna'), password: PASSWORD })
  const heard = new Set<string>()
  const live = bruna.live({ firstWait: 100 })
  live.on('appMessage', event => 'message' in event && heard.add(event.message.body))
  live.start()

  const queues = async () => (await bruna.api('GET /dashboard/cards')).queues
  const readThere = () =>
    runOnServer(
      two,
      async sql =>
        (await sql`select 1 from pg_stat_activity where query like '%contact_tally%' and pid <> pg_backend_pid()`)
          .length > 0,
    )
  await waitUntil(
    'figures are read from the standby',
    async () => (await queues()) === 1 && (await readThere()),
    WITHIN_MS,
  )

  const reported = async () => {
    const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10)
    const body = { startDate: day(-86_400_000), endDate: day(86_400_000), format: 'xlsx' } as const
    const begun = await bruna.api('POST /report/ticket', { body })
    const job = () => bruna.api('GET /jobs/:id', { params: { id: 'jobId' in begun ? begun.jobId : 0 } })
    await waitUntil('the report is made', async () => (await job()).endedAt !== null, WITHIN_MS)
    expect((await job()).result?.counts.rows).toBe(1)
  }
  const reportsReadThere = () =>
    runOnServer(
      two,
      async sql =>
        (
          await sql`select 1 from pg_stat_activity where application_name = 'balcao-work' and query like '%from protocol p%'`
        ).length > 0,
    )
  const readAReportThere = async () => {
    await reported()
    return reportsReadThere()
  }
  await waitUntil('a report is read from the standby', readAReportThere, WITHIN_MS)

  const answered: string[] = []
  let going = true
  const customers = (async () => {
    for (let n = 0; going; n++) {
      const sender = { whatsappId: line, phoneNumberId: '5501', from: `55319987600${String(n % 10).padStart(2, '0')}` }
      // As Meta does it: again and again until it is taken.
      while (going && (await postWebhook(url, { ...sender, id: `wamid.${n}`, body: `cliente ${n}` })) !== 200)
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
    await waitUntil(`${count} more are answered`, () => answered.length >= wanted, WITHIN_MS)
  }

  await more(40)
  const [pid] = (await readFile(join(primary.folder, 'cluster/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  // Nobody starts it again.
  await primary.stop()
  const died = performance.now()
  await waitUntil('the standby is made the primary', async () => {
    return runOnServer(
      two,
      async sql => (await sql<{ done: boolean }[]>`select pg_promote() as done`)[0]?.done === true,
    )
  })
  address.follow(two)
  await more(1)
  console.log(`Answered again ${((performance.now() - died) / 1000).toFixed(1)} s after the primary died`)
  await more(40)
  going = false
  await Promise.all([customers, agent])
  const stored = await runOnServer(
    two,
    sql => sql<{ body: string }[]>`select distinct body from message where body = any(${answered})`,
  )
  expect(answered.length - stored.length).toBe(0)
  const [row] = await runOnServer(
    two,
    sql => sql<{ n: number }[]>`
    select count(*)::int as n from (select from message where body like 'cliente %' group by body having count(*) > 1)`,
  )
  expect(row?.n).toBe(0)
  await waitUntil('all are heard', () => answered.every(text => heard.has(text)), WITHIN_MS)
  live.stop()
})

function withName(url: string): string {
  const named = new URL(url)
  named.pathname = '/balcao'
  return named.href
}
