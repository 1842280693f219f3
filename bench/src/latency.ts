// From a customer's phone to an agent's screen: messages at a steady rate through the whole real server, timed at its socket.
import { silenceSignal } from '@balcao/backend/messaging/channels/baileys/library-logger'
import { type Benchmark, type Figure, type Options, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { computePercentile, waitUntil } from './measure.ts'
import { startBare, startLoad } from './processes.ts'
import { type AgentSocket, openSocket } from './sockets.ts'

const CUSTOMERS = 200
/** Of each kind: Meta's double posts one after the other for each number. */
const NUMBERS = 4

export const latency: Benchmark = {
  name: 'latency',
  about:
    'from the customer’s send to the agent’s socket at a steady rate, over Graph webhooks and over WhatsApp, four numbers each; --busy: beside a process on each core that never rests',
  async run(options) {
    silenceSignal()
    const isBusy = options.busy !== undefined
    const load = isBusy ? startLoad() : null
    try {
      const graph = await withDesk({ cloud: NUMBERS, baileys: 0 }, desk => measureGraph(desk, options))
      const whatsapp = await withDesk({ cloud: 0, baileys: NUMBERS }, desk => measureWhatsApp(desk, options))
      const bare = await measureBareRoundtrip(options)
      return [
        ...toFigures('Graph webhook', graph, bare, isBusy),
        ...toFigures('WhatsApp with Baileys', whatsapp.times, bare, isBusy),
        { label: 'WhatsApp with Baileys, one line, a burst', value: whatsapp.burst, unit: '/s' },
      ]
    } finally {
      load?.stop()
    }
  },
}

function toFigures(way: string, times: readonly number[], bare: readonly number[], isBusy: boolean): Figure[] {
  return [
    { share: 0.5, name: 'p50', ...(isBusy ? {} : { aim: 30 }) },
    { share: 0.99, name: 'p99', aim: 150 },
  ].map(({ share, name, aim }) => ({
    label: `${way} to socket, ${name}`,
    value: computePercentile(times, share),
    unit: 'ms',
    reference: { label: 'post to socket in a bare process', value: computePercentile(bare, share) },
    ...(aim === undefined ? {} : { aim }),
  }))
}

/** Customers write to all connections over webhooks; `measuring` is called when what counts begins. */
export async function measureGraph(desk: BenchDesk, options: Options, measuring = () => {}): Promise<number[]> {
  const people = Array.from({ length: CUSTOMERS }, (_, n) => ({
    customer: desk.simulator.graph.customer({
      number: `+55 31 98${String(n).padStart(3, '0')}-0001`,
      name: `Cliente ${n}`,
    }),
    business: desk.cloud[n % desk.cloud.length]?.business,
  }))
  const send = async (n: number, text: string) => {
    const person = people[n % people.length]
    if (person?.business) await person.customer.send(person.business, { type: 'text', text })
  }
  return sendSteadily(await desk.socket(), options, send, measuring)
}

async function measureWhatsApp(desk: BenchDesk, options: Options): Promise<{ times: number[]; burst: number }> {
  const people = Array.from({ length: CUSTOMERS }, (_, n) =>
    desk.simulator.whatsapp.customer({ number: `5531970${String(n).padStart(6, '0')}`, name: `Cliente ${n}` }),
  )
  const send = async (n: number, text: string, line = n % desk.baileys.length) => {
    const company = desk.baileys[line]?.company
    if (company) await people[n % people.length]?.send(company, { type: 'text', text })
  }
  const times = await sendSteadily(await desk.socket(), options, send)
  return { times, burst: await measureDrain(desk, (n, text) => send(n, text, 0)) }
}

/** How many messages a second one line takes in when they all come at once, from people it knows. */
async function measureDrain(desk: BenchDesk, send: (n: number, text: string) => Promise<void>): Promise<number> {
  const [device] = desk.baileys[0]?.company.devices ?? []
  if (!device) throw new Error('There is no linked device.')
  const people = CUSTOMERS / desk.baileys.length
  let rate = 0
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    for (let n = 0; n < people; n++) await send(n * desk.baileys.length, `burst ${round} ${n}`)
    await waitUntil(() => device.waiting === 0, 60, 'a burst is taken in')
    rate = Math.max(rate, (people * 1000) / (performance.now() - start))
  }
  return rate
}

/** The same rate through a process that does nothing but pass on. */
async function measureBareRoundtrip(options: Options): Promise<number[]> {
  const server = await startBare()
  try {
    return await sendSteadily(await openSocket(server.url, 'none'), { ...options, seconds: '5' }, async (_, text) => {
      await fetch(`${server.url}/publish`, { method: 'POST', body: text })
    })
  } finally {
    await server.stop()
  }
}

/** Sends at the rate whatever comes back, after everybody has written once; answers each message's time in ms. */
async function sendSteadily(
  socket: AgentSocket,
  options: Options,
  send: (n: number, text: string) => Promise<void>,
  measuring = () => {},
): Promise<number[]> {
  const rate = readNumberOption(options, 'rate', 100)
  const seconds = readNumberOption(options, 'seconds', 30)
  const sent = new Map<string, number>()
  const times = new Map<string, number>()
  socket.heard = frame => {
    const now = performance.now()
    for (const [mark] of frame.matchAll(/LAT-\d+-[0-9a-f]{8}/g)) {
      const at = sent.get(mark)
      if (at !== undefined && !times.has(mark)) times.set(mark, now - at)
    }
  }
  const failures: unknown[] = []
  async function round(messages: number): Promise<number[]> {
    sent.clear()
    times.clear()
    const start = performance.now()
    const under: Promise<void>[] = []
    for (let n = 0; n < messages; n++) {
      const due = start + (n * 1000) / rate
      const wait = due - performance.now()
      if (wait > 0) await Bun.sleep(wait)
      const mark = `LAT-${n}-${crypto.randomUUID().slice(0, 8)}`
      // A message counts from when it was due: a sender that lags behind must not hide what it waited for.
      sent.set(mark, Math.min(due, performance.now()))
      under.push(send(n, mark).catch(error => void failures.push(error)))
    }
    await Promise.all(under)
    await waitUntil(
      () => times.size === messages || failures.length > 0,
      60,
      `all ${messages} messages are on the socket`,
    )
    if (failures.length > 0) throw failures[0]
    return [...times.values()]
  }
  await round(CUSTOMERS)
  await round(rate * 3)
  measuring()
  const measured = await round(rate * seconds)
  socket.close()
  return measured
}
