// A connection with a flow of Typebot behind it, and a customer who writes to it.
import { toSettingTexts } from '@balcao/contract'
import type { Flow } from '@balcao/simulator/typebot/blocks'
import { type Bot, startTypebot, type Typebot } from '@balcao/simulator/typebot/typebot'
import { ALWAYS_OPEN } from '../src/app/seed/always-open.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import type { Outgoing } from '../src/platform/channel/driver.ts'
import type { Db } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'
import { waitUntil } from './until.ts'

export interface FlowFixture {
  readonly typebot: Typebot
  readonly whatsappId: number
  /** Somebody who has never written. `flow`: what answers on the connection from now on. */
  customer(flow?: Flow | Bot): Promise<FlowCustomer>
}

export interface FlowCustomer {
  readonly name: string
  readonly number: string
  say(...texts: readonly string[]): Promise<void>
  /** Waits until the flow has nothing to do. */
  settled(): Promise<void>
  /** Both, and what the customer was told since. */
  hears(...texts: readonly string[]): Promise<string[]>
  /** Everything that was sent, in its order: texts, and files by their kind. */
  listSent(): Promise<string[]>
  /** As the channel is handed it. */
  sent(): Promise<Outgoing[]>
  ticket(): Promise<FlowTicket>
  /** The codes of the lines in the conversation, with what they name. */
  lines(): Promise<string[]>
}

export interface FlowTicket {
  readonly id: number
  readonly contactId: number
  readonly status: string
  readonly queue: string | null
  readonly user: string | null
}

let count = 0

export async function makeFlowFixture(db: Db, typebot: Typebot, api = 'baileys'): Promise<FlowFixture> {
  const sql = getSql(db)
  for (const [key, value] of [...toSettingTexts(ALWAYS_OPEN), ['activeBot', 'enabled'] as const])
    await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
  // Where the server is a process of its own, they come with it.
  await waitUntil(
    'there are jobs',
    async () => (await sql`select 1 where to_regclass('graphile_worker._private_jobs') is not null`).length > 0,
  )
  const [row] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, wanted, public_dns_typebot, public_id_typebot)
    values (${`Loja ${++count}`}, ${api}, false, ${typebot.url}, 'fluxo') returning id`
  const whatsappId = row?.id ?? 0

  async function customer(flow?: Flow | Bot): Promise<FlowCustomer> {
    if (flow) typebot.publish('fluxo', flow)
    const number = `55319${String(++count).padStart(8, '0')}`
    const name = `Cliente ${count}`
    const peer = makePeer({ pn: number })
    const ticketId = async () => (await ticket()).id

    async function ticket(): Promise<FlowTicket> {
      const [found] = await sql<FlowTicket[]>`
        select t.id, t.contact_id as "contactId", t.status, q.name as queue, u.name as user from ticket t
          join contact c on c.id = t.contact_id left join queue q on q.id = t.queue_id left join "user" u on u.id = t.user_id
        where c.number = ${number} order by t.id desc limit 1`
      if (!found) throw new Error('There is no ticket')
      return found
    }
    async function say(...texts: readonly string[]): Promise<void> {
      for (const text of texts) await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(peer, text, { name })])
    }
    async function settled(): Promise<void> {
      const id = await ticketId()
      await waitUntil(
        'the flow has nothing to do',
        async () => {
          const [busy] = await sql`
            select 1 from typebot_session where ticket_id = ${id}
              and (cardinality(waiting) > 0 or call is not null or goes_on_at is not null)`
          // A job that was asked for again while it ran, and then died, stays as one that nobody will do.
          const [job] = await sql`
            select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
            where t.identifier = 'typebot' and (j.payload->>'ticketId')::int = ${id}
              and (j.attempts < j.max_attempts or j.locked_at is not null)`
          return !busy && !job
        },
        20_000,
      )
    }
    async function sent(): Promise<Outgoing[]> {
      const rows = await sql<{ payload: Outgoing }[]>`
        select o.payload from outbox o join message m on m.id = o.message_id
        where m.ticket_id = ${await ticketId()} order by o.id`
      return rows.map(({ payload }) => payload)
    }
    async function listSent(): Promise<string[]> {
      return (await sent()).map(payload =>
        payload.type === 'text'
          ? payload.text
          : payload.type === 'media'
            ? `[${payload.media}]${payload.caption ? ` ${payload.caption}` : ''}`
            : payload.type,
      )
    }
    return {
      name,
      number,
      say,
      settled,
      listSent,
      sent,
      ticket,
      async hears(...texts) {
        const before = texts.length > 0 ? await listSent().catch(() => []) : []
        await say(...texts)
        await settled()
        return (await listSent()).slice(before.length)
      },
      async lines() {
        const rows = await sql<{ system: { code: string; params: { what?: string } } }[]>`
          select system from message where ticket_id = ${await ticketId()} and system is not null order by seq`
        return rows.map(({ system: { code, params } }) => (params.what ? `${code} ${params.what}` : code))
      },
    }
  }
  return { typebot, whatsappId, customer }
}

export { startTypebot }
