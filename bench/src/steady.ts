// A desk for as long as a shift goes on: messages at a steady rate to people who listen all the while, and what the server holds of memory meanwhile.
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { waitUntil } from './measure.ts'
import { createSocketTokens, makePeople } from './people.ts'
import { openSockets } from './sockets.ts'

const CUSTOMERS = 200
/** How often the server is asked what it holds. */
const SAMPLE_MS = 5000

export const steady: Benchmark = {
  name: 'steady',
  about:
    'memory of the server after an hour at 100 messages/s with 50 sockets (--seconds, --rate, --sockets, --cloud and --baileys numbers)',
  onlyByName: true,
  run(options) {
    const rate = readNumberOption(options, 'rate', 100)
    const seconds = readNumberOption(options, 'seconds', 3600)
    const sockets = readNumberOption(options, 'sockets', 50)
    const numbers = { cloud: readNumberOption(options, 'cloud', 2), baileys: readNumberOption(options, 'baileys', 2) }
    return withDesk(numbers, desk => measureSteady(desk, rate, seconds, sockets))
  },
}

async function measureSteady(desk: BenchDesk, rate: number, seconds: number, count: number): Promise<Figure[]> {
  const people = await makePeople(desk.sql, count, 'admin')
  let heard = 0
  const closed: number[] = []
  const sockets = await openSockets(desk.url, await createSocketTokens(desk.sql, people), {
    closed: (_, at) => closed.push(at),
  })
  for (const socket of sockets)
    socket.heard = frame => {
      if (frame.includes('"STEADY-')) heard++
    }
  const [idle, rested] = [await desk.memory(), await desk.processor()]
  const samples: number[] = []
  const timer = setInterval(() => void desk.memory().then(bytes => samples.push(bytes)), SAMPLE_MS)
  const sent = await sendSteadily(desk, rate, seconds)
  clearInterval(timer)
  const stored = async () => {
    const [row] = await desk.sql<{ n: number }[]>`select count(*)::int as n from message where body like 'STEADY-%'`
    return row?.n === sent
  }
  await waitUntil(stored, 120, `all ${sent} messages are stored`, 1000)
  const worked = (await desk.processor()) - rested
  for (const socket of sockets) socket.close()
  if (closed.length > 0) throw new Error(`${closed.length} sockets were closed`)
  // The last tenth: what it holds at the end, not in the one moment of the last sample.
  const end = samples.slice(-Math.max(1, Math.floor(samples.length / 10))).sort((a, b) => a - b)
  const megabytes = (bytes: number): number => bytes / 1024 / 1024
  return [
    {
      label: `memory after ${seconds} s at ${rate}/s with ${count} sockets, median of the last tenth`,
      value: megabytes(end[Math.floor(end.length / 2)] ?? Number.NaN),
      unit: 'MB',
      reference: { label: 'before the first message', value: megabytes(idle) },
      aim: 150,
    },
    { label: 'the most of any sample', value: megabytes(Math.max(...samples)), unit: 'MB' },
    { label: 'messages stored', value: sent, unit: '' },
    { label: 'processor time of the server for each', value: (worked * 1000) / sent, unit: 'ms' },
    { label: 'frames with a message, per message and socket', value: heard / sent / count, unit: '' },
  ]
}

/** Sends by turns to every number; answers how many were sent. */
async function sendSteadily(desk: BenchDesk, rate: number, seconds: number): Promise<number> {
  const lines = desk.cloud.length + desk.baileys.length
  const graph = Array.from({ length: CUSTOMERS }, (_, n) =>
    desk.simulator.graph.customer({ number: `+55 31 98${String(n).padStart(3, '0')}-0001`, name: `Cliente ${n}` }),
  )
  const phones = Array.from({ length: CUSTOMERS }, (_, n) =>
    desk.simulator.whatsapp.customer({ number: `5531970${String(n).padStart(6, '0')}`, name: `Cliente ${n}` }),
  )
  const send = async (n: number): Promise<void> => {
    const text = `STEADY-${n} bom dia, o pedido já saiu?`
    const line = n % lines
    const customer = Math.floor(n / lines) % CUSTOMERS
    const business = desk.cloud[line]?.business
    if (business) await graph[customer]?.send(business, { type: 'text', text })
    else {
      const company = desk.baileys[line - desk.cloud.length]?.company
      if (company) await phones[customer]?.send(company, { type: 'text', text })
    }
  }
  const failures: unknown[] = []
  const start = performance.now()
  const total = rate * seconds
  for (let n = 0; n < total && failures.length === 0; n++) {
    const wait = start + (n * 1000) / rate - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    void send(n).catch(error => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
  return total
}
