// What comes after one table: the product's own statements asked of partitioned copies of messages and tickets, which partitions each of them
// reads and what that costs beside the whole tables. Nothing of it is how the product stores anything today (docs/scaling.md).
import { dashboardCards } from '@balcao/backend/dashboard/cards'
import { openedByContact } from '@balcao/backend/dashboard/opened'
import { dashboardStats } from '@balcao/backend/dashboard/stats'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/database/client'
import { receive } from '@balcao/backend/inbox/receive'
import { placeOfMessage } from '@balcao/backend/messages/conversation'
import { messagePage } from '@balcao/backend/messages/page'
import { searchMessages } from '@balcao/backend/messages/search'
import { claimDue } from '@balcao/backend/outbox/claim'
import { countTickets } from '@balcao/backend/tickets/counts'
import { listTickets } from '@balcao/backend/tickets/list'
import { searchTickets } from '@balcao/backend/tickets/search'
import { type PlanNode, recorder } from '../../backend/test/recorded-plans.ts'
import { type Benchmark, type Figure, numberOption } from './benchmark.ts'
import { withDatabase } from './engine.ts'
import { sessionOf } from './lists.ts'
import { percentile, timeEach } from './measure.ts'
import { textMessage } from './messages.ts'
import { cutTable, isPartOf, type Layout } from './partitioned.ts'
import { seeded } from './seeded.ts'
import { word } from './sentences.ts'

export const partitions: Benchmark = {
  name: 'partitions',
  about:
    'the statements of lists, conversations, searches, outbox and inbox on partitioned copies of the tables; minutes to make',
  onlyByName: true,
  async run(options) {
    const tickets = numberOption(options, 'tickets', 1_000_000)
    const times = numberOption(options, 'times', 40)
    const months = numberOption(options, 'months', 36)
    const world = await seeded(tickets)
    await world.close()
    const source = new URL(world.url).pathname.slice(1)
    const all: readonly Layout[] = [
      { name: 'whole', tables: {} },
      { name: `messages in ${months} months`, tables: { message: { by: 'time', column: 'at', parts: months } } },
      {
        name: 'messages and tickets in 16 by contact',
        tables: {
          message: { by: 'hash', column: 'contact_id', parts: 16 },
          ticket: { by: 'hash', column: 'contact_id', parts: 16 },
        },
      },
    ]
    const layouts = all.filter(({ name }) => name === 'whole' || !options.layout || name.includes(options.layout))
    const whole = new Map<string, number>()
    const figures: Figure[] = []
    for (const layout of layouts)
      for (const { what, ms, read } of await withDatabase('parts', url => asked(url, layout, times), source)) {
        if (layout.name === 'whole') whole.set(what, ms)
        else
          figures.push({
            what: `${layout.name}: ${what}${read}`,
            value: ms,
            unit: 'ms',
            reference: { what: 'whole tables', value: whole.get(what) ?? Number.NaN },
          })
      }
    return figures
  },
}

interface Asked {
  readonly what: string
  /** At p50, as the product asks. */
  readonly ms: number
  /** Which partitions were read. */
  readonly read: string
}

async function asked(url: string, layout: Layout, times: number): Promise<Asked[]> {
  const db = openDatabase(url)
  const plans = recorder(url, 'force_custom_plan')
  try {
    await someToSend(db)
    for (const [table, cut] of Object.entries(layout.tables)) {
      const begun = performance.now()
      const changes = await db.$client.reserve().then(async sql => {
        try {
          return await cutTable(sql, table, cut)
        } finally {
          sql.release()
        }
      })
      console.log(
        `  ${layout.name}: ${table} cut in ${((performance.now() - begun) / 1000).toFixed(0)} s; ${JSON.stringify(changes)}`,
      )
    }
    const all: Asked[] = []
    for (const [what, ask] of Object.entries(await questions(db))) {
      try {
        const nodes = await plans.nodesOf(() => ask(plans.db, 0))
        const samples = await timeEach(times, n => ask(db, n), 6)
        const found = { what, ms: percentile(samples, 0.5), read: readOf(nodes, layout) }
        console.log(`  ${layout.name}: ${what}${found.read}: ${found.ms.toFixed(2)} ms`)
        all.push(found)
      } catch (error) {
        console.log(`  ${layout.name}: ${what} does not work: ${error instanceof Error ? error.message : error}`)
      }
    }
    return all
  } finally {
    await plans.end()
    await closeDatabase(db)
  }
}

type Question = (db: Db, n: number) => Promise<unknown>

