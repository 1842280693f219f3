// What of two contacts counts when they are made one, and what since then stays when they are parted (decisions-2 §22 "Contacts").
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Contact, MergePreview } from '@balcao/contract'
import { sqlOf } from '../src/database/raw.ts'
import { deskServer, type Person } from './desk-server.ts'
import { aConnection, aContact, aPerson, aQueue, aTicket } from './desk-world.ts'

const server = await deskServer()
const { db } = server
const sql = sqlOf(db)
let queue = 0
let shop = 0
let marina: Person

interface Made {
  error: string
  merge: { id: number }
  contact: Contact
}

beforeAll(async () => {
  queue = await aQueue(db, 'Financeiro')
  shop = await aConnection(db, 'Loja')
  await aPerson(db, { name: 'Marina', profile: 'admin' })
  marina = await server.as('Marina')
})

const aPair = async () => [await aContact(db, 'Fica'), await aContact(db, 'Vai')] as const
const merge = async (into: number, from: number) =>
  (await marina.call<Made>('POST', `/contacts/${into}/merge`, { contactId: from })).body
const undo = (id: number) => marina.call('DELETE', `/contacts/merges/${id}`)

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

  test('answers go to the address that wrote last', async () => {
    const [into, from] = await aPair()
    await sql`insert into contact_channel values (${into}, ${shop}, 'um@lid', '2026-01-01', null), (${from}, ${shop}, 'dois@lid', '2026-02-01', null)`
    await merge(into, from)
    expect([...(await sql`select jid from contact_channel where contact_id = ${into}`)]).toEqual([{ jid: 'dois@lid' }])
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
      const whatsappId = await aConnection(db, `Loja que ${gone ? 'vai' : 'fica'}`)
      const [into, from] = await aPair()
      const past = await aTicket(db, { contactId: from, whatsappId, status: 'closed', queueId: queue })
      const live = await aTicket(db, { contactId: into, whatsappId, status: 'pending', queueId: queue })
      const closed = await aTicket(db, { contactId: from, whatsappId, status: 'pending', queueId: queue })
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
    const left = await aPerson(db, { name: 'Saiu', profile: 'user', queueIds: [queue] })
    const [into, from] = await aPair()
    await aTicket(db, { contactId: into, whatsappId: shop, status: 'open', queueId: queue, userId: left })
    const ticket = await aTicket(db, {
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
})
