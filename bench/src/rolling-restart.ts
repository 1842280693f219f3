// What a restart of one process after the other costs whoever works meanwhile: two servers behind one address, customers on phones of two
// kinds, and agents who answer. Every message is looked for in the database, on the customers' phones and at every agent's socket.
import { silenceSignal } from '@balcao/backend/messaging/channels/baileys/library-logger'
import { type AgentAtWork, connectAgents, type MessageMark, type ReceivedMark } from './agents.ts'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { type BenchDesk, replaceProcess, withDesk } from './desk.ts'
import { withFolder } from './engine.ts'
import { computePercentile, waitUntil } from './measure.ts'
import { makePeople } from './people.ts'
import { startServer } from './processes.ts'
import { findProxyProgram, type ProxyProgram, startProxy } from './proxies.ts'
import { listenToPhones } from './soak-count.ts'
import { retryUntilTaken } from './soak-load.ts'

export const rollingRestart: Benchmark = {
  name: 'rolling-restart',
  about:
    'two servers behind one address, each restarted under 100 messages/s with 50 agents’ sockets (--with=nginx or caddy: behind it)',
  onlyByName: true,
  async run(options) {
    silenceSignal()
    const sizes = {
      rate: readNumberOption(options, 'rate', 100),
      agents: readNumberOption(options, 'agents', 50),
      rounds: readNumberOption(options, 'rounds', 3),
      calmS: readNumberOption(options, 'calm', 10),
      drainS: readNumberOption(options, 'drain', 2),
      ...(options.with === undefined ? {} : { program: findProxyProgram(options.with) }),
    }
    return toFigures(await runRestarts(sizes, line => console.log(`  ${line}`)), sizes)
  },
}

export interface RestartSizes {
  /** Messages a second, of which agents write every tenth and customers the others. */
  readonly rate: number
  readonly agents: number
  /** How often each of the two processes is restarted. */
  readonly rounds: number
  /** So long nothing happens before the first restart and after the last. */
  readonly calmS: number
  readonly drainS: number
  /** Without one the balancer of the tests. */
  readonly program?: ProxyProgram
}

export interface RestartOutcome {
  readonly written: number
  readonly lost: readonly MessageMark[]
  readonly doubled: readonly string[]
  /** A message and a socket that was not told of it. */
  readonly unheard: number
  readonly resets: number
  /** Written by agents and not on the customer's phone, once. */
  readonly notOnPhones: readonly MessageMark[]
  /** Answers that were none of ours to give, each at the first try, by what they were. */
  readonly refused: ReadonlyMap<string, number>
  readonly returns: number
  readonly overHttp: WaitTimes
  readonly overPhones: WaitTimes
  /** The longest time without any message at any socket, in ms. */
  readonly silence: number
  /** The longest a process took to end, in s. */
  readonly endedIn: number
}

/** From when a message was due until the last socket had it, in ms: while nothing is restarted, and from the first end to the last start. */
export interface WaitTimes {
  readonly calm: readonly number[]
  readonly meanwhile: readonly number[]
}

const CUSTOMERS = 200
const PATIENCE_S = 90
const LONGEST_REPEATS_MS = 600_000
const AGENTS_SHARE = 10

/** Works, restarts each process `rounds` times, and counts. */
export function runRestarts(sizes: RestartSizes, say: (line: string) => void = () => {}): Promise<RestartOutcome> {
  const env = { DRAIN_SECONDS: String(sizes.drainS), TRUSTED_PROXIES: '127.0.0.1/32' }
  return withFolder(folder =>
    withDesk({ cloud: 4, baileys: 2, env, whatsapp: { ackDelayMs: 20 } }, async desk => {
      let second = await startServer(desk.env)
      const proxy = await startProxy([desk.url, second.url], folder, sizes.program)
      try {
        for (const { business, whatsappId } of desk.cloud)
          business.lane.url = `${proxy.url}/webhooks/cloud/${whatsappId}`
        const work = await begin(desk, proxy.url, sizes)
        await Bun.sleep(sizes.calmS * 1000)
        const restarting = { from: performance.now(), to: 0 }
        let endedIn = 0
        for (let round = 1; round <= sizes.rounds; round++) {
          const first = await desk.restart()
          const other = await replaceProcess(second, desk.env)
          second = other.next
          endedIn = Math.max(endedIn, first, other.endedIn)
          say(`round ${round} of ${sizes.rounds}: ended in ${first.toFixed(1)} s and ${other.endedIn.toFixed(1)} s`)
        }
        restarting.to = performance.now()
        await Bun.sleep(sizes.calmS * 1000)
        return { ...(await work.end(restarting)), endedIn }
      } finally {
        await proxy.stop()
        await second.stop()
      }
    }),
  )
}

