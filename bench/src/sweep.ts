// What the clock does to tickets while customers write: whether a sweep over 100,000 live tickets holds anybody up.
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/database/client'
import { sqlOf } from '@balcao/backend/database/raw'
import { receive } from '@balcao/backend/inbox/receive'
import { closeIdle } from '@balcao/backend/sweeps/close-idle'
import { closeUnrated } from '@balcao/backend/sweeps/close-unrated'
import { giveIdle } from '@balcao/backend/sweeps/give-idle'
import { type Benchmark, numberOption } from './benchmark.ts'
import { withDatabase } from './engine.ts'
import { percentile, timeEach } from './measure.ts'
import { textMessage } from './messages.ts'

/** A Tuesday, noon in São Paulo: idle tickets are closed then. Whoever writes during the run wrote after it. */
const NOW = '2025-11-25T15:00:00Z'
const LONG_AGO = '2025-11-25T10:00:00Z'
const LATELY = '2025-11-25T14:59:00Z'
const WRITERS = 200
/** Messages a second of customers, spread evenly. */
const PACE = 40
const LOOKS = 30

export const sweep: Benchmark = {
  name: 'sweep',
  about: 'idle and unanswered tickets among 100,000 live ones given out and closed while customers write, in process',
  run(options) {
    return withDatabase('sweep', async url => {
      const [desk, own] = [openDatabase(url), openDatabase(url, { max: 4 })]
      try {
        const [live, due] = [numberOption(options, 'live', 100_000), numberOption(options, 'due', 2000)]
        const { timed, transactions } = withTimes(own)
        const sweeping = { db: timed, ring() {}, log: { error: (fields: object) => console.error(fields) } }
        const line = await makeDesk(desk)
        const empty = await timeEach(LOOKS, () => allSweeps(sweeping))
        await makeTickets(desk, line, live, due)
        const writers = customers(desk, line)
        await writers.for(WRITERS)
        const quiet = await writers.for(PACE * 10)
        const started = performance.now()
        const busy = writers.until()
        const done = await allSweeps(sweeping)
        const seconds = (performance.now() - started) / 1000
        const meanwhile = await busy.stop()
        if (done !== due) throw new Error(`${done} of ${due} tickets were swept`)
        const looks = await timeEach(LOOKS, () => allSweeps(sweeping), 2)
        const ms = { unit: 'ms' } as const
        const alone = (share: number) => ({ what: 'without a sweep', value: percentile(quiet, share) })
        return [
          {
            what: 'longest transaction of a sweep',
            value: Math.max(...transactions),
            ...ms,
            reference: { what: 'longest taking-in of a message meanwhile', value: Math.max(...meanwhile) },
            ratioAim: 3,
          },
          {
            what: 'transaction of a sweep: p50',
            value: percentile(transactions, 0.5),
            ...ms,
            reference: { what: 'a message taken in meanwhile', value: percentile(meanwhile, 0.5) },
          },
          {
            what: 'a message taken in meanwhile: p50',
            value: percentile(meanwhile, 0.5),
            ...ms,
            reference: alone(0.5),
          },
          {
            what: 'a message taken in meanwhile: p95',
            value: percentile(meanwhile, 0.95),
            ...ms,
            reference: alone(0.95),
            ratioAim: 2,
          },
          { what: `tickets swept, ${due} due of ${live}`, value: done / seconds, unit: '/s' },
          {
            what: `all sweeps, nothing due of ${live}: p50`,
            value: percentile(looks, 0.5),
            ...ms,
            reference: { what: 'among none', value: percentile(empty, 0.5) },
            aim: 100,
          },
        ]
      } finally {
        await closeDatabase(own)
        await closeDatabase(desk)
      }
    })
  },
}

async function allSweeps(sweeping: Parameters<typeof giveIdle>[0]): Promise<number> {
  const clock = () => new Date(NOW)
  let done = 0
  for (const each of [giveIdle, closeIdle, closeUnrated]) done += await each(sweeping, clock)
  return done
}

