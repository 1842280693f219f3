// Who writes what in a soak: customers on both channels, and an agent who answers over the API like a patient client.
import type { Customer } from '@balcao/simulator/graph/people'
import type { CustomerPhone } from '@balcao/simulator/whatsapp/index'
import type { BenchDesk } from './desk.ts'
import { waitUntil } from './measure.ts'

/** How many were sent so far, each way. */
export interface Progress {
  requests: number
  answered: number
}

export interface People {
  readonly whatsapp: readonly CustomerPhone[]
  readonly graph: readonly Customer[]
}

/** Numbers that differ on both channels, so that every contact has one ticket. */
export function makeCustomers({ simulator }: BenchDesk, count: number): People {
  const number = (prefix: string, n: number) => `55319${prefix}${String(n).padStart(6, '0')}`
  const numbers = Array.from({ length: count }, (_, n) => n)
  return {
    whatsapp: numbers.map(n =>
      simulator.whatsapp.customer({
        number: number('70', n),
        name: `Ana ${n}`,
        addressing: n % 2 === 0 ? 'lid' : 'pn',
      }),
    ),
    graph: numbers.map(n => simulator.graph.customer({ number: number('80', n), name: `Bia ${n}` })),
  }
}

/** Everybody writes once, and the agent accepts all tickets. */
export async function openTickets(desk: BenchDesk, people: People): Promise<void> {
  const { sql } = desk
  const { phones, cloud } = desk
  const all = people.whatsapp.length + people.graph.length
  for (const [n, customer] of people.whatsapp.entries()) {
    const line = phones[n % phones.length]
    if (line) await customer.send(line.company, { type: 'text', text: 'Bom dia' })
  }
  for (const [n, customer] of people.graph.entries()) {
    const line = cloud[n % cloud.length]
    if (line) await customer.send(line.business, { type: 'text', text: 'Bom dia' })
  }
  const count = async (status: string) =>
    (await sql<{ n: number }[]>`select count(*)::int as n from ticket where status = ${status}`)[0]?.n ?? 0
  await waitUntil(async () => (await count('pending')) === all, 120, `${all} tickets wait`)
  const [agent] = await sql<{ id: number }[]>`select id from "user" order by id limit 1`
  for (const { id } of await sql<{ id: number }[]>`select id from ticket`)
    await retryUntilTaken(() => desk.call('PUT', `/tickets/${id}`, { status: 'open', userId: agent?.id }))
  await waitUntil(async () => (await count('open')) === all, 60, `${all} tickets are open`)
}

/** More than this between the customers' phones and the database would only fill memory. */
const MOST_UNDER_WAY = 400

/** Sends the customers' messages, half on each channel and even over its lines, each with a mark of its own. */
export async function askAll(desk: BenchDesk, people: People, messages: number, progress: Progress): Promise<void> {
  const half = Math.floor(messages / 2)
  const { phones, cloud } = desk
  const overWhatsApp = phones.map(({ whatsappId, company }, line) => {
    const own = people.whatsapp.filter((_, n) => n % phones.length === line)
    return sendPaced(desk, whatsappId, share(half, phones.length, line), async n => {
      await own[n % own.length]?.send(company, { type: 'text', text: `IN-w${line}-${n}.` })
      progress.requests++
    })
  })
  const overGraph = cloud.map(({ whatsappId, business }, line) => {
    const own = people.graph.filter((_, n) => n % cloud.length === line)
    return sendPaced(desk, whatsappId, share(messages - half, cloud.length, line), async n => {
      await own[n % own.length]?.send(business, { type: 'text', text: `IN-g${line}-${n}.` })
      progress.requests++
    })
  })
  await Promise.all([...overWhatsApp, ...overGraph])
}

/** Part `index` of a number that is cut into `parts`. */
function share(total: number, parts: number, index: number): number {
  return Math.floor((total * (index + 1)) / parts) - Math.floor((total * index) / parts)
}

async function sendPaced(
  desk: BenchDesk,
  whatsappId: number,
  count: number,
  send: (n: number) => Promise<void>,
): Promise<void> {
  const AT_ONCE = 20
  let next = 0
  let stored = 0
  const before = await countStored(desk, whatsappId)
  const looking = setInterval(() => {
    countStored(desk, whatsappId).then(
      now => {
        stored = now - before
      },
      () => {}, // the next look tells
    )
  }, 250)
  try {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let n = next++; n < count; n = next++) {
          for (let wait = 0; n - stored > MOST_UNDER_WAY && wait < 3000; wait++) await Bun.sleep(20)
          await send(n)
        }
      }),
    )
  } finally {
    clearInterval(looking)
  }
}

/** What a connection took in, from the tickets' counters: counting messages again and again would be the heaviest load of all. */
async function countStored({ sql }: BenchDesk, whatsappId: number): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select ((select coalesce(sum(message_seq), 0) from ticket where whatsapp_id = ${whatsappId})
      - (select count(*) from outbox where whatsapp_id = ${whatsappId} and operation = 'message'))::int as n`
  return row?.n ?? 0
}

/** The agent's answers, over the API, each tried until the server has taken it. */
export async function answerAll(desk: BenchDesk, people: People, messages: number, progress: Progress): Promise<void> {
  const tickets = await desk.sql<{ id: number }[]>`select id from ticket order by whatsapp_id, id`
  const half = people.whatsapp.length
  const lanes = [tickets.slice(0, half), tickets.slice(half)]
  let next = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let n = next++; n < messages; n = next++) {
        const lane = lanes[n % 2] ?? []
        const ticket = lane[Math.floor(n / 2) % lane.length]
        const body = { body: `OUT-${n}.`, clientId: `soak-${n}` }
        if (ticket) await retryUntilTaken(() => desk.call('POST', `/messages/${ticket.id}`, body))
        progress.answered++
        await slowDown(desk, n, progress)
      }
    }),
  )
}

/** Lets the way out keep up: a queue of thousands would say nothing about kills in the middle of a send. */
async function slowDown({ sql }: BenchDesk, n: number, progress: Progress): Promise<void> {
  if (n % 50 !== 0) return
  for (let wait = 0; wait < 600; wait++) {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from outbox where state in ('queued', 'sending')`
    if ((row?.n ?? 0) < 200 || progress.answered < 0) return
    await Bun.sleep(50)
  }
}

/** Tries until the server has taken it, as a client does whose line breaks; a refusal ends it. */
export async function retryUntilTaken(call: () => Promise<Response>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call().catch(() => null)
    const text = (await answer?.text().catch(() => null)) ?? null
    if (answer?.ok && text !== null) return
    if (answer && answer.status < 500 && answer.status !== 429 && text !== null)
      throw new Error(`The server refused: ${answer.status} ${text.slice(0, 200)}`)
    if (attempt > 600) throw new Error('The server did not take it in two minutes.')
    await Bun.sleep(Math.min(200, 10 * attempt))
  }
}
