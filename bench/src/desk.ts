// A whole desk for load: a database, the simulator, connections of every kind, one signed-in administrator, and the real server in a
// process of its own that can be killed and started again.
import { type Config, readConfig } from '@balcao/backend/platform/config'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { seal } from '@balcao/backend/platform/seal'
import { createAccessToken } from '@balcao/backend/policy/sessions/tokens'
import type { Business } from '@balcao/simulator/graph/people'
import type { CompanyPhone, WhatsAppNetworkOptions } from '@balcao/simulator/whatsapp/index'
import { type Simulator, startSimulator } from '@balcao/simulator/world'
import type postgres from 'postgres'
import { withDatabase, withFolder } from './engine.ts'
import { waitUntil } from './measure.ts'
import { type BenchPerson, createSocketTokens, DATA_KEY, makePeople } from './people.ts'
import { type MeasuredServer, startServer } from './processes.ts'
import { type AgentSocket, openSocket } from './sockets.ts'

export interface BenchDeskOptions {
  /** How many connections of each kind. */
  readonly cloud: number
  readonly baileys: number
  /** With a browser each, and at the gateway; none unless given. */
  readonly wwebjs?: number
  readonly meow?: number
  readonly whatsapp?: WhatsAppNetworkOptions
  /** The database it begins with, by its name, its connections taken away; an empty one unless given. */
  readonly copyOf?: string
  /** More of the server's environment. */
  readonly env?: Readonly<Record<string, string>>
}

type PhoneKind = 'baileys' | 'wwebjs' | 'meow'

export interface LinkedPhone {
  readonly kind: PhoneKind
  readonly whatsappId: number
  readonly company: CompanyPhone
}

export interface BenchDesk {
  readonly url: string
  readonly sql: postgres.Sql
  readonly simulator: Simulator
  readonly cloud: readonly { readonly whatsappId: number; readonly business: Business }[]
  /** Connections that are linked to a phone. */
  readonly phones: readonly LinkedPhone[]
  /** Those of them of the kind `baileys`. */
  readonly baileys: readonly LinkedPhone[]
  /** The server's own folder. */
  readonly dataDir: string
  readonly databaseUrl: string
  /** What another process of the same desk is started with, and how it reads that. */
  readonly env: Readonly<Record<string, string>> & { readonly DATA_DIR: string }
  readonly config: Config
  /** Calls the API as the administrator. */
  call(method: string, path: string, body?: unknown): Promise<Response>
  socket(): Promise<AgentSocket>
  /** SIGKILL, and a new process on the same port. Resolves when it is ready. */
  killAndRestart(): Promise<void>
  /** Asks it to end, and starts a new one on the same port. Resolves when that is ready, with the seconds the old one took to end. */
  restart(): Promise<number>
  memory(): Promise<number>
  /** Seconds of a processor the server has used. */
  processor(): Promise<number>
}

/** Runs something on a desk with everything connected; all of it is gone afterwards. */
export function withDesk<T>(options: BenchDeskOptions, body: (desk: BenchDesk) => Promise<T>): Promise<T> {
  const onDatabase = (url: string) =>
    withFolder(async dataDir => {
      const db = openDatabase(url, { max: 4 })
      await db.$client`update whatsapp set wanted = false, is_default = false, deleted_at = now()`
      const simulator = await startSimulator({
        people: false,
        ...(options.whatsapp ? { whatsapp: options.whatsapp } : {}),
        graph: { ackDelayMs: 20, retryBaseMs: 200, webhookAttempts: 60 },
        gowa: { ackDelayMs: 20 },
      })
      const env = { ...simulator.env, ...options.env, DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY }
      const server = await launchServer(env, db.$client, simulator, options).catch(async error => {
        await simulator.stop()
        throw error
      })
      try {
        return await body(server.desk)
      } finally {
        await server.stop()
        await simulator.stop()
        await closeDatabase(db)
      }
    })
  return withDatabase('desk', onDatabase, options.copyOf)
}

