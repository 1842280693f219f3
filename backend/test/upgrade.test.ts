// A desk that has lived is brought to the newest tables: nothing it holds is lost, and everything still means what it meant. The old
// database is made of the migrations of then and filled by hand, because no code knows its tables any more.
import { describe, expect, test } from 'bun:test'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { openConfig } from '../src/desk/connections/config.ts'
import { loadConnections } from '../src/desk/connections/present.ts'
import { connections } from '../src/desk/connections/table.ts'
import { canReadMedia } from '../src/desk/media/access.ts'
import { claimUpload } from '../src/desk/media/claim.ts'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { openMedia } from '../src/desk/media/store.ts'
import { loadMessages } from '../src/desk/messages/present.ts'
import { getTicket } from '../src/desk/tickets/get.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { schedules } from '../src/messaging/schedules/table.ts'
import { sendRecipients, sends } from '../src/messaging/sends/table.ts'
import { toLogEntry } from '../src/operations/log/present.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { seal } from '../src/platform/seal.ts'
import { logEntries } from '../src/policy/log/table.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import { createEmptyDatabase } from './database.ts'
import { makeSession } from './desk-world.ts'

/** The last migration of the desk that has lived: before periods, jobs, actions in the log, kinds' own fields, and sends. */
const OLD = 21
const DATA_KEY = 'a key that the desk has had all along'
const HOUR = 3_600_000

/** Columns that are elsewhere now; null: nothing was ever written there. */
const MOVED: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  log_entry: { details: 'params' },
  whatsapp: { meta_integration: 'config', phone_number_id: 'config', waba_id: 'config', token_sealed: 'config' },
  schedule: { enviados: null, total: null },
}
const NEVER_WRITTEN = ['schedule_log']

const { url, db } = await createEmptyDatabase()
const place = { db, dataDir: join(tmpdir(), `balcao-upgrade-${crypto.randomUUID()}`) }
const sql = getSql(db)

await migrateUntil(OLD)
await live()
const before = await everything()
await migrate(url)

test('names of contacts lose the marks that turn the writing round', async () => {
  const [row] = await sql<
    { id: number }[]
  >`insert into contact (name) values (${'Lúcia \u202e\u2066(oliva)\u200f'}) returning id`
  await sql.unsafe(await Bun.file(join(import.meta.dir, '../migrations/0077_direction_marks.sql')).text())
  expect([...(await sql`select name from contact where id = ${row?.id ?? 0}`)]).toEqual([{ name: 'Lúcia (oliva)' }])
  await sql`delete from contact where id = ${row?.id ?? 0}`
})

test('what waited to be done for a contact that was deleted is given up', async () => {
  const add = (contactId: number) => sql`
    insert into outbox (whatsapp_id, contact_id, operation, payload, state)
    values (1, ${contactId}, 'read', '{}', 'sending') returning id`
  const [gone] = await add(987_654)
  const [here] = await add(1)
  await sql.unsafe(await Bun.file(join(import.meta.dir, '../migrations/0110_outbox_of_gone_contacts.sql')).text())
  const left = await sql`select id from outbox where id in (${gone?.id}, ${here?.id})`
  expect(left.map(({ id }) => id)).toEqual([here?.id])
  await sql`delete from outbox where id = ${here?.id}`
})

test('every row of every table is there, with what stood in it', async () => {
  const after = await everything()
  expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([])
  for (const [table, rows] of before) {
    if (NEVER_WRITTEN.includes(table)) continue
    const withoutDefaults = (row: Row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !(name in (MOVED[table] ?? {}))))
    const names = Object.keys(withoutDefaults(rows[0] ?? {}))
    const found = (after.get(table) ?? []).map(row => Object.fromEntries(names.map(name => [name, row[name]])))
    expect([table, found]).toEqual([table, rows.map(withoutDefaults)])
  }
})

