// What taking messages in costs beside what was taken in before, and how much room all of it takes: the same contacts write to databases
// with one and with ten million tickets, in turn.
import type { Db } from '@balcao/backend/database/client'
import { type Benchmark, type Figure, numberOption } from './benchmark.ts'
import { CONTACTS, takeIn } from './inbox-rate.ts'
import { type Seeded, seeded } from './seeded.ts'

const ROUNDS = 3

export const growth: Benchmark = {
  name: 'growth',
  about:
    'messages taken in by databases with 1,000,000 and 10,000,000 tickets, and their sizes; minutes to an hour to make',
  onlyByName: true,
  async run(options) {
    const messages = numberOption(options, 'messages', 10_000)
    const small = await seeded(numberOption(options, 'small', 1_000_000))
    const large = await seeded(numberOption(options, 'large', 10_000_000))
    try {
      const [few, many] = await inTurn([small, large], messages)
      return [
        {
          what: `inbox at ${large.tickets.toLocaleString('en-US')} tickets`,
          value: many ?? 0,
          unit: '/s',
          reference: { what: `at ${small.tickets.toLocaleString('en-US')}`, value: few ?? 0 },
          aim: 800,
          atLeast: true,
        },
        ...(await sizes(small, large)),
      ]
    } finally {
      await small.close()
      await large.close()
    }
  },
}

/** Messages a second in each, the rounds of all taken together; the databases are left as they were. */
async function inTurn(worlds: readonly Seeded[], messages: number): Promise<number[]> {
  const run = crypto.randomUUID().slice(0, 8)
  const seconds = worlds.map(() => 0)
  const lines: number[][] = []
  // New tickets come first and do not count: a desk in its daily work has them.
  for (const { db } of worlds) {
    const own = await linesOf(db)
    lines.push(own)
    await takeIn(db, own, CONTACTS, `${run}f`)
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, { db }] of worlds.entries())
      seconds[at] = (seconds[at] ?? 0) + messages / (await takeIn(db, lines[at] ?? [], messages, `${run}${round}`))
  for (const [at, { db }] of worlds.entries()) {
    await db.$client`delete from ticket where whatsapp_id = any(${lines[at] ?? []}::int[])`
    await db.$client`delete from live_event`
    await db.$client`vacuum (analyze) ticket, message`
  }
  return seconds.map(all => (ROUNDS * messages) / all)
}

/** Two connections of their own, the same in every run: a connection that has had messages cannot go without reading all of them. */
async function linesOf(db: Db): Promise<number[]> {
  const known = await db.$client<{ id: number }[]>`select id from whatsapp where name like 'Linha %' order by id`
  if (known.length > 0) return known.map(row => row.id)
  const made = await db.$client<{ id: number }[]>`
    insert into whatsapp (name, api, wanted) select 'Linha ' || n, 'baileys', false from generate_series(1, 2) n returning id`
  return made.map(row => row.id)
}

const SIZES = {
  'the whole database': 'pg_database_size(current_database())',
  'messages, with their indexes': `pg_total_relation_size('message')`,
  'of it the trigrams of searches': `pg_relation_size('message_text_search')`,
  'tickets, with their indexes': `pg_total_relation_size('ticket')`,
}

async function sizes(small: Seeded, large: Seeded): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [what, expression] of Object.entries(SIZES)) {
    const gigabytes = async ({ db }: Seeded) => {
      const [row] = await db.$client.unsafe<{ bytes: string }[]>(`select ${expression}::text as bytes`)
      return Number(row?.bytes) / 2 ** 30
    }
    const reference = { what: `at ${small.tickets.toLocaleString('en-US')}`, value: await gigabytes(small) }
    figures.push({ what, value: await gigabytes(large), unit: 'GiB', reference })
  }
  return figures
}
