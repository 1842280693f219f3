// The whole of Balcão in one call, for the demo, the browser tests and the benchmarks: a database, the simulator with its phones,
// a seeded company and the real server, in a process of its own that can be killed and started again, or in this one.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALWAYS_OPEN, removeWorkingHours } from '@balcao/backend/app/seed/always-open'
import { type DemoAccount, type SeedOptions, seedDemo } from '@balcao/backend/app/seed/seed'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { ensurePostgres } from '@balcao/backend/platform/database/embedded'
import { migrate } from '@balcao/backend/platform/database/migrate'
import { createLogger } from '@balcao/backend/platform/logger'
import { makeJobTables } from '@balcao/backend/platform/worker/run'
import { type Simulator, startSimulator } from '@balcao/simulator/world'
import postgres from 'postgres'
import { cloneTemplate, makeTemplate, runOnServer, toDatabaseUrl } from '../../backend/test/template.ts'
import { rememberHistory } from './history.ts'
import { PAST_MONTH } from './month/load.ts'
import { type ServerProcess, startServerHere, startServerProcess } from './server-process.ts'

const TEMPLATE = 'world_template'

export interface TestSystemOptions {
  /** Port of the desk; 0 (the default) takes a free one. */
  readonly port?: number
  /** Keeps the data there; without it a temporary folder is used and removed. */
  readonly dataDir?: string
  /** An existing Postgres server to make a database of the world's own on. */
  readonly postgresUrl?: string
  readonly env?: Record<string, string>
  /** A company of which nothing is set up yet: as somebody finds it who has just installed Balcão. */
  readonly empty?: boolean
  /** The company has lived a month before today. */
  readonly month?: boolean
  /** The company's settings that differ from their defaults. */
  readonly settings?: SeedOptions['settings']
  /** The server runs in this process: for whoever neither kills it nor measures it. */
  readonly here?: boolean
  /** Writes the server's log lines. */
  readonly verbose?: boolean
  /** Starts the server anew when its source changes. */
  readonly watch?: boolean
}

export interface TestSystem {
  readonly url: string
  readonly databaseUrl: string
  readonly dataDir: string
  /** Where its own database lies; null when it was given one. */
  readonly databaseFolder: string | null
  readonly simulator: Simulator
  readonly accounts: readonly DemoAccount[]
  readonly server: ServerProcess
  /** Kills the server as a power cut would and starts it again on the same port. */
  killAndRestart(): Promise<void>
  /** A second server process on the same database. */
  secondServer(): Promise<ServerProcess>
  stop(): Promise<void>
}

/** Starts everything and resolves when the server is ready; what cannot start leaves nothing running. */
export async function startTestSystem(options: TestSystemOptions = {}): Promise<TestSystem> {
  const begun: { stop(): Promise<unknown> }[] = []
  try {
    return await buildTestSystem(options, begun)
  } catch (error) {
    for (const each of begun.reverse()) await each.stop()
    throw error
  }
}