interface Work {
  /** Ends the load, waits for what is under way, and counts. */
  end(restarting: { readonly from: number; readonly to: number }): Promise<Omit<RestartOutcome, 'endedIn'>>
}

/** Lets agents in and people write at the rate, whatever comes back, until it is ended. */
async function begin(desk: BenchDesk, url: string, { rate, agents: count }: RestartSizes): Promise<Work> {
  const { sql, simulator } = desk
  const due = new Map<MessageMark, number>()
  const last = new Map<MessageMark, number>()
  const refused = new Map<string, number>()
  const note = (reason: string) => void refused.set(reason, (refused.get(reason) ?? 0) + 1)
  let latest = performance.now()
  let silence = 0
  const onMessage = ({ mark }: ReceivedMark) => {
    const now = performance.now()
    silence = Math.max(silence, now - latest)
    latest = now
    last.set(mark, now)
  }
  const agents = await connectAgents({ config: desk.config, url, onMessage }, await makePeople(sql, count, 'gerente'))
  const phones = listenToPhones(desk)
  const stopListening = simulator.graph.on(event => {
    if (event.type === 'webhook' && event.result.outcome === 'retrying') note(`webhook ${event.result.status}`)
  })
  const customers = await sendFirstTexts(desk)
  const tickets = await acceptAll(desk)
  latest = performance.now()
  silence = 0

  const under = new Set<Promise<void>>()
  const failed: unknown[] = []
  let isOver = false
  const writing = (async () => {
    const start = performance.now()
    for (let n = 0; !isOver; n++) {
      const at = start + (n * 1000) / rate
      if (at > performance.now()) await Bun.sleep(at - performance.now())
      const mark: MessageMark = n % AGENTS_SHARE === 0 ? `OUT-${n}.` : `IN-${n}.`
      due.set(mark, Math.min(at, performance.now()))
      const one = (mark.startsWith('IN') ? customers(n, mark) : answer(n, mark)).catch(error => void failed.push(error))
      under.add(one)
      void one.finally(() => under.delete(one))
    }
  })()

  /** As a client does it: the same message under the same id until it was taken; every try that was not is told. */
  async function answer(n: number, mark: MessageMark): Promise<void> {
    const agent = agents[(n / AGENTS_SHARE) % agents.length]
    const ticket = tickets[(n / AGENTS_SHARE) % tickets.length]
    await retryUntilTaken(async () => {
      const tried = await agent?.call('POST', `/messages/${ticket}`, { body: mark, clientId: mark }).catch(() => null)
      if (!tried?.ok) note(`call ${tried?.status ?? 0}`)
      if (!tried) throw new Error('Nobody answered')
      return tried
    })
  }

  return {
    async end({ from, to }) {
      isOver = true
      await writing
      await Promise.all(under)
      if (failed.length > 0) throw failed[0]
      const marks = [...due.keys()]
      const missedBy = (agent: AgentAtWork) => marks.filter(mark => agent.heard(mark) === 0).length
      const unheard = () => agents.reduce((sum, agent) => sum + missedBy(agent), 0)
      // What was refused is repeated by its sender, after pauses that grow: only what was given up can be lost.
      await Promise.race([simulator.graph.idle(), Bun.sleep(LONGEST_REPEATS_MS)])
      await waitPatiently(() => unheard() === 0)
      const answers = marks.filter(mark => mark.startsWith('OUT'))
      await waitPatiently(() => answers.every(mark => phones.shown.has(mark)))
      phones.stop()
      stopListening()
      for (const agent of agents) agent.line.close()
      const rows = await sql<{ body: string; n: number }[]>`
        select body, count(*)::int as n from message where body ~ '^(IN|OUT)-' group by body`
      const stored = new Map(rows.map(({ body, n }) => [body, n]))
      const waitedFor = (some: readonly MessageMark[]): WaitTimes => {
        const times = (wanted: (at: number) => boolean) =>
          some.flatMap(mark => {
            const at = due.get(mark) ?? 0
            return wanted(at) ? (last.get(mark) ?? Number.NaN) - at : []
          })
        return {
          // What is due last before a restart may still wait when it begins.
          calm: times(at => at < from - 3000 || at > to + 3000),
          meanwhile: times(at => at >= from && at <= to),
        }
      }
      return {
        written: marks.length,
        lost: marks.filter(mark => !stored.has(mark)),
        doubled: rows.filter(({ n }) => n > 1).map(({ body }) => body),
        unheard: unheard(),
        resets: agents.reduce((sum, { line }) => sum + line.resets, 0),
        notOnPhones: answers.filter(mark => phones.shown.get(mark) !== 1),
        refused,
        returns: agents.reduce((sum, { line }) => sum + line.returns, 0),
        overHttp: waitedFor(marks.filter(mark => !isOverPhone(mark))),
        overPhones: waitedFor(marks.filter(isOverPhone)),
        silence,
      }
    },
  }
}

