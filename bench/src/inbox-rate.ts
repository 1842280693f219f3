// How many messages a second the inbox takes in, against the least a database can do: the same rows by prepared inserts.
import { createInboxBatcher } from '@balcao/backend/messaging/inbox/batcher'
import type { ChannelEvent } from '@balcao/backend/platform/channel/driver'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/platform/database/client'
import { type Benchmark, readNumberOption } from './benchmark.ts'
import { withDatabase } from './engine.ts'
import { makeTextMessage } from './messages.ts'

const CONNECTIONS = 2
export const CONTACTS = 1000

export const inboxRate: Benchmark = {
  name: 'inbox-rate',
  about: `messages of ${CONTACTS} contacts on ${CONNECTIONS} connections, taken in by the inbox on a durable database`,
  run(options) {
    return withDatabase('inbox', async url => {
      const db = openDatabase(url)
      try {
        const messages = readNumberOption(options, 'messages', 10_000)
        const connections = await makeConnections(db)
        // New contacts and tickets come first and do not count: a desk in its daily work has them.
        await measureIntake(db, connections, CONTACTS, 'first')
        await analyzeDatabase(db)
        await measureBareInserts(db, 200)
        const half = Math.ceil(messages / 2)
        const inboxFirst = await measureIntake(db, connections, half, 'a')
        const bare = await measureBareInserts(db, messages)
        const inboxSecond = await measureIntake(db, connections, half, 'b')
        const inbox = (2 * half) / (half / inboxFirst + half / inboxSecond)
        return [
          {
            label: 'inbox, sustained',
            value: inbox,
            unit: '/s',
            reference: { label: 'the same rows by bare prepared inserts, one transaction a message', value: bare },
            aim: 800,
            atLeast: true,
          },
        ]
      } finally {
        await closeDatabase(db)
      }
    })
  },
}

export async function makeConnections(db: Db): Promise<number[]> {
  const rows = await db.$client<{ id: number }[]>`
    insert into whatsapp (name, api) select 'Linha ' || n, 'baileys' from generate_series(1, ${CONNECTIONS}) n returning id`
  await db.$client`insert into queue (name, color) values ('Vendas', '#000001'), ('Suporte', '#000002')`
  return rows.map(row => row.id)
}

/** What Postgres does by itself within the first minutes: until then it guesses how much there is, and each run of this would guess otherwise. */
export async function analyzeDatabase(db: Db): Promise<void> {
  await db.$client`analyze`
}

/** Takes messages in as a channel that always has more: at most a hundred unanswered on each connection. Returns the rate a second. */
export async function measureIntake(
  db: Db,
  connections: readonly number[],
  messages: number,
  round: string,
  firstContact = 0,
): Promise<number> {
  const failures: unknown[] = []
  const start = performance.now()
  await Promise.all(
    connections.map(async (id, at) => {
      const taker = createInboxBatcher(db, { id }, { taken: () => {}, failed: error => failures.push(error) })
      const mine = Array.from({ length: Math.ceil(messages / connections.length) }, (_, n) => n)
      const workers = Array.from({ length: 100 }, async () => {
        for (let n = mine.shift(); n !== undefined; n = mine.shift())
          await taker.take([makeMessage(n * connections.length + at, round, firstContact)])
      })
      await Promise.all(workers)
      await taker.stop()
    }),
  )
  const seconds = (performance.now() - start) / 1000
  if (failures.length > 0) throw new Error(`The inbox refused ${failures.length} batches: ${failures[0]}`)
  return messages / seconds
}

function makeMessage(n: number, round: string, firstContact: number): ChannelEvent {
  const number = String(5531_900_000_000 + firstContact + (n % CONTACTS))
  return makeTextMessage(
    number,
    `3EB0${round}${n.toString(16).padStart(12, '0')}`,
    `Bom dia, queria saber do pedido ${n}`,
  )
}

/**
 * The rows the inbox leaves behind, and nothing else: raw event, message, ticket, two live events; one transaction a message,
 * statements prepared, as many at once as the inbox has connections.
 */
async function measureBareInserts(db: Db, messages: number): Promise<number> {
  const sql = db.$client
  const tickets = await sql<
    { id: number; contact_id: number; whatsapp_id: number }[]
  >`select id, contact_id, whatsapp_id from ticket order by id`
  const [event] = await sql<{ message: string; ticket: string }[]>`
    select (select payload from live_event where payload like '{"event":"appMessage"%' limit 1) as message,
      (select payload from live_event where payload like '{"event":"ticket"%' limit 1) as ticket`
  const run = crypto.randomUUID().slice(0, 8)
  const left = Array.from({ length: messages }, (_, n) => n)
  const start = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let n = left.shift(); n !== undefined; n = left.shift()) {
        const ticket = tickets[n % tickets.length]
        if (!ticket) throw new Error('There are no tickets to write to.')
        await insertBare(sql, { ...ticket, id: ticket.id, key: `bare${run}${n}` }, event ?? { message: '', ticket: '' })
      }
    }),
  )
  return messages / ((performance.now() - start) / 1000)
}

async function insertBare(
  sql: Db['$client'],
  at: { id: number; contact_id: number; whatsapp_id: number; key: string },
  event: { message: string; ticket: string },
): Promise<void> {
  const audience = JSON.stringify({
    to: 'ticket',
    ticketId: at.id,
    after: { status: 'pending', queueId: null, userId: null, ownerProfile: null, isGroup: false },
  })
  await sql.begin(async tx => {
    await tx`insert into raw_event (whatsapp_id, key, payload) values (${at.whatsapp_id}, ${at.key}, ${event.message})`
    const [seq] = await tx<{ n: number }[]>`
      update ticket set message_seq = message_seq + 1, unread_messages = unread_messages + 1, last_message = ${at.key}, last_message_at = now(),
        updated_at = now(), version = version + 1 where id = ${at.id} returning message_seq as n`
    await tx`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, provider_id, chat, from_me, author_id, body, state, raw)
      values (${at.id}, ${at.contact_id}, ${at.whatsapp_id}, ${seq?.n ?? 0}, now(), ${at.key}, ${at.key}, false, ${at.contact_id}, ${'Bom dia, queria saber do pedido'}, 'received', ${event.message}::text::jsonb)`
    await tx`
      insert into live_event (audience, payload) values (${audience}::text::jsonb, ${event.message}), (${audience}::text::jsonb, ${event.ticket})`
  })
}
