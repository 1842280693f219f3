// deploy/nginx.conf with a real nginx, or deploy/Caddyfile with a real Caddy, before two and four server processes: sockets spread over
// them, a file of 100 MB goes through, and one process is killed while agents read and customers write. Only the addresses, the name and
// the certificate are the benchmark's own.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '@balcao/backend/config'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/database/client'
import { accessToken } from '@balcao/backend/sessions/tokens'
import { APP_SECRET, knock } from '@balcao/simulator/graph/knock'
import { type Benchmark, type Figure, numberOption } from './benchmark.ts'
import { withDatabase, withFolder } from './engine.ts'
import { percentile, until, watchMost } from './measure.ts'
import { DATA_KEY, makePeople, type Person, socketTokens } from './people.ts'
import { type Measured, startServer } from './processes.ts'
import { type KeepingProxy, type ProxyProgram, proxyProgram, startCertified } from './proxies.ts'
import { type AgentSocket, openSockets } from './sockets.ts'

const MB = 2 ** 20
const PHONE_NUMBER_ID = '1065403522429'

export const proxy: Benchmark = {
  name: 'proxy',
  about:
    'deploy/nginx.conf, or --with=caddy deploy/Caddyfile, before two and four processes: sockets, 100 MB, one process killed',
  onlyByName: true,
  async run(options) {
    const program = proxyProgram(options.with ?? 'nginx')
    const size = { sockets: numberOption(options, 'sockets', 200), seconds: numberOption(options, 'seconds', 8) }
    // The certificate is signed by itself.
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const figures: Figure[] = []
      for (const processes of [2, 4]) figures.push(...(await behind(program, processes, size)))
      return figures
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  },
}

interface Size {
  readonly sockets: number
  readonly seconds: number
}

function behind(program: ProxyProgram, processes: number, size: Size): Promise<Figure[]> {
  return withDatabase('proxy', url =>
    withFolder(async folder => {
      const env = {
        ...{ DATABASE_URL: url, DATA_DIR: join(folder, 'data'), DATA_KEY, GRAPH_APP_SECRET: APP_SECRET },
        // Nobody listens there: nothing leaves this machine.
        GRAPH_URL: 'http://127.0.0.1:9',
      }
      const db = openDatabase(url, { max: 4 })
      const servers: Measured[] = []
      let front: KeepingProxy | undefined
      try {
        const people = await makePeople(db.$client, size.sockets, 'admin')
        const line = await officialLine(db)
        for (let n = 0; n < processes; n++) servers.push(await startServer(env))
        front = await startCertified(
          program,
          servers.map(server => server.url),
          folder,
        )
        const [agent] = people
        if (!agent) throw new Error('Nobody works here')
        const token = await accessToken(readConfig(env), { userId: agent.id, family: agent.family }, 3600)
        return await tried({ processes, size, env, db, servers, front, people, line, token })
      } finally {
        await front?.stop()
        await Promise.all(servers.map(server => server.stop()))
        await closeDatabase(db)
      }
    }),
  )
}

interface Trial {
  readonly processes: number
  readonly size: Size
  readonly env: Record<string, string> & { DATA_DIR: string }
  readonly db: Db
  readonly servers: Measured[]
  readonly front: KeepingProxy
  readonly people: readonly Person[]
  readonly line: number
  readonly token: string
}

