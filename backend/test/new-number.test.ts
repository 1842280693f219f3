// A number that a person put in place of another one is not written to before it is proven: asked of WhatsApp, or written from.
import { describe, expect, test } from 'bun:test'
import type { Contact } from '@balcao/contract'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { resolveAddress } from '../src/messaging/outbox/address.ts'
import type { Claim } from '../src/messaging/outbox/claim.ts'
import type { Driver } from '../src/platform/channel/driver.ts'
import { type Begun, ended, makeSheetForm } from './contact-sheet-desk.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeTicket } from './desk-world.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'
import { createNetworkDriver } from './network-driver.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

await makePerson(db, { name: 'Marina', profile: 'admin' })
const whatsappId = await makeConnection(db, 'Loja Centro', 'cloud_api')
const marina = await server.as('Marina')

let numbers = 5531981000000
/** A customer who was talked to under one number and was given another one. */
async function aRenumbered() {
  const [old, now] = [String(numbers++), String(numbers++)]
  const { body: made } = await marina.call<Contact>('POST', '/contacts', { name: 'Padaria', number: old })
  const ticketId = await makeTicket(db, { contactId: made.id, whatsappId, status: 'open' })
  expect((await marina.call('PUT', `/contacts/${made.id}`, { number: now })).status).toBe(200)
  return { contactId: made.id, ticketId, old, now }
}

/** Where the next message goes on a connection that has not heard of the customer; `known`: what WhatsApp knows there, where it can be asked. */
async function nextAddress(contactId: number, known?: readonly string[]): Promise<string | null> {
  const driver = createNetworkDriver(
    { emit: async () => {} },
    { url: 'http://127.0.0.1:9', ownIds: known !== undefined },
  )
  const asked: Driver = {
    ...driver,
    capabilities: { ...driver.capabilities, check: known !== undefined },
    check: async number => (known?.includes(number) ? { jid: `${number}@s.whatsapp.net`, group: false } : null),
  }
  const [row] = await sql<{ number: string | null }[]>`select number from contact where id = ${contactId}`
  const claim: Claim = {
    id: 1,
    contactId,
    messageId: null,
    operation: 'message',
    unhurried: false,
    payload: { type: 'text', text: 'oi' },
    attempts: 1,
    providerId: null,
    to: null,
    trace: null,
    windowOpen: true,
    createdAt: Date.now(),
    contact: { isGroup: false, number: row?.number ?? null, isOut: false },
  }
  const to = await resolveAddress(db, asked, { whatsappId, epoch: 1 }, claim)
  await sql`delete from contact_channel where contact_id = ${contactId}`
  return to
}

describe('a number that a person changed', () => {
  test('is not written to where nobody can be asked about it: the customer is still reached where he was', async () => {
    const { contactId, old } = await aRenumbered()
    expect(await nextAddress(contactId)).toBe(old)
  })

  test('is written to once the customer wrote from it', async () => {
    const { contactId, now } = await aRenumbered()
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(makePeer({ pn: now }), 'Sou eu, do número novo')])
    await sql`delete from contact_channel where contact_id = ${contactId}`
    expect(await nextAddress(contactId)).toBe(now)
  })

  test('is none of his by what the shop itself wrote there', async () => {
    const { contactId, now, old } = await aRenumbered()
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(makePeer({ pn: now }), 'É você?', { fromMe: true })])
    await sql`delete from contact_channel where contact_id = ${contactId}`
    expect(await nextAddress(contactId)).toBe(old)
  })

  test('is written to where WhatsApp knows it, and the one before where it does not', async () => {
    const { contactId, old, now } = await aRenumbered()
    expect(await nextAddress(contactId, [old, now])).toBe(`${now}@s.whatsapp.net`)
    expect(await nextAddress(contactId, [old])).toBe(`${old}@s.whatsapp.net`)
    expect(await nextAddress(contactId, [])).toBeNull()
  })

  test('moves no address that is known: answers go where the customer wrote from last', async () => {
    const { contactId, old } = await aRenumbered()
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(makePeer({ pn: old }), 'Bom dia')])
    await marina.call('PUT', `/contacts/${contactId}`, { number: String(numbers++) })
    const [channel] = await sql`select jid from contact_channel where contact_id = ${contactId}`
    expect(channel).toEqual({ jid: `${old}@s.whatsapp.net` })
  })

  test('before any conversation was a slip of the pen, and is the number', async () => {
    const { body: made } = await marina.call<Contact>('POST', '/contacts', { name: 'Nina', number: String(numbers++) })
    const now = String(numbers++)
    await marina.call('PUT', `/contacts/${made.id}`, { number: now })
    expect(await nextAddress(made.id)).toBe(now)
  })

  test('goes back to one that was proven without a question', async () => {
    const { contactId, old } = await aRenumbered()
    await marina.call('PUT', `/contacts/${contactId}`, { number: old })
    expect(await nextAddress(contactId)).toBe(old)
  })
})

