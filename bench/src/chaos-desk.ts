// Two servers on a Postgres of their own that may be broken, with webhooks, answers, lists and sockets running all the time. What was
// answered is written down; so is every answer that should never come.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeWorkingHours } from '@balcao/backend/app/seed/always-open'
import { readConfig } from '@balcao/backend/platform/config'
import { openDatabase } from '@balcao/backend/platform/database/client'
import { ensurePostgres } from '@balcao/backend/platform/database/embedded'
import { migrate } from '@balcao/backend/platform/database/migrate'
import { createAccessToken } from '@balcao/backend/policy/sessions/tokens'
import { type EventListener, openEventListener } from '@balcao/simulator/event-listener'
import { APP_SECRET, postWebhook } from '@balcao/simulator/graph/post-webhook'
import type postgres from 'postgres'
import { createSmallDisk, type SmallDisk } from '../../backend/test/small-disk.ts'
import { runOnServer, toDatabaseUrl } from './engine.ts'
import { waitUntil } from './measure.ts'
import { type BenchPerson, DATA_KEY, makePeople } from './people.ts'
import { type MeasuredServer, startServer } from './processes.ts'

export interface ChaosDesk {
  /** The server's own database, for who breaks it. */
  readonly engineUrl: string
  readonly servers: readonly MeasuredServer[]
  readonly sql: postgres.Sql
  /** Everything that was answered as taken, by its text. */
  readonly answered: Set<string>
  /** Answers that are wrong whatever is broken, and processes that ended. */
  readonly wrong: string[]
  readonly ears: readonly EventListener[]
  /** Where each server keeps its files. */
  readonly disks: readonly SmallDisk[]
  /** Writes a text at a server; whether it was taken. */
  write(url: string): Promise<boolean>
  /** Brings a file of so many bytes to a server; the status of its answer. */
  upload(url: string, bytes: number): Promise<number>
  /** Takes requests of every kind on every server, and hears of them on every socket. Throws after `seconds`. */
  untilWhole(seconds: number): Promise<void>
  /** Ends the load and waits for what is on its way. */
  quiet(): Promise<void>
}

const PHONE_NUMBER_ID = '5501'
const AGAIN_MS = 100
const TICKETS = 8

/** The Postgres of a desk. */
export interface Engine {
  readonly url: string
  /** The address of a database, as the desk is given it. */
  readonly address: (database: string) => string
  stop(): Promise<void>
}

/** Durable as in production: what was answered must outlast a Postgres that is killed. */
async function startDurableEngine(home: string): Promise<Engine> {
  const engine = await ensurePostgres({ dataDir: join(home, 'pg') })
  return { ...engine, address: database => toDatabaseUrl(engine.url, database) }
}

export async function withChaosDesk<T>(
  body: (desk: ChaosDesk) => Promise<T>,
  startEngine: (home: string) => Promise<Engine> = startDurableEngine,
): Promise<T> {
  const home = await mkdtemp(join(process.env.BALCAO_TEMPORARY ?? tmpdir(), 'balcao-chaos-'))
  await chmod(home, 0o711)
  const engine = await startEngine(home)
  await runOnServer(engine.url, 'create database desk')
  const url = engine.address('desk')
  await migrate(url)
  await removeWorkingHours(url)
  const { $client: sql } = openDatabase(url, { max: 2 })
  const env = {
    DATABASE_URL: url,
    DATA_DIR: join(home, 'data'),
    DATA_KEY,
    // Each server has a disk of its own, and so has to be told what they share.
    JWT_SECRET: DATA_KEY,
    SHARED_SECRET: DATA_KEY,
    GRAPH_APP_SECRET: APP_SECRET,
    // Nobody listens there: nothing leaves this machine.
    GRAPH_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: process.env.BENCH_VERBOSE ? 'error' : 'silent',
  }
  const config = readConfig(env)
  const servers: MeasuredServer[] = []
  const disks: SmallDisk[] = []
  try {
    const world = await furnish(sql)
    const token = await createAccessToken(config, { userId: world.agent.id, family: world.agent.family }, 3600)
    for (let n = 0; n < 2; n++) {
      const disk = await createSmallDisk(join(home, `data-${n}`))
      disks.push(disk)
      servers.push(await startServer({ ...env, DATA_DIR: join(home, `data-${n}`) }, undefined, disk.under))
    }
    const desk = await openDesk({ engineUrl: engine.url, servers, disks, sql, world, token })
    try {
      return await body(desk)
    } finally {
      await desk.quiet()
      for (const ear of desk.ears) ear.close()
    }
  } finally {
    await Promise.all(servers.map(server => server.stop()))
    await sql.end({ timeout: 1 })
    await engine.stop()
    await rm(home, { recursive: true, force: true })
  }
}

type Content = Uint8Array<ArrayBuffer> | Readonly<Record<string, unknown>>

interface ChaosSetup {
  readonly agent: BenchPerson
  readonly line: number
  readonly tickets: readonly number[]
}

