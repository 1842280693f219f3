// Four people of a queue, and tickets that nobody has touched for a while.
import { expect } from 'bun:test'
import { DEFAULTS, type SettingKey, type TicketStatus } from '@balcao/contract'
import pino from 'pino'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

/** A Tuesday, noon in São Paulo, and long ago: what a sweep changes is newer. */
export const NOON = '2025-11-25T15:00:00Z'

export const NAMES = ['Ana', 'Bruna', 'Carlos', 'Davi'] as const

export function at(instant: string): () => Date {
  return () => new Date(instant)
}

/** `jobs`: also what jobs need. */
export async function startSweepsDesk(options: { readonly jobs?: boolean } = {}) {
  const { db, url } = await createTestDatabase(options)
  const big = await createTestDatabase()
  const sql = getSql(db)
  const sweeping = { db, ring() {}, log: pino({ level: 'silent' }) }
  const people = new Map<string, number>()
  const queue = await makeQueue(db, 'Financeiro')
  const other = await makeQueue(db, 'Entregas')
  const whatsappId = await makeConnection(db, 'Loja Centro')
  await sql`update whatsapp set farewell_message = 'Até logo, {{name}}! {{user}}'`
  for (const name of NAMES)
    people.set(name, await makePerson(db, { name, profile: 'user', queueIds: name === 'Davi' ? [other] : [queue] }))
  people.set('Marina', await makePerson(db, { name: 'Marina', profile: 'admin' }))

  /** Nobody waits, everybody is there, and every setting is as it comes. */
  async function emptied(): Promise<void> {
    // Rows are few: to delete them takes a tenth of what truncating takes.
    await sql.unsafe(`
    delete from outbox; delete from message; delete from ticket; delete from contact; delete from live_event; delete from log_entry;
    delete from setting; delete from queue_turn; delete from raw_event; update queue set last_turn = null;
    update "user" set status = 'online', active = true, start_time = '00:00', end_time = '23:59', weekdays = true, saturday = true, sunday = true,
      holidays = true`)
    clearSettingsCache(db)
  }

  /** A sweep during which something happens once, after its look at what is due and before its first change. */
  function between(meanwhile: () => PromiseLike<unknown>): typeof sweeping {
    let done = false
    const transaction: typeof db.transaction = async (work, config) => {
      if (!done) await meanwhile()
      done = true
      return db.transaction(work, config)
    }
    return { ...sweeping, db: Object.create(db, { transaction: { value: transaction } }) }
  }

  async function set(key: SettingKey, value: string): Promise<void> {
    expect(Object.hasOwn(DEFAULTS, key)).toBe(true)
    await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
    clearSettingsCache(db)
  }

  function idOf(name: string): number {
    return people.get(name) ?? 0
  }

  /** A customer who has waited since then. */
  async function waitingSince(since: string, queueId: number | null = queue): Promise<number> {
    return aTicketSince(since, { status: 'pending', queueId, userId: null })
  }

  async function aTicketSince(
    since: string,
    place: { status: TicketStatus; queueId: number | null; userId: number | null },
  ): Promise<number> {
    const contactId = await makeContact(db, 'Cliente')
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid) values (${contactId}, ${whatsappId}, ${`${contactId}@s.whatsapp.net`})`
    const id = await makeTicket(db, { contactId, whatsappId, ...place })
    await sql`update ticket set last_message_at = ${since} where id = ${id}`
    await sql`update ticket_span set begun_at = ${since} where ticket_id = ${id}`
    return id
  }

  /** So many who have waited long enough, the first the longest. */
  async function waiting(n: number): Promise<number[]> {
    const ids: number[] = []
    for (let i = 0; i < n; i++)
      ids.push(await waitingSince(new Date(Date.parse('2025-11-25T10:00:00Z') + i).toISOString()))
    return ids
  }

  async function namesOf(ids: readonly number[]): Promise<(string | null)[]> {
    const rows = await sql<{ id: number; name: string | null }[]>`
    select t.id, u.name from ticket t left join "user" u on u.id = t.user_id where t.id = any(${[...ids]}::int[])`
    return ids.map(id => rows.find(row => row.id === id)?.name ?? null)
  }

  async function ticket(id: number): Promise<{ status: string; userId: number | null }> {
    const [row] = await sql`select status, user_id from ticket where id = ${id}`
    return { status: row?.status, userId: row?.user_id }
  }

  async function logged(): Promise<[string, number | null, number][]> {
    const rows = await sql`select action, user_id, ticket_id from log_entry order by id`
    return rows.map(row => [row.action, row.user_id, row.ticket_id])
  }

  return {
    db,
    url,
    big,
    sql,
    sweeping,
    queue,
    other,
    whatsappId,
    emptied,
    between,
    set,
    idOf,
    waitingSince,
    aTicketSince,
    waiting,
    namesOf,
    ticket,
    logged,
  }
}
