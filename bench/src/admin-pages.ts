// The pages of the administration at the size of a large company: people, queues, settings, and a log of millions. Called as the routes
// call them, in this process; a small and a large company are asked in turn.
import { listQueues } from '@balcao/backend/desk/queues/list'
import { getUser, listUsers } from '@balcao/backend/desk/users/list'
import { listLog } from '@balcao/backend/operations/log/list'
import { readConfig } from '@balcao/backend/platform/config'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { hashEmail, seal } from '@balcao/backend/platform/seal'
import { listSettings } from '@balcao/backend/policy/settings/list'
import { DEFAULTS, type QueryParams, toSettingTexts } from '@balcao/contract'
import postgres from 'postgres'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { compare, type ListQuestion, makeSession } from './lists.ts'
import { dropIndexes, ensureKeptDatabase, type SeededDatabase } from './seeded.ts'

/** To be raised when the data below changes. */
const EDITION = 2
const DATA_KEY = 'a key of these databases alone'
const ZONE = 'America/Sao_Paulo'
const SMALL = { people: 50, rows: 50_000 }

export const adminPages: Benchmark = {
  name: 'admin-pages',
  about: 'pages of users, queues, settings and the log at 500 people and 5,000,000 log rows, in process',
  async run(options) {
    const times = readNumberOption(options, 'times', 300)
    const size = {
      people: readNumberOption(options, 'people', 500),
      rows: readNumberOption(options, 'rows', 5_000_000),
    }
    const small = await openCompany(SMALL)
    const large = await openCompany(size)
    try {
      const figures: Figure[] = []
      for (const question of QUESTIONS) figures.push(...(await compare(question, small, large, times, { p95: 10 })))
      return figures
    } finally {
      await small.close()
      await large.close()
    }
  },
}

const ADMIN = makeSession(1, 'admin', [])
const CONFIG = readConfig({ DATA_KEY, DATABASE_URL: 'postgres://unused', DATA_DIR: '/nonexistent' })

const QUESTIONS: readonly ListQuestion[] = [
  makePeopleQuestion('first page of users', () => ({})),
  makePeopleQuestion('users, a page by cursor', (_, cursors) => ({ cursor: cursors })),
  makePeopleQuestion('users, searched by a part of the name', n => ({ searchParam: `ssoa 1${n % 5}` })),
  {
    label: 'one person, with live tickets',
    on:
      async ({ db }) =>
      n =>
        getUser(db, CONFIG, ADMIN, 2 + (n % 40)),
  },
  {
    label: 'queues',
    on:
      async ({ db }) =>
      () =>
        listQueues(db),
  },
  {
    label: 'settings',
    on:
      async ({ db }) =>
      () =>
        listSettings(db, ADMIN),
  },
  log('first page of the log', () => ({})),
  log('log, a page deep down by cursor', (_, cursor) => ({ cursor })),
  log('log of one person', n => ({ userId: 2 + (n % 40) })),
  log('log of one kind and person', n => ({ entity: 'user', userId: 2 + (n % 40) })),
  log('log, one rare action', () => ({ action: 'setting.createToken' })),
  log('log of one rare source', () => ({ origem: 'terminal' })),
  log('log of one source and person', n => ({ origem: 'phone', userId: 2 + (n % 40) })),
  log('log of a month', () => ({ firstDate: '2026-03-01', lastDate: '2026-03-31' })),
  log('log, searched by a name', n => ({ searchParam: `Pessoa ${1000 + (n % 40)}` })),
  // Each of these has a history; of all tickets every second one has none, so that the middle figure would be of either half by chance.
  log('history of one ticket', n => ({ entity: 'ticket', entityId: 1 + 10 * (n % 100) })),
  log('history of one queue', n => ({ entity: 'queue', entityId: 1 + 10 * (n % 5) })),
]

function makePeopleQuestion(
  label: string,
  queryOf: (n: number, cursor: string) => QueryParams<'GET /users'>,
): ListQuestion {
  return {
    label,
    async on({ db }) {
      const first = await listUsers(db, CONFIG, ADMIN, {})
      return n => listUsers(db, CONFIG, ADMIN, queryOf(n, first.nextCursor ?? ''))
    },
  }
}

function log(label: string, queryOf: (n: number, cursor: string) => QueryParams<'GET /log'>): ListQuestion {
  return {
    label,
    async on({ db, tickets: rows }) {
      const [deep] = await db.$client<{ id: number; at: string }[]>`
        select id::float8 as id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USOF') as at
        from log_entry where id = ${Math.floor(rows / 3)}`
      const cursor = Buffer.from(JSON.stringify([deep?.at, deep?.id])).toString('base64url')
      return n => listLog(db, ADMIN.viewer, queryOf(n, cursor), ZONE)
    },
  }
}