/** Everybody writes once, so that each has a ticket; then each writes on the line of the own. */
async function sendFirstTexts({
  simulator,
  cloud,
  phones,
  sql,
}: BenchDesk): Promise<(n: number, text: string) => Promise<void>> {
  const senders = Array.from({ length: CUSTOMERS }, (_, n) => {
    const number = `55319860${String(n).padStart(5, '0')}`
    const line = cloud[n % cloud.length]
    const phone = phones[Math.floor(n / 10) % phones.length]
    if (isOnPhone(n) && phone) {
      const customer = simulator.whatsapp.customer({ number, name: `Ana ${n}` })
      return (text: string) => customer.send(phone.company, { type: 'text', text })
    }
    const customer = simulator.graph.customer({ number, name: `Bia ${n}` })
    return async (text: string) => line && customer.send(line.business, { type: 'text', text })
  })
  const write = async (n: number, text: string) => void (await senders[n % senders.length]?.(text))
  for (let n = 0; n < CUSTOMERS; n++) await write(n, 'Bom dia')
  const tickets = async () => (await sql<{ n: number }[]>`select count(*)::int as n from ticket`)[0]?.n
  await waitUntil(async () => (await tickets()) === CUSTOMERS, PATIENCE_S, 'everybody has a ticket')
  return write
}

/** Every tenth customer writes to a phone, the others to official numbers. */
function isOnPhone(n: number): boolean {
  return n % 10 === 3
}

function isOverPhone(mark: MessageMark): boolean {
  return mark.startsWith('IN') && isOnPhone(Number(mark.slice(3, -1)) % CUSTOMERS)
}

/** All of them in service; every manager sees them. */
async function acceptAll({ sql, call }: BenchDesk): Promise<number[]> {
  const tickets = await sql<{ id: number }[]>`select id from ticket order by id`
  const [admin] = await sql<{ id: number }[]>`select id from "user" where profile = 'admin' limit 1`
  for (const { id } of tickets)
    await retryUntilTaken(() => call('PUT', `/tickets/${id}`, { status: 'open', userId: admin?.id }))
  return tickets.map(({ id }) => id)
}

/** What is not there after this long is counted as missing. */
async function waitPatiently(condition: () => boolean): Promise<void> {
  await waitUntil(condition, PATIENCE_S, 'all of it').catch(() => {})
}

function toFigures(restarted: RestartOutcome, { rate }: RestartSizes): Figure[] {
  const none = (label: string, value: number): Figure => ({ label, value, unit: '', aim: 0 })
  const refused = [...restarted.refused]
    .sort()
    .map(([label, times]) => none(`not answered with success: ${label}`, times))
  return [
    { label: `written at ${rate}/s`, value: restarted.written, unit: '' },
    none('lost', restarted.lost.length),
    none('doubled', restarted.doubled.length),
    none('an agent’s socket that was not told', restarted.unheard),
    none('sockets that had to begin afresh', restarted.resets),
    none('answers that are not on the customer’s phone once', restarted.notOnPhones.length),
    ...(refused.length > 0 ? refused : [none('calls and webhooks not answered with success', 0)]),
    { label: 'times a socket came back', value: restarted.returns, unit: '' },
    ...toTimeFigures('what comes over webhooks or is answered', restarted.overHttp),
    ...toTimeFigures('what comes over WhatsApp with Baileys', restarted.overPhones),
    { label: 'longest time without any message at any socket', value: restarted.silence, unit: 'ms' },
    { label: 'longest end of a process', value: restarted.endedIn, unit: 's', aim: 15 },
  ]
}

function toTimeFigures(label: string, { calm, meanwhile }: WaitTimes): Figure[] {
  const of = (name: string, read: (times: readonly number[]) => number): Figure => ({
    label: `${label}, due to the last of all sockets while processes are restarted, ${name}`,
    value: read(meanwhile),
    unit: 'ms',
    reference: { label: 'before and after', value: read(calm) },
  })
  return [
    of('p50', times => computePercentile(times, 0.5)),
    of('p99', times => computePercentile(times, 0.99)),
    of('longest', times => Math.max(...times)),
  ]
}
