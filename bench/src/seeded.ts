// Databases with very many tickets, made by SQL in minutes and kept on the benchmarks' server for the next run.
import { removeWorkingHours } from '@balcao/backend/app/seed/always-open'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/platform/database/client'
import { migrate } from '@balcao/backend/platform/database/migrate'
import { createLogger } from '@balcao/backend/platform/logger'
import { makeJobTables } from '@balcao/backend/platform/worker/run'
import postgres from 'postgres'
import { getEngineUrl, runOnServer, toDatabaseUrl } from './engine.ts'
import { makeSentences, SENTENCES } from './sentences.ts'

/** To be raised when the data below changes: older databases are then made anew. */
const EDITION = 7
const QUEUES = 10
const USERS = 30
export const SECONDS_APART = 20

export interface SeededDatabase {
  readonly tickets: number
  readonly url: string
  readonly db: Db
  close(): Promise<void>
}

/**
 * A database with so many tickets, a tenth as many contacts and twice as many messages. One ticket in fifty is live; small ones have
 * more contacts and live tickets, so that every page is full in both. Of 30 people the first is an administrator, 2 and 3 are managers;
 * everybody has three of the ten queues (from the one of the own number on), and only tickets of these. A ticket is opened every
 * twenty seconds unless said otherwise.
 */
export async function openSeededDatabase(tickets: number, secondsApart = SECONDS_APART): Promise<SeededDatabase> {
  const url = await ensureKeptDatabase(
    nameSeededDatabase(tickets, secondsApart),
    `${tickets.toLocaleString('en-US')} tickets`,
    made => fillDesk(made, { tickets, secondsApart }),
  )
  const db = openDatabase(url)
  return { tickets, url, db, close: () => closeDatabase(db) }
}

/** What it is called on the benchmarks' server. */
export function nameSeededDatabase(tickets: number, secondsApart = SECONDS_APART): string {
  return `seeded_${tickets}_${EDITION}${secondsApart === SECONDS_APART ? '' : `_${secondsApart}s`}`
}

/** The address of a database that is filled once and kept for the next run; `what` is told while it is made. */
export async function ensureKeptDatabase(
  name: string,
  part: string,
  fillIt: (url: string) => Promise<void>,
): Promise<string> {
  const server = await getEngineUrl()
  const url = toDatabaseUrl(server, name)
  const [known] = await runOnServer(
    server,
    `select shobj_description(oid, 'pg_database') as state from pg_database where datname = '${name}'`,
  )
  const usable = known?.state === 'complete' && (await tryMigrate(url))
  if (!usable) {
    console.log(`  making ${part} (kept for the next run)…`)
    await runOnServer(server, `drop database if exists ${name} with (force)`)
    await runOnServer(server, `create database ${name}`)
    await makeTables(url)
    await removeWorkingHours(url)
    await fillIt(url)
    await runOnServer(server, `comment on database ${name} is 'complete'`)
  }
  return url
}

/** Brings a kept database to the newest tables; false when its own history is another one. */
async function tryMigrate(url: string): Promise<boolean> {
  try {
    await makeTables(url)
    return true
  } catch {
    return false
  }
}

/** Those of the jobs too: some of what is measured asks for one. */
async function makeTables(url: string): Promise<void> {
  await migrate(url)
  await makeJobTables({ url, log: createLogger({ logLevel: 'silent' }) })
}

/** Rows are made in parts, so that what takes long tells how far it is; two connections make the most of two cores. */
const PART = 250_000
const MAKERS = 2

/** What is made: by default, of tickets and what hangs on them, what `openSeededDatabase` says. */
export interface DeskShape {
  readonly tickets: number
  readonly secondsApart: number
  readonly contacts?: number
  readonly live?: number
  /** Of how many messages the ticket `n` is, as SQL. */
  readonly messages?: string
  /** The id the provider gave message `k` of ticket `t`, as SQL. */
  readonly providerId?: string
}