async function questions({ $client: sql }: Db): Promise<Record<string, Question>> {
  const admin = sessionOf(1, 'admin', [])
  const user = sessionOf(7, 'user', [7, 8, 9])
  const long = (
    await sql<{ id: number }[]>`
      select id from ticket where message_seq > 40 and not is_group and queue_id in (7, 8, 9) and (user_id is null or user_id = 7)
      order by md5(id::text) limit 40`
  ).map(row => row.id)
  const some = (await sql<{ id: number }[]>`select id::float8 as id from message where id % 20011 = 0 limit 40`).map(
    row => row.id,
  )
  const [deep] = await sql<{ id: number; at: string }[]>`
    select id, to_char(last_message_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from ticket where status = 'closed' and id >= (select max(id) / 2 from ticket) order by id limit 1`
  const cursor = Buffer.from(JSON.stringify([deep?.at, deep?.id])).toString('base64url')
  const [line] = await sql<{ epoch: number }[]>`select epoch::float8 as epoch from whatsapp where id = 1`
  const now = new Date()
  const month = { firstDate: `${now.toISOString().slice(0, 8)}01`, lastDate: now.toISOString().slice(0, 10) }
  const zone = 'America/Sao_Paulo'
  const of = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length]
  return {
    'first page of open, user': db => listTickets(db, user, { status: 'open', showAll: 'false' }),
    'first page of closed, user': db => listTickets(db, user, { status: 'closed', showAll: 'false' }),
    'deep page of closed, admin': db => listTickets(db, admin, { status: 'closed', showAll: 'true', cursor }),
    badges: db => countTickets(db, admin, { showAll: 'true' }),
    'conversation, newest page': (db, n) => messagePage(db, user, of(long, n) ?? 0, {}),
    'one message by its id': (db, n) => placeOfMessage(db, user, of(some, n) ?? 0).catch(() => null),
    'search: a common word': (db, n) => searchTickets(db, admin, { searchMessage: word(8 + (n % 9)), showAll: 'true' }),
    'search: a word of 1 in 1,500': (db, n) =>
      searchTickets(db, admin, { searchMessage: word(2600 + (n % 10)), showAll: 'true' }),
    'search: one order number': (db, n) =>
      searchTickets(db, user, { searchMessage: String(100 * (4 + 5 * ((n * 7919) % 150_000)) + 1), showAll: 'true' }),
    'search inside a conversation': (db, n) => searchMessages(db, user, of(long, n) ?? 0, word(80 + (n % 10))),
    'outbox: claim what is due': db => claimDue(db, { whatsappId: 1, epoch: line?.epoch ?? 0 }, 4),
    'inbox: one message': async (db, n) => {
      const id = crypto.randomUUID()
      const event = textMessage(String(5531900000002 + 2 * (n % 50)), id, `Bom dia ${id}`)
      const { undigested } = await receive(db, { id: 1 }, [event])
      if (undigested === 0) return
      const [kept] = await db.$client<{ error: string }[]>`
        select error from raw_event where error is not null order by received_at desc limit 1`
      throw new Error(kept?.error)
    },
    'messages of a day, counted': db => db.$client`
      select date_bin('15 minutes', m.at, 'epoch'), count(*) from message m
      where m.at >= now() - interval '40 days' and m.at < now() - interval '39 days' group by 1`,
    'dashboard: counters of the month': db => dashboardStats(db, month, zone, now),
    'dashboard: cards': db => dashboardCards(db, month, zone, now),
    'dashboard: by contact': db => openedByContact(db, month, zone, now),
  }
}

/** Two thousand messages that wait to be sent, of as many contacts. */
async function someToSend({ $client: sql }: Db): Promise<void> {
  await sql`
    insert into outbox (whatsapp_id, contact_id, message_id, operation, payload)
    select distinct on (m.contact_id) 1, m.contact_id, m.id, 'message', '{}' from message m
    where m.whatsapp_id = 1 and m.id % 97 = 0 order by m.contact_id, m.id limit 2000`
  await sql`analyze outbox`
}

/** `, message 1 of 36` for every table that is cut; partitions that were planned for and never asked are not read. */
function readOf(nodes: readonly PlanNode[], { tables }: Layout): string {
  return Object.entries(tables)
    .map(([table, { parts }]) => {
      const own = nodes.filter(node => isPartOf(table, node['Relation Name'] ?? ''))
      if (own.length === 0) return ''
      const read = new Set(own.flatMap(node => ((node['Actual Loops'] ?? 0) > 0 ? (node['Relation Name'] ?? []) : [])))
      return `, ${table} ${read.size} of ${parts}`
    })
    .join('')
}