describe('what it means', () => {
  test('a ticket that lives has a period since it says so itself; one that is closed begins none', async () => {
    const spans = await sql`select ticket_id, status, user_id, begun_at, ended_at from ticket_span order by ticket_id`
    expect(spans.map(row => ({ ...row }))).toEqual([
      { ticket_id: 1, status: 'open', user_id: 1, begun_at: '2026-05-02T12:00:00.000Z', ended_at: null },
      { ticket_id: 2, status: 'pending', user_id: null, begun_at: '2026-05-01T12:00:00.000Z', ended_at: null },
    ])
    await sql`update ticket set status = 'closed' where id = 1`
    await sql`update ticket set status = 'pending' where id = 3`
    const later =
      await sql`select ticket_id, status, ended_at is null as now from ticket_span where ticket_id <> 2 order by id`
    expect(later.map(row => ({ ...row }))).toEqual([
      { ticket_id: 1, status: 'open', now: false },
      { ticket_id: 1, status: 'closed', now: false },
      { ticket_id: 3, status: 'pending', now: true },
    ])
  })

  test('tickets, messages and their files are shown, and what waited goes out', async () => {
    const session = await makeSession(db, 1)
    expect(await getTicket(db, session, 2)).toMatchObject({ id: 2, status: 'pending', contact: { name: 'Rita' } })
    const [text, photo] = await loadMessages(db, [1, 2], session)
    expect(text).toMatchObject({ body: 'Bom dia', fromMe: false, ticketId: 1 })
    expect(photo).toMatchObject({ mediaType: 'image', mediaUrl: '/media/photo-of-a-message' })
    const file = await openMedia(place, 'photo-of-a-message')
    expect(file && (await canReadMedia({ db }, session, file))).toBe(true)
    const claims = await claimDue(db, { whatsappId: 1, epoch: 4 }, 5)
    expect(claims.map(({ payload, messageId }) => [payload, messageId])).toEqual([
      [{ type: 'text', text: 'Já vou' }, 3],
    ])
  })

  test('an entry of the log keeps its words and what it was about', async () => {
    const [row] = await db.select().from(logEntries).where(eq(logEntries.entity, 'ticket'))
    expect(row && toLogEntry(row)).toMatchObject({
      descricao: 'Atendimento transferido',
      action: null,
      params: { queue: 'Vendas' },
      userId: 1,
      ticketId: 1,
    })
  })

  test('settings are read as they were set', async () => {
    expect(await readSettings(db)).toMatchObject({
      monday: false,
      hierarchy: true,
      greetingInterval: 300,
      horarioAbertura: 7 * 60 + 30,
      timezone: 'America/Manaus',
      msgOutOfTime: 'Voltamos amanhã',
      sound: 'blub',
    })
  })

  test('a connection has its number and token, opened with the same key', async () => {
    const [mine] = await db.select().from(connections).where(eq(connections.id, 2))
    expect(mine && openConfig(DATA_KEY, mine.api, mine.config)).toEqual({
      config: { phoneNumberId: '5511', wabaId: '77', tokenMeta: 'token of Meta', metaIntegration: true },
      unreadable: false,
    })
    const [phone, cloud] = await loadConnections(db, [1, 2])
    expect(phone).toMatchObject({ hasToken: false, phoneNumberId: '', metaIntegration: false })
    expect(cloud).toMatchObject({ hasToken: true, phoneNumberId: '5511', metaIntegration: true })
  })

  test('of the schedules one that is due begins for whom it names, one long past is not said, and what comes stays', async () => {
    await startDueSchedules(place)
    const runs = await db.select().from(sends).orderBy(sends.scheduleId)
    expect(runs.map(({ scheduleId, state, stateReason, body }) => [scheduleId, state, stateReason, body])).toEqual([
      [1, 'running', null, 'Sua parcela vence hoje'],
      [2, 'stopped', 'late', 'Feliz Natal'],
    ])
    expect(runs[0]?.file).toMatchObject({ mediaId: 'file-of-a-schedule', name: 'boleto.pdf' })
    const people = await db.select().from(sendRecipients)
    expect(people.map(({ contactId, state }) => [contactId, state])).toEqual([[1, 'waiting']])
    const [later] = await db.select().from(schedules).where(eq(schedules.id, 3))
    expect(later).toMatchObject({ recurrence: 'every_day', nextRunAt: '2099-01-01T12:00:00.000Z' })
  })

  test('files that something shows stay; an upload of today can be used, and one of last week goes', async () => {
    await sweepFiles(place)
    const rows = await sql<{ id: string }[]>`select id from media order by id`
    expect(rows.map(row => row.id)).toEqual(['file-of-a-schedule', 'photo-of-a-message', 'upload-of-today'])
    const upload = db.transaction(tx => claimUpload(tx, 1, 'upload-of-today', { ticketId: 1 }))
    expect(await upload).toEqual({ name: 'hoje.pdf', mime: 'application/pdf' })
  })
})