/** Fills a database that has its tables and nothing in them. */
export async function fillDesk(url: string, shape: DeskShape): Promise<void> {
  const { tickets, secondsApart } = shape
  const makers = Array.from({ length: MAKERS }, () => postgres(url, { max: 1, onnotice: () => {} }))
  const [sql] = makers
  if (!sql) throw new Error('Nobody makes anything')
  const {
    contacts = Math.max(tickets / 10, Math.min(tickets / 2, 5000)),
    live = Math.max(tickets / 50, Math.min(tickets * 0.4, 4000)),
    messages = 'case when n % 40 = 0 then 41 else 1 end',
    providerId = "'P' || t.id || '-' || k",
  } = shape
  const ranges = Array.from({ length: Math.ceil(tickets / PART) }, (_, n) => [
    n * PART,
    Math.min(tickets, (n + 1) * PART),
  ]).map(([from = 0, until = 0]) => ({ from, until }))
  const report = createProgress()
  try {
    const indexes = await dropIndexes(sql, [
      ...['ticket', 'message', 'contact', 'contact_identity', 'contact_channel', 'contact_tag'],
    ])
    for (const maker of makers)
      await maker.unsafe(`
        set session_replication_role = replica;
        set maintenance_work_mem = '${tickets > 2_000_000 ? 2 : 1}GB';
        set work_mem = '128MB';
        set synchronous_commit = off;`)
    await sql`create unlogged table made_sentence as
      select n::int, body from unnest(${makeSentences()}::text[]) with ordinality as made(body, n)`
    await sql.unsafe(`
      create unique index on made_sentence (n);
      insert into queue (name, color, custom_order) select 'Fila ' || n, '#' || lpad(to_hex(n * 99991), 6, '0'), n from generate_series(1, ${QUEUES}) n;
      insert into "user" (name, email_sealed, email_hash, password_hash, profile)
        select 'Pessoa ' || n, 'x' || n, 'x' || n, 'x', case when n = 1 then 'admin' when n <= 3 then 'gerente' else 'user' end from generate_series(1, ${USERS}) n;
      insert into user_queue (user_id, queue_id) select n, 1 + (n - 1 + k) % ${QUEUES} from generate_series(1, ${USERS}) n, generate_series(0, 2) k;
      insert into whatsapp (name, api, status) values ('Loja', 'baileys', 'CONNECTED'), ('Oficial', 'cloud_api', 'CONNECTED');
      insert into tag (name, color) select 'Etiqueta ' || n, '#' || lpad(to_hex(n * 12345), 6, '0') from generate_series(1, 20) n;
      insert into contact (name, name_source, number, is_group)
        select (array['Ana','Bruno','Carla','Diego','Érica','Fábio','Gabriela','Heitor','Íris','João','Lúcia','Márcio'])[1 + n % 12] || ' ' ||
          (array['Silva','Souza','Conceição','Oliveira','Araújo','Ribeiro','Gonçalves'])[1 + n / 12 % 7] || ' ' || n, 'push', (5531900000000 + n)::text, n % 20 = 7
        from generate_series(1, ${contacts}) n;
      insert into contact_identity (kind, value, contact_id) select 'pn', number, id from contact;
      insert into contact_tag (contact_id, tag_id) select id, 1 + id % 20 from contact where id % 3 = 0;
      insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at) select id, w, number || '@s.whatsapp.net', now() from contact, generate_series(1, 2) w;
      analyze contact, made_sentence`)
    report('contacts', contacts)
    // One after the other: ids are given in the order of time.
    for (const { from, until } of ranges) {
      await sql.unsafe(`
        insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, unread_messages, last_message, last_message_at, message_seq, created_at, closed_at)
        select status, 1 + n % ${contacts}, 1 + n % 2, case when n % 20 <> 3 then 1 + (person - 1 + n * 7919 / 13 % 3) % ${QUEUES} end,
          case when status = 'pending' or n % 10 = 9 or n % 80 = 0 then null else person end, (1 + n % ${contacts}) % 20 = 7,
          case when status in ('pending', 'open') then (n % 3)::int else 0 end, 'mensagem ' || n, at, ${messages}, at - interval '1 hour', case when status = 'closed' then at end
        from (select n, 1 + (n * 104729 / 17) % ${USERS} as person, case when n < ${tickets - live} then 'closed' when n % 5 < 2 then 'open' when n % 5 < 4 then 'pending' else 'paused' end as status,
          date_trunc('second', now()) - (${tickets} - n) * interval '${secondsApart} seconds' - ((n * 31) % 600) * interval '1 second' as at from generate_series(${from}::bigint, ${until - 1}) n) made`)
      report('tickets', until)
    }
    await sql`analyze ticket`
    await runTogether(makers, ranges, async (maker, { from, until }) => {
      await maker.unsafe(`
        insert into message (ticket_id, contact_id, whatsapp_id, seq, at, provider_id, chat, from_me, author_id, body, state, read)
        select t.id, t.contact_id, t.whatsapp_id, k, t.last_message_at - (t.message_seq - k) * interval '30 seconds', ${providerId}, c.number || '@s.whatsapp.net', k % 3 = 2, t.contact_id,
          s.body || case when (t.id + k) % 5 = 0 then ' pedido ' || t.id::bigint * 100 + k else '' end, case when k % 3 = 2 then 'read' else 'received' end, true
        from ticket t join contact c on c.id = t.contact_id cross join lateral generate_series(1, t.message_seq) k
          join made_sentence s on s.n = 1 + (hashint8(t.id * 64 + k) & 1048575) % ${SENTENCES}
        where t.id > ${from} and t.id <= ${until}`)
      report('messages of tickets', until)
    })
    await sql.unsafe(`
      drop table made_sentence;
      update ticket t set last_message_id = m.id from message m where m.ticket_id = t.id and m.seq = t.message_seq and t.status <> 'closed';
      insert into ticket_tally (status, queue_id, user_id, is_group, unread, n)
        select status, queue_id, user_id, is_group, unread_messages > 0, count(*) from ticket where status <> 'closed' group by 1, 2, 3, 4, 5`)
    // The dearest first, so that the last does not keep everybody waiting.
    const byCost = indexes.toSorted((one, other) => Number(isOfWords(other)) - Number(isOfWords(one)))
    await runTogether(makers, byCost, async (maker, definition) => {
      await maker.unsafe(definition)
      report(definition.replace(/ ON .*/s, ''))
    })
    await sql`vacuum (analyze)`
    report('vacuum')
  } finally {
    await Promise.all(makers.map(maker => maker.end({ timeout: 5 })))
  }
}

const isOfWords = (definition: string) => /using gin/i.test(definition)

/** Does each of them on whichever connection is free. */
async function runTogether<T>(
  makers: readonly postgres.Sql[],
  each: readonly T[],
  work: (maker: postgres.Sql, one: T) => Promise<void>,
): Promise<void> {
  const left = [...each]
  await Promise.all(
    makers.map(async maker => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await work(maker, one)
    }),
  )
}

/** Says what is done and after how long. */
function createProgress(): (part: string, count?: number) => void {
  const begun = performance.now()
  return (part, count) => {
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    console.log(`    ${seconds} s: ${part}${count === undefined ? '' : ` ${count.toLocaleString('en-US')}`}`)
  }
}

/** Drops the indexes no constraint stands on and returns how to make them again: built at the end they take a fraction of the time. */
export async function dropIndexes(sql: postgres.Sql, tables: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid = any(${[...tables]}::text[]::regclass[])
      and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`
  for (const { name } of rows) await sql.unsafe(`drop index ${name}`)
  return rows.map(row => row.definition)
}