/** An official line that takes webhooks, and open conversations on a phone that nobody has connected: what is written there waits. */
async function furnish(sql: postgres.Sql): Promise<ChaosSetup> {
  const [agent] = await makePeople(sql, 1, 'admin')
  const [line] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, config, wanted) values ('Oficial', 'cloud_api', ${JSON.stringify({ phoneNumberId: PHONE_NUMBER_ID, wabaId: '9901' })}::text::jsonb, true) returning id`
  const [phone] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, wanted) values ('Celular', 'baileys', false) returning id`
  if (!agent || !line || !phone) throw new Error('The desk could not be furnished')
  const tickets = await sql<{ id: number }[]>`
    with c as (insert into contact (name) select 'Cliente ' || n from generate_series(1, ${TICKETS}) n returning id)
    insert into ticket (contact_id, whatsapp_id, status, user_id) select id, ${phone.id}, 'open', ${agent.id} from c returning id`
  return { agent, line: line.id, tickets: tickets.map(({ id }) => id) }
}

interface ChaosContext extends Pick<ChaosDesk, 'engineUrl' | 'servers' | 'disks' | 'sql'> {
  readonly world: ChaosSetup
  readonly token: string
}

async function openDesk({ world, token, ...options }: ChaosContext): Promise<ChaosDesk> {
  const { servers } = options
  const answered = new Set<string>()
  const wrong: string[] = []
  const ears = servers.map(server => openEventListener(server.url, () => socketToken(server.url)))
  await Promise.all(ears.map(ear => ear.listening))
  let over = false
  let made = 0

  async function call(url: string, method: string, path: string, content?: Content): Promise<Response> {
    const isFile = content instanceof Uint8Array
    return fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(isFile ? {} : { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(30_000),
      ...(content ? { body: isFile ? content : JSON.stringify(content) } : {}),
    })
  }

  async function socketToken(url: string): Promise<string> {
    const { token: once }: { token?: string } = await (await call(url, 'POST', '/auth/socket', {})).json()
    if (!once) throw new Error('No token for a socket now')
    return once
  }

  /** The status of a call; 0 when nobody answered in time. Whatever else is not allowed is written down. */
  async function tried(url: string, allowed: readonly number[], method: string, path: string, content?: Content) {
    const answer = await call(url, method, path, content).catch(() => null)
    if (!answer) return 0
    const text = await answer.text()
    const isClear = answer.status !== 503 || /"error":"ERR_(DATABASE_AWAY|BUSY)","message":"[^"]{20,}"/.test(text)
    if (!allowed.includes(answer.status) || !isClear)
      wrong.push(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`)
    return answer.status
  }

  const from = (n: number) => String(5531_900_000_000 + (n % 40))

  /** As Meta does: the same message again and again, to any server, until somebody has taken it. */
  async function post(body: string, n: number, url?: string): Promise<void> {
    for (let again = 0; !over || again === 0; again++) {
      const to = url ?? servers[(n + again) % servers.length]?.url ?? ''
      const message = {
        whatsappId: world.line,
        phoneNumberId: PHONE_NUMBER_ID,
        from: from(n),
        id: `wamid.${body}`,
        body,
      }
      const status = await postWebhook(to, message)
      if (status === 200) {
        answered.add(body)
        return
      }
      if (status !== 0 && status !== 503) wrong.push(`a webhook: ${status}`)
      await Bun.sleep(AGAIN_MS)
    }
  }

  async function write(body: string, n: number, url: string): Promise<boolean> {
    const ticket = world.tickets[n % world.tickets.length]
    const status = await tried(url, [201, 503], 'POST', `/messages/${ticket}`, { body })
    if (status === 201) answered.add(body)
    return status === 201
  }

  function upload(url: string, bytes: number): Promise<number> {
    const path = `/uploads?name=a.bin&ticketId=${world.tickets[0]}`
    return tried(url, [200, 201, 503, 507], 'PUT', path, new Uint8Array(bytes))
  }

  async function list(url: string): Promise<boolean> {
    return (await tried(url, [200, 503], 'GET', '/tickets?status=pending&showAll=true')) === 200
  }

  const urlOf = (n: number) => servers[n % servers.length]?.url ?? ''
  const work = [
    ...Array.from({ length: 4 }, () => async (n: number) => post(`entra-${n}-`, n)),
    ...Array.from({ length: 2 }, () => async (n: number) => void (await write(`sai-${n}-`, n, urlOf(n)))),
    ...Array.from({ length: 2 }, () => async (n: number) => void (await list(urlOf(n)))),
  ]
  const working = work.map(async one => {
    while (!over) {
      await one(++made)
      await Bun.sleep(10)
    }
  })

  return {
    ...options,
    answered,
    wrong,
    ears,
    write: url => write(`meanwhile-${++made}-`, made, url),
    upload,
    async untilWhole(seconds) {
      const end = performance.now() + seconds * 1000
      const left = () => Math.max(0.1, (end - performance.now()) / 1000)
      await Promise.all(
        servers.map(async ({ url }, at) => {
          await waitUntil(() => isReady(url), left(), `server ${at} is ready`)
          await waitUntil(() => list(url), left(), `server ${at} lists`)
          await waitUntil(async () => (await upload(url, 1000)) < 300, left(), `server ${at} takes a file`)
          await waitUntil(() => write(`inteira-${++made}-`, made, url), left(), `server ${at} takes what is written`)
          const body = `inteira-${++made}-`
          await Promise.race([post(body, made, url), Bun.sleep(left() * 1000)])
          const heard = () => ears.every(ear => ear.heard(body))
          await waitUntil(heard, left(), `every socket hears what server ${at} has taken`)
        }),
      )
    },
    async quiet() {
      over = true
      await Promise.all(working)
    },
  }
}

/** Asked as a load balancer asks: who has to wait for long is answered as well. */
export async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(3000) }).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.status === 200
}
