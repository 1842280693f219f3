// A desk of two thousand people, each with a socket, over several server processes on one Postgres, beside the same people on one process:
// how long after its commit a message is with everybody who may see it, and what a process and the database hold for it.
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/database/client'
import { openNotices } from '@balcao/backend/database/notices'
import { receive } from '@balcao/backend/inbox/receive'
import { emailHash, hashToken, seal } from '@balcao/backend/seal'
import { type Benchmark, type Figure, numberOption } from './benchmark.ts'
import { onServer, withDatabase, withFolder } from './engine.ts'
import { percentile, until } from './measure.ts'
import { textMessage } from './messages.ts'
import { DATA_KEY, type Person, socketTokens } from './people.ts'
import { type Measured, startServer } from './processes.ts'
import { type AgentSocket, openSockets } from './sockets.ts'

export const crowd: Benchmark = {
  name: 'crowd',
  about: '2,000 people with a socket each over four server processes on one Postgres, and over one',
  onlyByName: true,
  async run(options) {
    const size: Size = {
      people: numberOption(options, 'people', 2000),
      queues: numberOption(options, 'queues', 50),
      events: numberOption(options, 'events', 30),
      rate: numberOption(options, 'rate', 50),
      seconds: numberOption(options, 'seconds', 20),
    }
    const processes = numberOption(options, 'processes', 4)
    return withDatabase('crowd', url =>
      withFolder(async dataDir => {
        const several = await letIn(url, dataDir, processes, size)
        const one = await letIn(url, dataDir, 1, size)
        return figures(several, one, processes)
      }),
    )
  },
}

interface Size {
  readonly people: number
  readonly queues: number
  readonly events: number
  /** Messages a second of all queues in turn, and for how long. */
  readonly rate: number
  readonly seconds: number
}

interface Result {
  /** In ms from the commit: to each socket, and to the last of all, of messages that everybody may see. */
  readonly everybody: readonly number[]
  readonly last: readonly number[]
  /** The same for messages of one queue, at a rate. */
  readonly queue: readonly number[]
  readonly queueLast: readonly number[]
  /** Frames with words that were not for who got them. */
  readonly strangers: number
  /** Until all were in, one crowd of 250 after the other. */
  readonly letInMs: number
  readonly idleBytes: number
  readonly fullBytes: number
  /** Of a processor, for each process, while everybody came in and while messages of queues came at the rate. */
  readonly letInShare: number
  readonly queueShare: number
  readonly connections: number
}

async function letIn(url: string, dataDir: string, processes: number, size: Size): Promise<Result> {
  const db = openDatabase(url, { max: 8 })
  const notices = openNotices(db)
  const servers: Measured[] = []
  const sockets: (AgentSocket & { readonly queue: number })[] = []
  try {
    for (let n = 0; n < processes; n++)
      servers.push(await startServer({ DATABASE_URL: url, DATA_KEY, DATA_DIR: dataDir }))
    const world = await worldOf(db, size)
    const send = async (number: string, mark: string) => {
      await receive(db, { id: world.whatsappId }, [textMessage(number, mark, mark)])
      const committed = performance.now()
      notices.ring('live')
      return committed
    }
    // Somebody is let in first, so that what is weighed is not the compiler.
    await Promise.all(servers.map((server, at) => warm(server, db, world.people.slice(at * 20, at * 20 + 20))))
    const idleBytes = await weightOf(servers)
    const coming = await working(servers)
    const begun = performance.now()
    for (const [at, server] of servers.entries()) {
      const here = world.people.filter((_, n) => n % processes === at)
      for (let from = 0; from < here.length; from += 250) {
        const some = here.slice(from, from + 250)
        const opened = await openSockets(server.url, await socketTokens(db.$client, some))
        for (const [n, socket] of opened.entries()) sockets.push(Object.assign(socket, { queue: some[n]?.queue ?? 0 }))
      }
    }
    const letInMs = performance.now() - begun
    const letInShare = await coming()
    const fullBytes = await weightOf(servers)
    const toAll = await toEverybody(sockets, send, size)
    const writing = await working(servers)
    const toQueues = await toEachQueue(sockets, send, world, size)
    const queueShare = await writing()
    const connections = await connectionsOf(url)
    return { ...toAll, ...toQueues, letInMs, idleBytes, fullBytes, letInShare, queueShare, connections }
  } finally {
    for (const socket of sockets) socket.close()
    await Promise.all(servers.map(server => server.stop()))
    await notices.close()
    await closeDatabase(db)
  }
}