type Row = Record<string, unknown>

/** What such a desk holds. What is named here has a meaning; whatever else there was in a table has one row of anything. */
async function live(): Promise<void> {
  const now = Date.now()
  await insert('user', {
    name: 'Ana',
    profile: 'admin',
    active: true,
    deleted_at: null,
    profile_pic_url: null,
    whatsapp_id: null,
  })
  await insert('queue', { name: 'Vendas' })
  await insert('whatsapp', {
    name: 'Loja',
    api: 'baileys',
    is_default: true,
    status: 'CONNECTED',
    epoch: 4,
    meta_integration: false,
    phone_number_id: '',
    waba_id: '',
    token_sealed: null,
    deleted_at: null,
  })
  await insert('whatsapp', {
    name: 'Meta',
    api: 'cloud_api',
    is_default: false,
    meta_integration: true,
    phone_number_id: '5511',
    waba_id: '77',
    token_sealed: seal(DATA_KEY, 'token of Meta'),
    deleted_at: null,
  })
  await insert('contact', {
    name: 'Rita',
    number: '5531988887777',
    is_group: false,
    merged_into: null,
    opted_out_at: null,
    extra_info: '[]',
  })
  const ticket = {
    contact_id: 1,
    whatsapp_id: 1,
    queue_id: 1,
    is_group: false,
    created_at: day(1),
    message_seq: 3,
    last_message_type: 'chat',
    last_message_state: null,
  }
  await insert('ticket', { ...ticket, status: 'open', user_id: 1, accepted_at: day(2), closed_at: null })
  await insert('ticket', {
    ...ticket,
    whatsapp_id: 2,
    status: 'pending',
    user_id: null,
    accepted_at: null,
    closed_at: null,
  })
  await insert('ticket', { ...ticket, status: 'closed', user_id: 1, closed_at: day(3) })
  await insert('media', {
    id: 'photo-of-a-message',
    owner: 'message',
    ticket_id: 1,
    mime: 'image/png',
    created_at: day(2),
  })
  await insert('media', {
    id: 'file-of-a-schedule',
    owner: 'schedule',
    name: 'boleto.pdf',
    mime: 'application/pdf',
    user_id: 1,
    ticket_id: null,
    chat_id: null,
    created_at: day(2),
  })
  await insert('media', {
    id: 'upload-of-today',
    owner: 'upload',
    name: 'hoje.pdf',
    mime: 'application/pdf',
    user_id: 1,
    ticket_id: null,
    chat_id: null,
    created_at: ago(0),
  })
  await insert('media', {
    id: 'upload-of-last-week',
    owner: 'upload',
    user_id: 1,
    ticket_id: null,
    chat_id: null,
    created_at: ago(7 * 24),
  })
  const message = {
    ticket_id: 1,
    contact_id: 1,
    whatsapp_id: 1,
    at: day(2),
    user_id: null,
    media_id: null,
    media: null,
    media_type: 'chat',
    quoted_id: null,
    forward: null,
    reactions: '[]',
    system: null,
    error_log: null,
    template_data: null,
    transcription_state: null,
    is_deleted: false,
    state: 'received',
    from_me: false,
    edited_msg: null,
    client_id: null,
  }
  await insert('message', { ...message, seq: 1, body: 'Bom dia', provider_id: 'A' })
  const file = {
    state: 'ready',
    name: 'foto.png',
    mime: 'image/png',
    size: 9,
    width: null,
    height: null,
    seconds: null,
    voice: false,
    waveform: null,
    error: null,
  }
  await insert('message', {
    ...message,
    seq: 2,
    body: '',
    provider_id: 'B',
    media_type: 'image',
    media_id: 'photo-of-a-message',
    media: JSON.stringify(file),
  })
  await insert('message', {
    ...message,
    seq: 3,
    body: 'Já vou',
    provider_id: 'C',
    from_me: true,
    user_id: 1,
    state: 'queued',
  })
  await insert('outbox', {
    whatsapp_id: 1,
    contact_id: 1,
    message_id: 3,
    operation: 'message',
    payload: '{"type":"text","text":"Já vou"}',
    state: 'queued',
    attempts: 0,
    next_at: ago(1),
    epoch: null,
    trace: null,
    done_at: null,
  })
  await insert('log_entry', {
    descricao: 'Atendimento transferido',
    origem: 'ticket',
    user_id: 1,
    ticket_id: 1,
    details: '{"queue":"Vendas"}',
    reported: false,
  })
  for (const [key, value] of Object.entries({
    monday: 'disabled',
    hierarchy: 'enabled',
    greetingInterval: '300',
    horarioAbertura: '07:30',
    timezone: 'America/Manaus',
    msgOutOfTime: 'Voltamos amanhã',
    sound: 'blub',
  }))
    await insert('setting', { key, value })
  const schedule = {
    all_contacts: false,
    whatsapp_id: 1,
    media_id: null,
    media_type: null,
    media_name: null,
    template: null,
    enviados: 0,
    total: 0,
    user_id: 1,
    r_value: '',
    recurrence: 'once',
  }
  await insert('schedule', {
    ...schedule,
    message: 'Sua parcela vence hoje',
    next_run_at: ago(1),
    send_on: ago(1),
    media_id: 'file-of-a-schedule',
    media_type: 'application',
    media_name: 'boleto.pdf',
  })
  await insert('schedule', { ...schedule, message: 'Feliz Natal', next_run_at: ago(500), send_on: ago(500) })
  await insert('schedule', {
    ...schedule,
    message: 'Bom dia',
    recurrence: 'every_day',
    send_time: '08:00',
    next_run_at: '2099-01-01T12:00:00Z',
    send_on: null,
  })
  await insert('schedule_contact', { schedule_id: 1, contact_id: 1 })
  await insertTheRest()

  function ago(hours: number): string {
    return new Date(now - hours * HOUR).toISOString()
  }
}