/** The same database, and how long each transaction of it took. */
export function withTimes(db: Db): { timed: Db; transactions: number[] } {
  const transactions: number[] = []
  const transaction: Db['transaction'] = async (work, config) => {
    const start = performance.now()
    try {
      return await db.transaction(work, config)
    } finally {
      transactions.push(performance.now() - start)
    }
  }
  return { timed: Object.create(db, { transaction: { value: transaction } }), transactions }
}

/** Customers with live tickets who write at their pace; how long each message took to be taken in. */
export function customers(db: Db, line: number) {
  let n = 0
  const write = async (samples: number[]) => {
    n++
    const text = textMessage(
      String(5531_900_000_000 + (n % WRITERS)),
      `3EB0${n.toString(16).padStart(16, '0')}`,
      'Bom dia!',
    )
    const start = performance.now()
    await receive(db, { id: line }, [text])
    samples.push(performance.now() - start)
  }
  async function atPace(goesOn: (written: number) => boolean): Promise<number[]> {
    const samples: number[] = []
    const writing: Promise<void>[] = []
    const start = performance.now()
    for (let written = 0; goesOn(written); written++) {
      writing.push(write(samples))
      await Bun.sleep(Math.max(0, start + ((written + 1) * 1000) / PACE - performance.now()))
    }
    await Promise.all(writing)
    return samples
  }
  return {
    for: (messages: number) => atPace(written => written < messages),
    until() {
      let stopped = false
      const samples = atPace(() => !stopped)
      return {
        stop: () => {
          stopped = true
          return samples
        },
      }
    },
  }
}

/** Ten queues, four people each, all there, and a line. */
async function makeDesk(db: Db): Promise<number> {
  const sql = sqlOf(db)
  const [line] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, farewell_message) values ('Loja Centro', 'baileys', 'Até logo, {{name}}!') returning id`
  if (!line) throw new Error('no connection')
  await sql`insert into setting (key, value) values ('queueCron', 'enabled'), ('closeCron', 'enabled')`
  await sql`insert into queue (name, color) select 'Fila ' || n, '#' || lpad(n::text, 6, '0') from generate_series(1, 10) n`
  await sql`
    insert into "user" (name, email_sealed, email_hash, password_hash, status)
    select 'Pessoa ' || n, '', n::text, '', 'online' from generate_series(1, 40) n`
  await sql`insert into user_queue (user_id, queue_id) select id, 1 + id % 10 from "user"`
  return line.id
}

/** Half of what is due is idle, a quarter waits, a quarter was asked for a rating. */
async function makeTickets(db: Db, line: number, live: number, due: number): Promise<void> {
  await db.transaction(async tx => {
    const quick = sqlOf(tx)
    await quick`set local session_replication_role = replica`
    await quick`insert into contact (name, number) select 'Cliente ' || n, (5521900000000 + n)::text from generate_series(1, ${live}) n`
    await quick`insert into contact_channel (contact_id, whatsapp_id, jid) select id, ${line}, number || '@s.whatsapp.net' from contact`
    await quick`
      insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id, last_message_at, created_at)
      select id, ${line}, status, 1 + n % 10, case when status <> 'pending' then 1 + n % 40 end, since, since
      from (select id, n, (array['open', 'pending', 'open', 'nps'])[1 + n % 4] as status,
          case when n < ${due} then ${LONG_AGO} else ${LATELY} end::timestamptz as since
        from (select id, (row_number() over (order by id) - 1)::int as n from contact) numbered) given`
    await quick`
      insert into ticket_span (ticket_id, status, queue_id, user_id, begun_at)
      select id, status, queue_id, user_id, last_message_at from ticket`
  })
  await sqlOf(db)`vacuum analyze ticket, ticket_span, contact, contact_channel`
}