describe('a number that nobody proved', () => {
  /** A sheet that is known by the first number of each row brings the others. */
  async function importNumbers(...numbers: readonly string[]): Promise<void> {
    const rows = [
      ['nome', ...numbers.map(() => 'telefone')],
      ['Padaria', ...numbers],
    ]
    const { body } = await marina.call<Begun>('POST', '/contacts/import', makeSheetForm(rows, { numbers: 'all' }))
    expect(await ended(marina, body.jobId)).toMatchObject({ state: 'done', error: null })
  }

  test('by a sheet is not written to either', async () => {
    const { contactId, now, old } = await aRenumbered()
    const other = String(numbers++)
    await importNumbers(now, other)
    const [row] = await sql`select contact_id as id from contact_identity where kind = 'pn' and value = ${other}`
    expect([row?.id, await nextAddress(contactId)]).toEqual([contactId, old])
    await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(makePeer({ pn: other }), 'Sou eu')])
    await sql`delete from contact_channel where contact_id = ${contactId}`
    expect(await nextAddress(contactId)).toBe(other)
  })

  test('by a sheet is the number of whom nobody talked to', async () => {
    const [number, other] = [String(numbers++), String(numbers++)]
    await importNumbers(number, other)
    const [row] = await sql`
      select bool_and(is_proven) as proven, count(distinct contact_id)::int as contacts from contact_identity where value in (${number}, ${other})`
    expect(row).toEqual({ proven: true, contacts: 1 })
  })

  test('by a sheet that only completes the one it had is that one', async () => {
    const whole = String(numbers++)
    const [made] = await sql<{ id: number }[]>`
      insert into contact (name, number) values ('Padaria', ${whole.slice(2)}) returning id`
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${whole.slice(2)}, ${made?.id ?? 0})`
    await makeTicket(db, { contactId: made?.id ?? 0, whatsappId, status: 'open' })
    await importNumbers(whole)
    expect(await nextAddress(made?.id ?? 0)).toBe(whole)
  })

  for (const stays of ['the customer', 'the other'])
    test(`of another contact that was made one with the customer is not written to before (${stays} stays), and is its own again when that is taken back`, async () => {
      const { contactId, old } = await aRenumbered()
      const number = String(numbers++)
      const { body: other } = await marina.call<Contact>('POST', '/contacts', { name: 'Cúmplice', number })
      const [into, from] = stays === 'the customer' ? [contactId, other.id] : [other.id, contactId]
      const merged = await marina.call<{ merge: { id: number } }>('POST', `/contacts/${into}/merge`, {
        contactId: from,
      })
      expect([merged.status, await nextAddress(into)]).toEqual([200, old])
      expect((await marina.call('DELETE', `/contacts/merges/${merged.body.merge.id}`)).status).toBe(200)
      expect([await nextAddress(contactId), await nextAddress(other.id)]).toEqual([old, number])
    })
})