async function tried(trial: Trial): Promise<Figure[]> {
  const { processes, servers, front, people } = trial
  const crowd = new Crowd(trial)
  await crowd.enter(people)
  const spread = await Promise.all(servers.map(server => socketsOn(portOf(server))))
  const before = await crowd.toldIn('before')
  const direct = await upload(trial, servers[0]?.url ?? '')
  const memory = await Promise.all(servers.map(server => server.memory()))
  const most = servers.map(server => watchMost(() => server.memory()))
  const through = await upload(trial, front.url)
  const grew = Math.max(...most.map((each, at) => each.stop() - (memory[at] ?? 0)))
  const kept = await largeFilesIn(front.folder)
  const killed = await killOne(trial, crowd)
  crowd.close()
  const name = (what: string) => `${processes} processes: ${what}`
  const told: Figure[] = [
    {
      what: name('sockets on the one with the fewest'),
      value: Math.min(...spread),
      unit: '',
      atLeast: true,
      aim: 0.5 * (people.length / processes),
    },
    { what: name('a message to the last of all sockets'), value: before, unit: 'ms' },
    { what: name('100 MB up'), value: through, unit: 's', reference: { what: 'without the proxy', value: direct } },
    { what: name('memory the process takes for it'), value: grew / MB, unit: 'MB', aim: 60 },
    { what: name('files that the proxy kept of it'), value: kept, unit: '', aim: 0 },
    {
      what: name('one killed: reads that failed'),
      value: killed.readsFailed,
      unit: '',
      reference: { what: 'of', value: killed.reads },
      aim: 0,
    },
    {
      what: name('one killed: messages that were not taken at the first try'),
      value: killed.repeated,
      unit: '',
      reference: { what: 'of', value: killed.messages },
    },
    { what: name('one killed: messages lost or doubled'), value: killed.wrong, unit: '', aim: 0 },
    {
      what: name('one killed: the slowest read'),
      value: killed.slowest,
      unit: 'ms',
      reference: { what: 'p50', value: killed.usual },
    },
    {
      what: name('one killed: until all sockets heard a message again'),
      value: killed.wholeMs / 1000,
      unit: 's',
      aim: 15,
    },
    { what: name('started again: until it is asked again'), value: killed.backMs / 1000, unit: 's' },
  ]
  return told
}

/** People whose sockets come back when they break, as the page's do. */
class Crowd {
  readonly #trial: Trial
  readonly #sockets = new Set<AgentSocket>()
  #heard: (frame: string, who: AgentSocket) => void = () => {}
  #closed = false

  constructor(trial: Trial) {
    this.#trial = trial
  }

  get size(): number {
    return this.#sockets.size
  }

  async enter(people: readonly Person[]): Promise<void> {
    const tokens = await socketTokens(this.#trial.db.$client, people)
    const opened = await openSockets(this.#trial.front.url, tokens, {
      closed: (socket, at) => {
        this.#sockets.delete(socket)
        const person = people[at]
        if (!this.#closed && person) void this.#comeBack(person)
      },
    })
    for (const socket of opened) {
      this.#sockets.add(socket)
      socket.heard = frame => this.#heard(frame, socket)
    }
  }

  async #comeBack(person: Person): Promise<void> {
    for (let pause = 100; !this.#closed; pause = Math.min(2000, pause * 2)) {
      await Bun.sleep(pause * (0.5 + Math.random()))
      const isIn = await this.enter([person]).then(
        () => true,
        () => false,
      )
      if (isIn) return
    }
  }

