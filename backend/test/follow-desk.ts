// A desk of two queues that answers by itself, and two customers.
import { beforeEach } from 'bun:test'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createTestDatabase } from './database.ts'
import { makePerson, makeQueue } from './desk-world.ts'
import { makeInbox, makePeer, setPlainSettings } from './inbox-world.ts'

export async function number(rows: PromiseLike<readonly { n?: unknown }[]>): Promise<number> {
  return Number((await rows)[0]?.n)
}

export async function startFollowDesk() {
  const { db } = await createTestDatabase()
  const sql = getSql(db)
  const inbox = await makeInbox(db)
  const { take, whatsappId } = inbox
  const official = await makeInbox(db, 'cloud_api')
  const lucia = makePeer({ pn: '5531998762210' })
  const paulo = makePeer({ pn: '5531998762211' })
  const TODAY = 'monday, tuesday, wednesday, thursday, friday, saturday, sunday'.split(', ')
  const sales = await makeQueue(db, 'Vendas')
  const support = await makeQueue(db, 'Suporte')
  const bruna = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [sales] })
  const carlos = await makePerson(db, { name: 'Carlos', profile: 'user', queueIds: [sales] })
  await sql`update queue set greeting_message = 'Você está em {{queue}}.', custom_order = 1 where id = ${sales}`

  beforeEach(async () => {
    await inbox.empty()
    await setPlainSettings(db)
    await sql`truncate whatsapp_queue, user_substitute, rating`
    await sql`update whatsapp set greeting_message = 'Oi, {{name}}!', greeting_message_redirect = 'É com a Bruna.', nps_tks_message = 'Obrigada!'`
    await sql`update "user" set active = true, start_time = '00:00', end_time = '23:59', holidays = true`
  })

  async function set(key: string, value: string): Promise<void> {
    await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
    clearSettingsCache(db)
  }

  async function queuesOf(...ids: readonly number[]): Promise<void> {
    await sql`insert into whatsapp_queue (whatsapp_id, queue_id) select ${whatsappId}, unnest(${[...ids]}::int[])`
  }

  /** What the desk said, in its order. */
  async function listPushes(): Promise<string[]> {
    return (await sql`select body from message where from_me and automatic and user_id is null order by id`).map(
      row => row.body,
    )
  }

  /** The newest ticket. */
  async function ticket() {
    const [row] = await sql`
    select status, queue_id as queue, user_id as person, unread_messages as unread from ticket order by id desc limit 1`
    return row
  }

  async function logged(): Promise<string[]> {
    return (await sql`select action from log_entry where user_id is null order by id`).map(row => row.action)
  }

  return {
    sql,
    inbox,
    take,
    whatsappId,
    official,
    lucia,
    paulo,
    TODAY,
    sales,
    support,
    bruna,
    carlos,
    set,
    queuesOf,
    listPushes,
    ticket,
    logged,
  }
}