async function launchServer(
  env: Record<string, string> & { DATA_DIR: string; DATABASE_URL: string },
  sql: postgres.Sql,
  simulator: Simulator,
  { cloud: clouds, ...counts }: BenchDeskOptions,
): Promise<{ desk: BenchDesk; stop(): Promise<void> }> {
  const config = readConfig(env)
  const [agent] = await makePeople(sql, 1, 'admin')
  if (!agent) throw new Error('There is nobody to work at the desk.')
  const cloud = await makeCloudConnections(sql, simulator, clouds)
  const phones = [
    ...(await makePhoneConnections(sql, simulator, 'baileys', counts.baileys)),
    ...(await makePhoneConnections(sql, simulator, 'wwebjs', counts.wwebjs ?? 0)),
    ...(await makePhoneConnections(sql, simulator, 'meow', counts.meow ?? 0)),
  ]
  let server: MeasuredServer = await startServer(env)
  const { url } = server
  for (const { business, whatsappId } of cloud) business.lane.url = `${url}/webhooks/cloud/${whatsappId}`
  const desk: BenchDesk = {
    url,
    sql,
    simulator,
    cloud,
    phones,
    baileys: phones.filter(({ kind }) => kind === 'baileys'),
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    env,
    config,
    async call(method, path, content) {
      return fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await getToken(config, agent)}`,
          ...(content instanceof FormData ? {} : { 'content-type': 'application/json' }),
        },
        ...(content === undefined ? {} : { body: content instanceof FormData ? content : JSON.stringify(content) }),
      })
    },
    async socket() {
      const [token] = await createSocketTokens(sql, [agent])
      return openSocket(url, token ?? '')
    },
    async killAndRestart() {
      await server.kill()
      server = await startServer(env, Number(new URL(url).port))
    },
    async restart() {
      const { next, endedIn } = await replaceProcess(server, env)
      server = next
      return endedIn
    },
    memory: () => server.memory(),
    processor: () => server.processor(),
  }
  try {
    for (const { whatsappId, company } of phones) await link(desk, whatsappId, company)
    await waitUntil(() => areAllConnected(sql), 60, 'all connections are connected')
  } catch (error) {
    await server.stop()
    throw error
  }
  return { desk, stop: () => server.stop() }
}

/** A process in the place of one that is asked to end. */
export async function replaceProcess(
  old: MeasuredServer,
  env: BenchDesk['env'],
): Promise<{ readonly next: MeasuredServer; readonly endedIn: number }> {
  const begun = performance.now()
  await old.stop()
  const endedIn = (performance.now() - begun) / 1000
  return { next: await startServer(env, Number(new URL(old.url).port)), endedIn }
}

async function makeCloudConnections(
  sql: postgres.Sql,
  simulator: Simulator,
  count: number,
): Promise<BenchDesk['cloud']> {
  const made: { whatsappId: number; business: Business }[] = []
  for (let n = 0; n < count; n++) {
    const business = simulator.graph.business({
      phoneNumberId: `1065403522429${n}`,
      wabaId: `1022901293403${n}`,
      token: `EAAG-bench-${n}`,
      number: `+55 31 3333-44${String(n).padStart(2, '0')}`,
      name: `Oficial ${n}`,
    })
    const { phoneNumberId, wabaId, token, name } = business
    const config = { phoneNumberId, wabaId, tokenMeta: seal(DATA_KEY, token), metaIntegration: true }
    const [row] = await sql<{ id: number }[]>`
      insert into whatsapp (name, api, config)
      values (${name}, 'cloud_api', ${JSON.stringify(config)}::text::jsonb) returning id`
    made.push({ whatsappId: row?.id ?? 0, business })
  }
  return made
}

const PHONES: Readonly<Record<PhoneKind, { readonly name: string; readonly numbers: string }>> = {
  baileys: { name: 'Loja', numbers: '5531322240' },
  wwebjs: { name: 'Navegador', numbers: '5531322241' },
  meow: { name: 'Gateway', numbers: '5531322242' },
}

async function makePhoneConnections(
  sql: postgres.Sql,
  simulator: Simulator,
  kind: PhoneKind,
  count: number,
): Promise<LinkedPhone[]> {
  const made: LinkedPhone[] = []
  for (let n = 0; n < count; n++) {
    const name = `${PHONES[kind].name} ${n}`
    const number = `${PHONES[kind].numbers}${String(n).padStart(2, '0')}`
    const company = simulator.whatsapp.company({ number, name })
    const [row] = await sql<{ id: number }[]>`insert into whatsapp (name, api) values (${name}, ${kind}) returning id`
    made.push({ kind, whatsappId: row?.id ?? 0, company })
  }
  return made
}

/** Asks for a code and scans it, as a person does. */
async function link({ sql, call }: BenchDesk, whatsappId: number, company: CompanyPhone): Promise<void> {
  await call('PUT', `/whatsappsession/${whatsappId}`)
  const code = async () => {
    const [row] = await sql<{ qrcode: string | null }[]>`select qrcode from whatsapp where id = ${whatsappId}`
    return row?.qrcode ?? ''
  }
  await waitUntil(async () => (await code()) !== '', 60, `connection ${whatsappId} shows a code`)
  // A loaded machine may be too slow for a phone's patience: a person would hold it up again.
  for (let attempt = 1; ; attempt++) {
    try {
      await company.scan(code)
      return
    } catch (error) {
      if (attempt === 5) throw error
      await Bun.sleep(1000)
    }
  }
}

async function areAllConnected(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from whatsapp where status <> 'CONNECTED'`
  return row?.n === 0
}

const HOUR = 3600
let issued: { token: Promise<string>; until: number; family: string } | undefined

/** One token for many calls; made anew before it ends. */
function getToken(config: Config, { id, family }: BenchPerson): Promise<string> {
  if (!issued || issued.family !== family || issued.until < Date.now())
    issued = {
      token: createAccessToken(config, { userId: id, family }, HOUR),
      until: Date.now() + (HOUR * 1000) / 2,
      family,
    }
  return issued.token
}