interface Size {
  readonly people: number
  readonly rows: number
}

/** A company of so many people, with a queue for every ten of them, every setting changed once, and so long a log. */
async function openCompany({ people: many, rows }: Size): Promise<SeededDatabase> {
  const label = `${many} people and ${rows.toLocaleString('en-US')} entries of the log`
  const url = await ensureKeptDatabase(`company_${many}_${rows}_${EDITION}`, label, made => fill(made, many, rows))
  const db = openDatabase(url)
  return { tickets: rows, url, db, close: () => closeDatabase(db) }
}

const ACTIONS = [
  'ticket.accept',
  'ticket.transfer',
  'ticket.resolve',
  'ticket.close',
  'ticket.route',
  'contact.update',
  'message.forward',
  'user.update',
  'queue.update',
  'setting.update',
]

async function fill(url: string, many: number, rows: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const queues = Math.ceil(many / 10)
  const emails = Array.from({ length: many }, (_, n) => `pessoa${n + 1}@empresa.example`)
  try {
    const indexes = await dropIndexes(sql, ['log_entry'])
    await sql.unsafe(
      `set session_replication_role = replica; set maintenance_work_mem = '1GB'; set synchronous_commit = off`,
    )
    await sql`insert into queue (name, color, greeting_message, custom_order)
      select 'Fila ' || n, '#' || lpad(to_hex(n * 99991), 6, '0'), repeat('Olá! ', 40), n from generate_series(1, ${queues}) n`
    await sql`
      insert into "user" (name, email_sealed, email_hash, password_hash, profile)
      select 'Pessoa ' || 999 + n, sealed, hash, 'none', case when n = 1 then 'admin' when n % 20 = 0 then 'gerente' else 'user' end
      from unnest(${emails.map(email => seal(DATA_KEY, email))}::text[], ${emails.map(email => hashEmail(DATA_KEY, email))}::text[])
        with ordinality as made(sealed, hash, n)`
    await sql`insert into user_queue (user_id, queue_id)
      select n, 1 + (n + k) % ${queues} from generate_series(1, ${many}) n, generate_series(0, 2) k on conflict do nothing`
    await sql`insert into queue_turn (queue_id, user_id) select queue_id, user_id from user_queue where user_id % 3 = 0`
    await sql`insert into whatsapp (name, api, status) values ('Loja', 'baileys', 'CONNECTED')`
    await sql`insert into contact (name, number) select 'Cliente ' || n, (5531900000000 + n)::text from generate_series(1, 20000) n`
    await sql`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id)
      select 'open', n, 1, 1 + n % ${queues}, 1 + n % ${many} from generate_series(1, 20000) n`
    await sql`insert into ticket_tally (status, queue_id, user_id, is_group, unread, n)
      select status, queue_id, user_id, false, false, count(*) from ticket group by 1, 2, 3`
    const texts = toSettingTexts(DEFAULTS)
    await sql`insert into setting (key, value, user_id)
      select key, value, 1 from unnest(${texts.map(([key]) => key)}::text[], ${texts.map(([, value]) => value)}::text[]) made(key, value)
      on conflict (key) do update set user_id = 1`
    await sql`
      insert into log_entry (action, params, origem, user_id, ticket_id, contact_id, queue_id, whatsapp_id, entity_id, source, created_at)
      select action, case when origem = 'user' then '{"changes":[{"field":"name","from":"Ana","to":"Ana Lima"}]}'::jsonb end, origem,
        case when n % 9 > 0 then 1 + (n * 7919) % ${many} end, case when origem = 'ticket' then 1 + (n * 31) % 20000 end,
        case when origem in ('ticket', 'contact') then 1 + (n * 31) % 20000 end,
        case when origem in ('ticket', 'queue') then 1 + n % ${queues} end, case when origem = 'ticket' then 1 end,
        case when origem = 'user' then 1 + n % ${many} end,
        case when n % 9 = 0 then 'auto' when n % 5000 = 1 then 'terminal' when n % 4 = 0 then 'phone' else 'web' end, timestamptz '2026-11-20T12:00:00Z' - (${rows} - n) * (interval '600 days' / ${rows})
      from (select n, action, split_part(action, '.', 1) as origem from (
        select n, case when n % 100000 = 0 then 'setting.createToken' else (${ACTIONS}::text[])[1 + (n * 13) % ${ACTIONS.length}] end as action
        from generate_series(1::bigint, ${rows}) n) chosen) made`
    for (const definition of indexes) await sql.unsafe(definition)
    await sql.unsafe('set session_replication_role = origin')
    await sql.unsafe('vacuum (analyze)')
  } finally {
    await sql.end({ timeout: 5 })
  }
}