type Send = (number: string, mark: string) => Promise<number>

/** Of a ticket without a queue: everybody may see it. One after the other. */
async function toEverybody(
  sockets: readonly AgentSocket[],
  send: Send,
  { events }: Size,
): Promise<Pick<Result, 'everybody' | 'last'>> {
  const everybody: number[] = []
  const last: number[] = []
  for (let n = 0; n < events; n++) {
    const mark = `ALL-${crypto.randomUUID()}`
    const arrivals: number[] = []
    for (const socket of sockets)
      socket.heard = text => {
        if (!text.includes(mark)) return
        arrivals.push(performance.now())
        socket.heard = () => {}
      }
    const committed = await send('5531987650001', mark)
    await until(() => arrivals.length === sockets.length, 30, `all ${sockets.length} sockets have ${mark}`)
    for (const at of arrivals) everybody.push(Math.max(0, at - committed))
    last.push(Math.max(...arrivals) - committed)
  }
  return { everybody, last }
}

/** Of tickets that wait in a queue, as fast as they are due: whoever has the queue sees it, and nobody else. */
async function toEachQueue(
  sockets: readonly (AgentSocket & { readonly queue: number })[],
  send: Send,
  world: World,
  { rate, seconds }: Size,
): Promise<Pick<Result, 'queue' | 'queueLast' | 'strangers'>> {
  const committed = new Map<string, number>()
  const arrivals = new Map<string, number[]>()
  let strangers = 0
  for (const socket of sockets) {
    const seen = new Set<string>()
    socket.heard = text => {
      const at = performance.now()
      const mark = /QUEUE-(\d+)-[0-9a-f-]{36}/.exec(text)
      if (!mark || seen.has(mark[0])) return
      seen.add(mark[0])
      if (Number(mark[1]) !== socket.queue) strangers++
      else arrivals.get(mark[0])?.push(at)
    }
  }
  const begun = performance.now()
  for (let n = 0; n < rate * seconds; n++) {
    const wait = begun + (n * 1000) / rate - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    const queue = world.queues[n % world.queues.length]
    if (!queue) break
    const mark = `QUEUE-${queue.id}-${crypto.randomUUID()}`
    arrivals.set(mark, [])
    committed.set(mark, await send(queue.number, mark))
  }
  const wanted = (mark: string) => sockets.filter(({ queue }) => mark.startsWith(`QUEUE-${queue}-`)).length
  const missing = () => [...arrivals].filter(([mark, all]) => all.length < wanted(mark)).length
  await until(() => missing() === 0, 60, 'everybody has what is for the own queue')
  const times = [...arrivals].map(([mark, all]) => all.map(at => Math.max(0, at - (committed.get(mark) ?? 0))))
  return { queue: times.flat(), queueLast: times.map(all => Math.max(...all)), strangers }
}

interface World {
  readonly whatsappId: number
  readonly people: readonly (Person & { readonly queue: number })[]
  /** With the number of a customer whose ticket waits in it. */
  readonly queues: readonly { readonly id: number; readonly number: string }[]
}