  /** From a customer's message until everybody who is in has heard it, in ms. */
  async toldIn(name: string): Promise<number> {
    const body = `ALL-${name}-${crypto.randomUUID()}`
    const heard = new Set<AgentSocket>()
    this.#heard = (frame, who) => {
      if (frame.includes(body)) heard.add(who)
    }
    const begun = performance.now()
    await post(this.#trial, body, 0)
    await until(() => [...this.#sockets].every(socket => heard.has(socket)), 30, `everybody has heard ${name}`)
    return performance.now() - begun
  }

  close(): void {
    this.#closed = true
    for (const socket of this.#sockets) socket.close()
  }
}

/** As Meta does: again and again until it is taken; how often it was not. */
async function post({ front, line }: Trial, body: string, n: number): Promise<number> {
  const from = String(5531_900_000_000 + (n % 40))
  for (let again = 0; ; again++) {
    const status = await knock(front.url, {
      whatsappId: line,
      phoneNumberId: PHONE_NUMBER_ID,
      from,
      id: `wamid.${body}`,
      body,
    })
    if (status === 200) return again
    if (again === 100) throw new Error(`A message was refused a hundred times, at last with ${status}`)
    await Bun.sleep(100)
  }
}

interface Killed {
  readonly reads: number
  readonly readsFailed: number
  readonly slowest: number
  readonly usual: number
  readonly messages: number
  readonly repeated: number
  readonly wrong: number
  readonly wholeMs: number
  readonly backMs: number
}

/** Agents read and customers write all the time; the first process is killed and later started again. */
async function killOne(trial: Trial, crowd: Crowd): Promise<Killed> {
  const { servers, db, env, size, people } = trial
  const [victim] = servers
  if (!victim) throw new Error('There is no process')
  let going = true
  const reads: number[] = []
  const failed: string[] = []
  const written: string[] = []
  let repeated = 0
  const readers = Array.from({ length: 4 }, async () => {
    while (going) {
      const begun = performance.now()
      const status = await read(trial)
      reads.push(performance.now() - begun)
      if (status !== 200) failed.push(`${status}`)
      await Bun.sleep(20)
    }
  })
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; going; n++) {
      const body = `entra-${writer}-${n}`
      if ((await post(trial, body, n)) > 0) repeated++
      written.push(body)
      await Bun.sleep(40)
    }
  })
  await Bun.sleep(size.seconds * 500)
  const begun = performance.now()
  await victim.kill()
  await until(() => crowd.size < people.length, 10, 'somebody lost the own socket')
  await until(() => crowd.size === people.length, 60, 'everybody is in again')
  await crowd.toldIn('killed')
  const wholeMs = performance.now() - begun
  await Bun.sleep(size.seconds * 500)
  const again = performance.now()
  servers[0] = await startServer(env, portOf(victim))
  // Whoever comes next goes where the fewest are.
  await until(
    async () => {
      await crowd.enter(people.slice(0, 1))
      return (await socketsOn(portOf(victim))) > 0
    },
    30,
    'the new process has a socket',
  )
  const backMs = performance.now() - again
  going = false
  await Promise.all([...readers, ...writers])
  const [row] = await db.$client<{ all: number; distinct: number }[]>`
    select count(*)::int as all, count(distinct body)::int as distinct from message where body like 'entra-%'`
  if (failed.length > 0) console.log(`  reads failed with ${failed.slice(0, 10).join(', ')}`)
  return {
    ...{ reads: reads.length, readsFailed: failed.length, messages: written.length, repeated, wholeMs, backMs },
    ...{ slowest: Math.max(...reads), usual: percentile(reads, 0.5) },
    wrong: Math.abs((row?.all ?? 0) - (row?.distinct ?? 0)) + Math.abs(written.length - (row?.distinct ?? 0)),
  }
}

async function read({ front, token }: Trial): Promise<number> {
  try {
    const answer = await fetch(`${front.url}/tickets?status=pending&showAll=true`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(15_000),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

/** Seconds for 100 MB, the most that any kind of connection takes. */
async function upload({ token, db }: Trial, url: string): Promise<number> {
  const [ticket] = await db.$client<{ id: number }[]>`
    with line as (insert into whatsapp (name, api, wanted) values ('Gateway ' || gen_random_uuid(), 'meow', false) returning id),
      customer as (insert into contact (name) values ('Produtora') returning id)
    insert into ticket (status, contact_id, whatsapp_id) select 'open', customer.id, line.id from line, customer returning id`
  const content = new Uint8Array(100 * MB)
  crypto.getRandomValues(content.subarray(0, 65_536))
  const begun = performance.now()
  const answer = await fetch(`${url}/uploads?name=film.bin&ticketId=${ticket?.id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: content,
  })
  const told = await answer.text()
  if (answer.status !== 201) throw new Error(`The upload was answered with ${answer.status}: ${told.slice(0, 200)}`)
  return (performance.now() - begun) / 1000
}

async function officialLine(db: Db): Promise<number> {
  const config = JSON.stringify({ phoneNumberId: PHONE_NUMBER_ID, wabaId: '9901' })
  const [line] = await db.$client<{ id: number }[]>`
    insert into whatsapp (name, api, config, wanted) values ('Oficial', 'cloud_api', ${config}::text::jsonb, true) returning id`
  return line?.id ?? 0
}

function portOf({ url }: Measured): number {
  return Number(new URL(url).port)
}

/** Connections that are open on a port of this machine: after a crowd came in, its sockets. */
async function socketsOn(port: number): Promise<number> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1)
  return rows.filter(row => {
    const [, local = '', , state] = row.trim().split(/\s+/)
    return local.endsWith(wanted) && state === '01'
  }).length
}

/** Its configuration and certificates are small. */
async function largeFilesIn(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  return files.filter(file => Bun.file(join(file.parentPath, file.name)).size > MB).length
}
