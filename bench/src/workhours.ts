// A day of work of a whole company, as fast as it goes: agents with sockets of their own accept, answer, hand on and close what customers
// write. Every message is looked for in the database, on the customers' phones and at the sockets it concerns; the server's memory is
// watched all the time.
import { join } from 'node:path'
import { silenceSignal } from '@balcao/backend/messaging/channels/baileys/library-logger'
import { connectAgents } from './agents.ts'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { waitUntil } from './measure.ts'
import { type BenchPerson, makePeople } from './people.ts'
import { listenToPhones } from './soak-count.ts'
import { countDay, type WorkdayCount } from './workhours-count.ts'
import { type BenchTeam, startDay } from './workhours-day.ts'

export const workhours: Benchmark = {
  name: 'workhours',
  about:
    '8 hours of a desk with 500 agents, as fast as it goes: memory flat, nothing lost (--agents, --hours, --rate a minute)',
  onlyByName: true,
  async run(options) {
    silenceSignal()
    const sizes = {
      agents: readNumberOption(options, 'agents', 500),
      hours: readNumberOption(options, 'hours', 8),
      rate: readNumberOption(options, 'rate', 12),
      atOnce: readNumberOption(options, 'at-once', 40),
      lines: { cloud: 8, baileys: 2 },
    }
    const day = await runDay(sizes, line => console.log(`  ${line}`))
    return toFigures(day, sizes)
  },
}

export interface DaySizes {
  readonly agents: number
  readonly hours: number
  /** Conversations that begin a minute. */
  readonly rate: number
  /** How many are held at a time. */
  readonly atOnce: number
  /** Connections of each kind; each has a queue, and the agents share the queues evenly. */
  readonly lines: { readonly cloud: number; readonly baileys: number }
}

export interface WorkHours extends WorkdayCount {
  readonly seconds: number
  readonly conversations: number
  readonly calls: number
  /** The least resident memory in each eighth of the day, in bytes; everything is collected once a minute. */
  readonly memory: readonly number[]
  /** What the server still holds for sockets, by its own counting, once everybody has left. */
  readonly left: number
}

const PARTS = 8
const LOOK_MS = 2000

/** Works through the day and counts. */
export function runDay(sizes: DaySizes, say: (line: string) => void = () => {}): Promise<WorkHours> {
  const { lines, hours, rate } = sizes
  const env = { METRICS_FROM: '127.0.0.1/32', BUN_OPTIONS: `--preload=${join(import.meta.dir, 'collect-often.ts')}` }
  return withDesk({ ...lines, env, whatsapp: { ackDelayMs: 20 } }, async desk => {
    const phones = listenToPhones(desk)
    const day = startDay(desk, Math.round(hours * 60 * rate))
    const teams = await connectTeams(desk, sizes, day)
    const watching = watchMemory(desk, () => day.share())
    const begun = performance.now()
    const telling = setInterval(() => {
      const { done, conversations } = day.progress()
      const mb = Math.round((watching.least().at(-1) ?? 0) / 1_000_000)
      say(`${seconds()} s: ${done} of ${conversations} conversations, ${phones.shown.size} answers on phones, ${mb} MB`)
    }, 30_000)
    function seconds(): number {
      return Math.round((performance.now() - begun) / 1000)
    }
    try {
      await day.work(teams, sizes.atOnce)
      const worked = (performance.now() - begun) / 1000
      const memory = watching.stop()
      const counted = await countDay(desk, day, teams, phones.shown)
      for (const { agents } of teams) for (const agent of agents) agent.line.close()
      await waitUntil(async () => (await countSockets(desk)) === 0, 60, 'every socket is let go').catch(() => {})
      const { conversations, calls } = day.progress()
      return { ...counted, seconds: worked, conversations, calls, memory, left: await countSockets(desk) }
    } finally {
      clearInterval(telling)
      watching.stop()
      phones.stop()
    }
  })
}

