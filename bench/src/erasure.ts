// Somebody with very many messages is erased from a large desk while customers write: how long it takes, and whether it holds anybody up.
import { readConfig } from '@balcao/backend/config'
import { closeDatabase, openDatabase } from '@balcao/backend/database/client'
import { sqlOf } from '@balcao/backend/database/raw'
import { eraseDue } from '@balcao/backend/privacy/erase'
import { type Benchmark, type Figure, numberOption } from './benchmark.ts'
import { withDatabase, withFolder } from './engine.ts'
import { percentile } from './measure.ts'
import { seeded } from './seeded.ts'
import { customers, withTimes } from './sweep.ts'

const NUMBER = '5531977770001'
const QUIET = 400

export const erasure: Benchmark = {
  name: 'erasure',
  about: 'a person with 20,000 messages erased among 1,000,000 tickets while customers write, in process',
  onlyByName: true,
  run: options =>
    withFolder(async dataDir => {
      const [tickets, messages] = [
        numberOption(options, 'tickets', 1_000_000),
        numberOption(options, 'messages', 20_000),
      ]
      const whole = await seeded(tickets)
      await whole.close()
      return withDatabase(
        'erasure',
        url => measured(url, dataDir, { tickets, messages }),
        new URL(whole.url).pathname.slice(1),
      )
    }),
}

async function measured(url: string, dataDir: string, { tickets, messages }: Size): Promise<Figure[]> {
  const db = openDatabase(url)
  const sql = sqlOf(db)
  try {
    const contactId = await aPerson(sql, messages)
    const [line] = await sql<{ id: number }[]>`select id from whatsapp order by id limit 1`
    const writers = customers(db, line?.id ?? 0)
    await writers.for(QUIET / 2)
    const quiet = await writers.for(QUIET)
    const { timed, transactions } = withTimes(db)
    const busy = writers.until()
    const started = performance.now()
    const config = readConfig({ DATA_DIR: dataDir, DATA_KEY: 'chave-da-medida-de-apagar-uma-pessoa' })
    const erased = await eraseDue({
      config,
      db: timed,
      log: { error: (fields: object) => console.error(fields), info() {}, warn() {} } as never,
      ring: () => {},
    })
    const seconds = (performance.now() - started) / 1000
    const meanwhile = await busy.stop()
    if (erased !== 1) throw new Error(`${erased} people were erased`)
    const [left] = await sql<{ n: number }[]>`select count(*)::int as n from message where contact_id = ${contactId}`
    if (left?.n !== 0) throw new Error(`${left?.n} messages are left`)
    const before = (share: number) => ({ what: 'before', value: percentile(quiet, share) })
    const ms = { unit: 'ms' } as const
    return [
      { what: `a person with ${messages} messages erased among ${tickets} tickets`, value: seconds, unit: 's' },
      { what: 'batches, each a transaction', value: transactions.length, unit: '' },
      { what: 'a batch: p50', value: percentile(transactions, 0.5), ...ms },
      { what: 'the longest batch', value: Math.max(...transactions), ...ms, aim: 5000 },
      {
        what: 'a message taken in meanwhile: p50',
        value: percentile(meanwhile, 0.5),
        ...ms,
        reference: before(0.5),
      },
      {
        what: 'a message taken in meanwhile: p99',
        value: percentile(meanwhile, 0.99),
        ...ms,
        reference: before(0.99),
      },
      { what: 'the longest taking-in of a message meanwhile', value: Math.max(...meanwhile), ...ms, aim: 5000 },
    ]
  } finally {
    await closeDatabase(db)
  }
}

interface Size {
  readonly tickets: number
  readonly messages: number
}

/** With one closed ticket, and a mention of the number in somebody else's words. */
async function aPerson(sql: ReturnType<typeof sqlOf>, messages: number): Promise<number> {
  const [row] = await sql<{ contactId: number; ticketId: number; whatsappId: number }[]>`
    with who as (insert into contact (name, number) values ('Pessoa da Medida', ${NUMBER}) returning id),
      t as (insert into ticket (status, contact_id, whatsapp_id, closed_at, message_seq)
        select 'closed', who.id, (select id from whatsapp order by id limit 1), now(), ${messages} from who returning id, contact_id, whatsapp_id)
    select contact_id as "contactId", id as "ticketId", whatsapp_id as "whatsappId" from t`
  if (!row) throw new Error('no ticket')
  await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${NUMBER}, ${row.contactId})`
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
    select ${row.ticketId}, ${row.contactId}, ${row.whatsappId}, n, now() - n * interval '1 minute', false, 'palavras ' || n, 'received'
    from generate_series(1, ${messages}::int) n`
  await sql`
    insert into privacy_erasure (contact_id, user_id, due_at) select ${row.contactId}, min(id), now() from "user" where profile = 'admin'`
  return row.contactId
}