function day(n: number): string {
  return `2026-05-0${n} 12:00:00+00`
}

/** One row of anything in every table that has none; those that name others after them. */
async function insertTheRest(): Promise<void> {
  for (let left = [...(await everything())].filter(([, rows]) => rows.length === 0); left.length > 0; ) {
    const still: typeof left = []
    for (const one of left) await insert(one[0], {}).catch(() => still.push(one))
    if (still.length === left.length) await insert(still[0]?.[0] ?? '', {})
    left = still
  }
}

/** A row with every column of the table: those given, otherwise anything of its kind. */
async function insert(table: string, given: Row): Promise<void> {
  const columns = await sql<{ name: string; type: string; refers: boolean }[]>`
    select column_name as name, data_type as type, exists (
      select 1 from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'f' and k.conrelid = format('public.%I', table_name)::regclass and a.attname = column_name) as refers
    from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_identity = 'NO' and is_generated = 'NEVER'`
  const row = Object.fromEntries(
    columns.map(({ name, type, refers }) => [
      name,
      name in given ? given[name] : refers ? 1 : anything(table, name, type),
    ]),
  )
  const marks = columns.map(({ type }, at) => `$${at + 1}::text::${type}`)
  await sql.unsafe(
    `insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')}) values (${marks.join(', ')})`,
    Object.values(row).map(value => (value === null ? null : String(value))),
  )
}

function anything(table: string, column: string, type: string): unknown {
  if (/int/.test(type)) return 1
  if (type === 'boolean') return true
  if (/^timestamp/.test(type)) return day(1)
  if (type === 'jsonb') return '{"lived":true}'
  if (type === 'uuid') return crypto.randomUUID()
  return type === 'xid8' ? '700' : `${table} ${column}`
}

async function everything(): Promise<Map<string, Row[]>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const found = new Map<string, Row[]>()
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: Row }[]>(
      `select to_jsonb(t) as row from "${name}" t order by to_jsonb(t)::text`,
    )
    found.set(
      name,
      rows.map(({ row }) => row).sort((a, b) => keyOf(a).localeCompare(keyOf(b))),
    )
  }
  return found
}

/** Rows by what they are called, which no migration changes. */
function keyOf(row: Row): string {
  return String(row.id ?? row.key ?? JSON.stringify(row))
}

/** The tables as they were with this migration. */
async function migrateUntil(last: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-migrations-'))
  await cp(join(import.meta.dir, '../migrations'), folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal: { entries: { idx: number }[] } = await Bun.file(path).json()
  await Bun.write(path, JSON.stringify({ ...journal, entries: journal.entries.filter(({ idx }) => idx <= last) }))
  const client = postgres(url, { max: 1, onnotice: () => {} })
  await runMigrations(drizzle(client), { migrationsFolder: folder })
  await client.end()
  await rm(folder, { recursive: true })
}