/** People who are signed in, in as many queues, each with a ticket that waits; and a connection. */
async function worldOf({ $client: sql }: Db, { people, queues }: Size): Promise<World> {
  const run = crypto.randomUUID().slice(0, 8)
  const [connection] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, wanted) values (${`Loja ${run}`}, 'baileys', false) returning id`
  const whatsappId = connection?.id ?? 0
  const made = await sql<{ id: number; number: string }[]>`
    insert into queue (name, color) select ${`Fila ${run} `} || n, '#' || substr(md5(${run} || n), 1, 6) || n from generate_series(1, ${queues}::int) n
    returning id, (5531970000000 + id)::text as number`
  const contacts = await sql<{ id: number; number: string }[]>`
    insert into contact (name, number) select 'Cliente ' || number, number from unnest(${made.map(({ number }) => number)}::text[]) number
    returning id, number`
  await sql`
    insert into contact_identity (kind, value, contact_id)
    select 'pn', number, id from contact where id = any(${contacts.map(({ id }) => id)}::int[])`
  await sql`
    insert into ticket (status, contact_id, whatsapp_id, queue_id)
    select 'pending', id, ${whatsappId}, (number::bigint - 5531970000000)::int from contact where id = any(${contacts.map(({ id }) => id)}::int[])`
  const families = Array.from({ length: people }, () => crypto.randomUUID())
  const emails = Array.from({ length: people }, (_, n) => `pessoa-${run}-${n}@balcao.example`)
  const ids = await sql<{ id: number }[]>`
    insert into "user" (name, email_sealed, email_hash, password_hash, profile)
    select 'Pessoa ' || x.hash, x.sealed, x.hash, 'none', 'user' from unnest(${emails.map(email => seal(DATA_KEY, email))}::text[],
      ${emails.map(email => emailHash(DATA_KEY, email))}::text[]) as x(sealed, hash) returning id`
  const ofAll = ids.map(({ id }, n) => ({
    ...{ id, profile: 'user' as const, family: families[n] ?? '' },
    queue: made[n % made.length]?.id ?? 0,
  }))
  await sql`
    insert into refresh_token (user_id, family, hash, expires_at)
    select x.id, x.family, x.hash, now() + interval '1 day' from unnest(${ofAll.map(({ id }) => id)}::int[],
      ${families}::text[], ${families.map(hashToken)}::text[]) as x(id, family, hash)`
  await sql`
    insert into user_queue (user_id, queue_id) select * from unnest(${ofAll.map(({ id }) => id)}::int[], ${ofAll.map(({ queue }) => queue)}::int[])`
  return { whatsappId, people: ofAll, queues: made }
}

async function warm(server: Measured, { $client: sql }: Db, some: readonly Person[]): Promise<void> {
  for (const socket of await openSockets(server.url, await socketTokens(sql, some))) socket.close()
}

/** The least that each holds within six seconds, the heaviest of them. */
async function weightOf(servers: readonly Measured[]): Promise<number> {
  const least = servers.map(() => Number.POSITIVE_INFINITY)
  for (let n = 0; n < 12; n++) {
    for (const [at, server] of servers.entries())
      least[at] = Math.min(least[at] ?? Number.POSITIVE_INFINITY, await server.memory())
    await Bun.sleep(500)
  }
  return Math.max(...least)
}

/** From now until it is asked: how much of a processor each of them took, on average. */
async function working(servers: readonly Measured[]): Promise<() => Promise<number>> {
  const all = async () => {
    const each = await Promise.all(servers.map(server => server.processor()))
    return each.reduce((sum, seconds) => sum + seconds, 0)
  }
  const [before, begun] = [await all(), performance.now()]
  return async () => ((await all()) - before) / servers.length / ((performance.now() - begun) / 1000)
}

/** Connections of the servers to their database; the benchmark's own listen there, too. */
async function connectionsOf(url: string): Promise<number> {
  const [row] = await onServer(
    url,
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name <> 'balcao' and backend_type = 'client backend'`,
  )
  return Number(row?.n) - 1
}

function figures(several: Result, one: Result, processes: number): Figure[] {
  const at = (what: string, of: (result: Result) => number, unit: string, aim?: number): Figure => ({
    what,
    value: of(several),
    unit,
    reference: { what: 'all on one process', value: of(one) },
    ...(aim === undefined ? {} : { aim }),
  })
  const MB = 2 ** 20
  return [
    at('commit to each of all sockets, p50', result => percentile(result.everybody, 0.5), 'ms'),
    at('commit to each of all sockets, p99', result => percentile(result.everybody, 0.99), 'ms', 100),
    at('commit to the last of all sockets, p50', result => percentile(result.last, 0.5), 'ms'),
    at('commit to each of a queue, p50', result => percentile(result.queue, 0.5), 'ms'),
    at('commit to each of a queue, p99', result => percentile(result.queue, 0.99), 'ms', 100),
    at('commit to the last of a queue, p99', result => percentile(result.queueLast, 0.99), 'ms'),
    at('until all of them were in', result => result.letInMs / 1000, 's'),
    at('frames for somebody else', result => result.strangers, '', 0),
    at('a process without sockets, the heaviest', result => result.idleBytes / MB, 'MB'),
    at('a process with its sockets, the heaviest', result => result.fullBytes / MB, 'MB'),
    at('of a processor, each process while all come in', result => result.letInShare * 100, '%'),
    at('of a processor, each process at the rate', result => result.queueShare * 100, '%'),
    at(`connections to Postgres, all of ${processes} processes`, result => result.connections, ''),
  ]
}