/** Everybody at work: a team for each connection, with the queue its tickets stand in. */
async function connectTeams(
  desk: BenchDesk,
  { agents }: DaySizes,
  { onMessage }: ReturnType<typeof startDay>,
): Promise<BenchTeam[]> {
  const { sql } = desk
  const people = await makePeople(sql, agents, 'user')
  const connections = await sql<{ id: number }[]>`select id from whatsapp order by id`
  await sql`delete from user_queue where user_id = any(${people.map(({ id }) => id)})`
  await sql`delete from queue`
  const teams: BenchTeam[] = []
  for (const [n, { id: whatsappId }] of connections.entries()) {
    const own = people.filter((_, at) => at % connections.length === n)
    const queueId = await makeQueue(desk, n, whatsappId, own)
    teams.push({
      whatsappId,
      queueId,
      agents: await connectAgents({ config: desk.config, url: desk.url, onMessage }, own),
    })
  }
  return teams
}

async function makeQueue(
  { sql }: BenchDesk,
  n: number,
  whatsappId: number,
  own: readonly BenchPerson[],
): Promise<number> {
  const color = `#${String(n + 1).padStart(6, '0')}`
  const [queue] = await sql<{ id: number }[]>`
    insert into queue (name, color) values (${`Equipe ${n + 1}`}, ${color}) returning id`
  const id = queue?.id ?? 0
  await sql`insert into whatsapp_queue (whatsapp_id, queue_id) values (${whatsappId}, ${id})`
  await sql`insert into user_queue (user_id, queue_id) select unnest(${own.map(person => person.id)}::int[]), ${id}`
  return id
}

/** The least in each part of the day. */
function watchMemory(desk: BenchDesk, share: () => number): { least(): number[]; stop(): number[] } {
  const least: number[] = []
  const timer = setInterval(() => {
    void desk.memory().then(now => {
      const part = Math.min(PARTS - 1, Math.floor(share() * PARTS))
      least[part] = Math.min(least[part] ?? Number.POSITIVE_INFINITY, now)
    })
  }, LOOK_MS)
  return {
    least: () => least,
    stop() {
      clearInterval(timer)
      return least
    },
  }
}

/** As many as the server counts itself. */
async function countSockets({ url }: BenchDesk): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^balcao_sockets(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1] ?? Number.NaN)
}

function toFigures(day: WorkHours, { agents, hours }: DaySizes): Figure[] {
  const none = (label: string, value: number): Figure => ({ label, value, unit: '', aim: 0 })
  const of = (part: number) => (day.memory[part] ?? Number.NaN) / 1_000_000
  return [
    { label: `conversations of ${hours} hours with ${agents} agents`, value: day.conversations, unit: '' },
    { label: 'messages, both ways', value: day.messages, unit: '' },
    { label: 'took', value: day.seconds / 60, unit: 'min', aim: 25 },
    { label: 'calls and webhooks a second', value: (day.calls + day.messages) / day.seconds, unit: '/s' },
    none('messages lost', day.lost.length),
    none('messages doubled', day.doubled.length),
    none('answers that are not on the customer’s phone once', day.notOnPhones.length),
    none('first words a colleague’s socket was not told of', day.unheardFirst),
    none('messages the agent’s own socket was not told of', day.unheardOwn),
    none('sockets that broke or had to begin afresh', day.broken),
    none('conversations that are not closed', day.unclosed),
    none('still waiting to be sent', day.waiting),
    none('sockets the server still counts when all have left', day.left),
    {
      ...{ label: 'resident memory in the last eighth of the day, the least', value: of(PARTS - 1), unit: 'MB' },
      ...{ reference: { label: 'in the second eighth', value: of(1) }, ratioAim: 1.15 },
    },
    {
      label: 'its growth over the second half of the day, an eighth',
      value: computeSlope(day.memory.slice(PARTS / 2)) / 1_000_000,
      unit: 'MB',
      aim: 4,
    },
  ]
}

/** How much it grows from one to the next: the line that lies nearest. */
export function computeSlope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) / spread
}