async function buildTestSystem(options: TestSystemOptions, begun: { stop(): Promise<unknown> }[]): Promise<TestSystem> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(process.env.BALCAO_TEMPORARY ?? tmpdir(), 'balcao-world-')))
  // Postgres may run as another user, who must be able to enter; secrets inside have modes of their own.
  if (!options.dataDir) await chmod(dataDir, 0o711)
  // The tests share a server.
  const postgresUrl = options.postgresUrl ?? (options.dataDir ? undefined : process.env.TEST_PG)
  const engine = postgresUrl
    ? null
    : await ensurePostgres({ dataDir: join(dataDir, 'postgres'), test: !options.dataDir })
  if (engine) begun.push(engine)
  const databaseUrl = await createDatabase(
    postgresUrl ?? engine?.url ?? '',
    options.dataDir ? 'balcao' : `world_${crypto.randomUUID().slice(0, 8)}`,
  )
  const simulator = await startSimulator({ onScanRequest: () => listShownCodes(databaseUrl) })
  begun.push(simulator)
  await migrate(databaseUrl)
  // Counting the figures of a month asks for jobs, before a server has made their tables.
  if (options.month) await makeJobTables({ url: databaseUrl, log: createLogger({ logLevel: 'silent' }) })
  const db = openDatabase(databaseUrl, { max: 2 })
  const { cloud } = simulator
  const seed = {
    dataDir,
    ...(options.month && { past: PAST_MONTH }),
    settings: { ...ALWAYS_OPEN, ...options.settings },
    ...(cloud ? { cloud } : {}),
  }
  const accounts = options.empty ? [] : await seedDemo(db, seed)
  await closeDatabase(db)
  await (options.empty ? removeWorkingHours(databaseUrl) : rememberHistory(simulator, databaseUrl, dataDir))

  const port = options.port || freePort()
  const env = {
    COMPANY_NAME: 'Distribuidora São José',
    ...simulator.env,
    ...options.env,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SIMULATOR_URL: simulator.url,
    GOWA_WEBHOOK_URL: `http://127.0.0.1:${port}`,
    DEMO_ACCOUNTS: JSON.stringify(accounts),
  }
  const start = (port: number) =>
    startServerProcess({ port, env, verbose: options.verbose ?? false, watch: options.watch ?? false })
  let server = await (options.here ? startServerHere({ ...env, PORT: String(port) }) : start(port))
  await announceWebhook(databaseUrl, simulator, server.url)
  const extra: ServerProcess[] = []

  return {
    get url() {
      return server.url
    },
    get server() {
      return server
    },
    databaseUrl,
    dataDir,
    databaseFolder: engine?.folder ?? null,
    simulator,
    accounts,
    async killAndRestart() {
      const { port } = server
      await server.kill()
      server = await start(port)
    },
    async secondServer() {
      const second = await start(0)
      extra.push(second)
      return second
    },
    async stop() {
      await Promise.all([server, ...extra].map(one => one.stop()))
      await simulator.stop()
      await engine?.stop()
      if (options.dataDir) return
      for (const folder of [dataDir, engine?.folder ?? dataDir]) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What posts to the server is told its address before it listens. */
function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port = 0 } = server
  void server.stop(true)
  return port
}

/** Of the tests' own server it is cloned: the tables are made once for all of them. */
async function createDatabase(server: string, name: string): Promise<string> {
  const isShared = server === process.env.TEST_PG
  if (isShared)
    await makeTemplate(server, TEMPLATE, async url => {
      await migrate(url)
      await makeJobTables({ url, log: createLogger({ logLevel: 'silent' }) })
    })
  await runOnServer(server, async sql => {
    const [known] = await sql`select 1 from pg_database where datname = ${name}`
    if (!known) await sql.unsafe(`create database ${name} ${isShared ? cloneTemplate(TEMPLATE) : ''}`)
  })
  return toDatabaseUrl(server, name)
}

/** The connections that show a code right now, as the phones' camera would see them on the screen. */
async function listShownCodes(databaseUrl: string): Promise<{ connection: string; qr: string }[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const rows = await sql<{ connection: string; qr: string }[]>`
    select name as connection, qrcode as qr from whatsapp where status = 'qrcode' and qrcode is not null and deleted_at is null order by name`
  await sql.end()
  return [...rows]
}

/** What a person does in Meta's developer page: tells Meta where to post the number's webhooks. */
async function announceWebhook(databaseUrl: string, simulator: Simulator, serverUrl: string): Promise<void> {
  const { cloud } = simulator
  if (!cloud) return
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const [row] = await sql<
    { id: number }[]
  >`select id from whatsapp where config->>'phoneNumberId' = ${cloud.phoneNumberId} and deleted_at is null`
  await sql.end()
  if (row) cloud.business.lane.url = `${serverUrl}/webhooks/cloud/${row.id}`
}
