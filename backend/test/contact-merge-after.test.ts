// What of two contacts counts when they are made one, and what since then stays when they are parted (decisions-2 §22 "Contacts").
import { describe, expect, test } from 'bun:test'
import type { Contact, MergePreview } from '@balcao/contract'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)

interface Made {
  error: string
  merge: { id: number }
  contact: Contact
}

const queue = await makeQueue(db, 'Financeiro')
const shop = await makeConnection(db, 'Loja')
await makePerson(db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')

const aPair = async () => [await makeContact(db, 'Fica'), await makeContact(db, 'Vai')] as const
const merge = async (into: number, from: number) =>
  (await marina.call<Made>('POST', `/contacts/${into}/merge`, { contactId: from })).body
const undo = (id: number) => marina.call('DELETE', `/contacts/merges/${id}`)

/** What screens are told by it. */
async function eventsOf(act: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const [last] = await sql<{ id: string }[]>`select coalesce(max(id), 0)::text as id from live_event`
  await act()
  const rows = await sql<{ event: Record<string, unknown> }[]>`
    select payload::jsonb as event from live_event where id > ${last?.id ?? '0'}::bigint order by id`
  return rows.map(({ event }) => event)
}

async function aSend(state: string): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into send (due_at, state, body, recipients) values (now(), ${state}, 'Bom dia', '{}') returning id`
  return row?.id ?? 0
}

describe('decisions-2 §22: what counts of both', () => {
  test('who asked for no more sends, under either name, gets none', async () => {
    const [into, from] = await aPair()
    await sql`update contact set opted_out_at = '2026-11-01' where id = ${from}`
    await merge(into, from)
    expect([...(await sql`select opted_out_at::date::text as at from contact where id = ${into}`)]).toEqual([
      { at: '2026-11-01' },
    ])
  })

  test('a name that somebody typed comes before one that WhatsApp told', async () => {
    const [into, from] = await aPair()
    await sql`update contact set name = 'ana 🌷', name_source = 'push' where id = ${into}`
    await sql`update contact set name = 'Ana Souza', name_source = 'manual' where id = ${from}`
    expect((await merge(into, from)).contact.name).toBe('Ana Souza')
  })

  test('answers go to the address that wrote last, with its timer', async () => {
    const [into, from] = await aPair()
    await sql`insert into contact_channel values (${into}, ${shop}, 'um@lid', '2026-01-01', null), (${from}, ${shop}, 'dois@lid', '2026-02-01', null)`
    await sql`update contact_channel set timer = case contact_id when ${into} then 86400 else 0 end where contact_id in (${into}, ${from})`
    await merge(into, from)
    const rows = await sql`select jid, timer from contact_channel where contact_id = ${into}`
    expect([...rows]).toEqual([{ jid: 'dois@lid', timer: 0 }])
  })

  test('the look before counts the sends that are still to come', async () => {
    const [into, from] = await aPair()
    const [running, done] = [await aSend('running'), await aSend('done')]
    await sql`insert into send_recipient (send_id, contact_id, state) values (${running}, ${from}, 'waiting'), (${done}, ${from}, 'handed')`
    const { body } = await marina.call<MergePreview>('GET', `/contacts/${into}/merge/${from}`)
    expect(body.sends).toBe(1)
  })

  for (const state of ['waiting', 'running'])
    test(`who is to be erased (${state}) is made one with nobody`, async () => {
      const [into, from] = await aPair()
      await sql`
        insert into privacy_erasure (contact_id, due_at, reason, state) values (${from}, now() + interval '7 days', 'pediu', ${state})`
      expect((await merge(into, from)).error).toBe('ERR_ERASURE_WAITING')
      const { body } = await marina.call<Made>('GET', `/contacts/${into}/merge/${from}`)
      expect(body.error).toBe('ERR_ERASURE_WAITING')
    })
})

describe('decisions-2 §22: of what both had', () => {
  test('a message that came under both names stays once, and screens take the other away', async () => {
    const [into, from] = await aPair()
    const place = { whatsappId: shop, status: 'closed', queueId: queue } as const
    const messageId = await makeMessage(db, await makeTicket(db, { ...place, contactId: into }), 'Oi')
    const ticketId = await makeTicket(db, { ...place, contactId: from })
    const twice = await makeMessage(db, ticketId, 'Oi')
    await sql`update message set provider_id = 'SAME' where id in (${messageId}, ${twice})`
    const events = await eventsOf(() => db.transaction(tx => mergeContacts(tx, into, from)))
    expect([...(await sql`select id::int as id from message where provider_id = 'SAME'`)]).toEqual([{ id: messageId }])
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'contact', action: 'delete', contactId: from, mergedInto: into }),
    )
    const gone = events.filter(
      event => JSON.stringify(event).includes('"action":"delete"') && event['ticketId'] === ticketId,
    )
    expect(gone).toHaveLength(1)
  })

  test('what goes on in the other ticket takes its files along, and of two messages with one id of a screen both stay', async () => {
    const [into, from] = await aPair()
    const goesOn = await makeTicket(db, { contactId: into, whatsappId: shop, status: 'pending', queueId: queue })
    const ends = await makeTicket(db, { contactId: from, whatsappId: shop, status: 'pending', queueId: queue })
    const [one, other] = [await makeMessage(db, goesOn, 'Um'), await makeMessage(db, ends, 'Outro')]
    const clientId = crypto.randomUUID()
    await sql`update message set client_id = ${clientId} where id in (${one}, ${other})`
    const mediaId = crypto.randomUUID()
    await sql`
      insert into media (id, name, mime, size, sha256, owner, ticket_id) values (${mediaId}, 'nota.pdf', 'application/pdf', 1, '', 'message', ${ends})`
    await sql`update message set media_id = ${mediaId} where id = ${other}`
    await db.transaction(tx => mergeContacts(tx, into, from))
    expect([...(await sql`select ticket_id from media where id = ${mediaId}`)]).toEqual([{ ticket_id: goesOn }])
    const rows = await sql`select ticket_id, client_id from message where id in (${one}, ${other}) order by id`
    expect([...rows]).toEqual([
      { ticket_id: goesOn, client_id: clientId },
      { ticket_id: goesOn, client_id: null },
    ])
  })
})

describe('decisions-2 §22: taken back', () => {
  test('what somebody changed since stays', async () => {
    const [into, from] = await aPair()
    const { merge: made } = await merge(into, from)
    const extra = JSON.stringify([{ name: 'CPF', value: '1' }])
    await sql`update contact set opted_out_at = '2026-11-02', extra_info = ${extra}::text::jsonb where id = ${into}`
    await undo(made.id)
    const rows = await sql`
      select opted_out_at::date::text as at, jsonb_array_length(extra_info) as n from contact where id = ${into}`
    expect([...rows]).toEqual([{ at: '2026-11-02', n: 1 }])
  })

  test('a ticket stays closed where its contact has another by now, or its connection is gone', async () => {
    for (const gone of [false, true]) {
      const whatsappId = await makeConnection(db, `Loja que ${gone ? 'vai' : 'fica'}`)
      const [into, from] = await aPair()
      const past = await makeTicket(db, { contactId: from, whatsappId, status: 'closed', queueId: queue })
      const live = await makeTicket(db, { contactId: into, whatsappId, status: 'pending', queueId: queue })
      const closed = await makeTicket(db, { contactId: from, whatsappId, status: 'pending', queueId: queue })
      const { merge: made } = await merge(into, from)
      await sql`update ticket set status = 'closed', closed_at = now() where id = ${live}`
      if (gone) await sql`update whatsapp set deleted_at = now() where id = ${whatsappId}`
      else await sql`update ticket set status = 'pending', closed_at = null where id = ${past}`
      expect((await undo(made.id)).status).toBe(200)
      expect([...(await sql`select status, contact_id from ticket where id = ${closed}`)]).toEqual([
        { status: 'closed', contact_id: from },
      ])
    }
  })

  test('whoever had it and was deleted does not get it back, nor counts as who accepted it', async () => {
    const left = await makePerson(db, { name: 'Saiu', profile: 'user', queueIds: [queue] })
    const [into, from] = await aPair()
    await makeTicket(db, { contactId: into, whatsappId: shop, status: 'open', queueId: queue, userId: left })
    const ticket = await makeTicket(db, {
      contactId: from,
      whatsappId: shop,
      status: 'open',
      queueId: queue,
      userId: left,
    })
    await sql`update ticket set accepted_at = now() where id = ${ticket}`
    const { merge: made } = await merge(into, from)
    await sql`update "user" set deleted_at = now() where id = ${left}`
    await undo(made.id)
    expect([...(await sql`select status, user_id, accepted_at from ticket where id = ${ticket}`)]).toEqual([
      { status: 'pending', user_id: null, accepted_at: null },
    ])
  })

  test('a send that pauses is not over: both are in it again', async () => {
    const [into, from] = await aPair()
    const send = await aSend('running')
    await sql`insert into send_recipient (send_id, contact_id, state) values (${send}, ${into}, 'waiting'), (${send}, ${from}, 'waiting')`
    const { merge: made } = await merge(into, from)
    await sql`update send set state = 'paused' where id = ${send}`
    await undo(made.id)
    const rows = await sql`select contact_id, state from send_recipient where send_id = ${send} order by contact_id`
    expect([...rows]).toEqual([
      { contact_id: into, state: 'waiting' },
      { contact_id: from, state: 'waiting' },
    ])
  })

  test('is told to every screen, and stands in the history of both', async () => {
    const [into, from] = await aPair()
    const { merge: made } = await merge(into, from)
    const events = await eventsOf(() => undo(made.id))
    const back = { event: 'contact', action: 'create', contact: expect.objectContaining({ id: from }) }
    expect(events).toContainEqual(expect.objectContaining(back))
    const rows = await sql`
      select contact_id, params->>'contactId' as other from log_entry
      where action = 'contact.unmerge' and contact_id in (${into}, ${from}) order by contact_id`
    expect([...rows]).toEqual([
      { contact_id: into, other: String(from) },
      { contact_id: from, other: String(into) },
    ])
  })

  test('a person of its own who was deleted meanwhile is none any more', async () => {
    const left = await makePerson(db, { name: 'Foi', profile: 'user', queueIds: [queue] })
    const [into, from] = await aPair()
    await sql`insert into contact_redirect values (${from}, ${queue}, ${left})`
    const { merge: made } = await merge(into, from)
    await sql`update "user" set deleted_at = now() where id = ${left}`
    expect((await undo(made.id)).status).toBe(200)
    expect(await sql`select 1 from contact_redirect where contact_id = ${from}`).toHaveLength(0)
  })
})

describe('who still has the number of a contact that was merged', () => {
  test('finds by it the live ticket, the tickets and the schedules of the one that stayed', async () => {
    const [into, from] = await aPair()
    const ticket = await makeTicket(db, { contactId: into, whatsappId: shop, status: 'open', queueId: queue })
    const [schedule] = await sql<{ id: number }[]>`
      insert into schedule (recurrence, send_time, send_on, message, whatsapp_id) values ('once', '', '2099-01-01T12:00:00Z', 'Bom dia', ${shop})
      returning id`
    await sql`insert into schedule_contact (schedule_id, contact_id) values (${schedule?.id ?? 0}, ${into})`
    await sql`insert into setting (key, value) values ('allowAgendador', 'enabled') on conflict (key) do update set value = excluded.value`
    await merge(into, from)
    for (const id of [into, from]) {
      const { body } = await marina.call<{ id: number } | null>('GET', `/tickets/contact/${id}?whatsappId=${shop}`)
      expect([id, body?.id]).toEqual([id, ticket])
      const { body: all } = await marina.call<{ tickets: { id: number }[] }>('GET', `/contacts/${id}/tickets`)
      expect([id, all.tickets.map(one => one.id)]).toEqual([id, [ticket]])
      const { body: planned } = await marina.call<{ agendamentos: { id: number }[] }>(
        'GET',
        `/agendamento?contactId=${id}`,
      )
      expect([id, planned.agendamentos.map(one => one.id)]).toEqual([id, [schedule?.id ?? 0]])
    }
    expect((await marina.call('GET', `/tickets/contact/999999`)).body).toBeNull()
  })
})
