// Each event, told of what people, customers and phones do: over the real server to a receiver, with all fields.
import { afterAll, afterEach, expect, test } from 'bun:test'
import { type Message, WEBHOOK_EVENTS, WEBHOOK_FIELDS, WEBHOOK_SAMPLES, type WebhookEventType } from '@balcao/contract'
import { startWebhookReceiver } from '@balcao/simulator/webhooks/receiver'
import { storeStatus } from '../src/messaging/owner/status.ts'
import { startDeskServer } from './desk-server.ts'
import { makePerson, makeQueue } from './desk-world.ts'
import { makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'
import { waitUntil } from './until.ts'

const receiver = startWebhookReceiver()
afterAll(() => receiver.stop())
const server = await startDeskServer({ ALLOW_PRIVATE_HOSTS: receiver.host })
const { db } = server
const sql = db.$client
await setPlainSettings(db)
const inbox = await makeInbox(db)
const sales = await makeQueue(db, 'Vendas')
const finance = await makeQueue(db, 'Financeiro')
const anaId = await makePerson(db, { name: 'Ana', profile: 'admin', queueIds: [sales, finance] })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [sales, finance] })
const ana = await server.as('Ana')
let phones = 5511990000000

const webhook = await ana.call<{ secret: string }>('POST', '/integrations', {
  ...{ name: 'n8n', address: `${receiver.url}/`, events: WEBHOOK_EVENTS, fields: WEBHOOK_FIELDS },
})
receiver.secret = webhook.body.secret

afterEach(() => {
  receiver.answer = undefined
})

/** What was told of one kind since, by what it says. */
async function expectEvent(type: WebhookEventType, data: object) {
  const find = () => receiver.calls.find(call => call.type === type && Bun.deepMatch(data, call.data))
  await waitUntil(`${type} ${JSON.stringify(data)} is told`, () => find() !== undefined)
  return find()
}

/** Somebody who wrote, with the ticket it opened. */
async function open(status = 'open') {
  const peer = makePeer({ pn: String(++phones) })
  await inbox.take(makeMessageEvent(peer, 'Bom dia'))
  const [row] = await sql<{ id: number; contactId: number }[]>`
    select t.id, t.contact_id as "contactId" from ticket t join contact_identity i on i.contact_id = t.contact_id
    where i.value = ${peer.pn ?? ''}`
  const ticket = row ?? { id: 0, contactId: 0 }
  if (status === 'open') await ana.call('PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: sales })
  return { ...ticket, peer }
}

test('message.sent and message.status of what an agent writes; a comment is told to nobody', async () => {
  const { id, peer } = await open()
  await ana.call('POST', `/messages/${id}`, { body: '-- só para nós' })
  const { body } = await ana.call<Message>('POST', `/messages/${id}`, { body: 'O pedido saiu' })
  const [row] = await sql<
    { providerId: string }[]
  >`select provider_id as "providerId" from message where id = ${body.id}`
  const ref = { chat: peer.jid, id: row?.providerId ?? '', fromMe: true }
  for (const ack of ['sent', 'delivered', 'read'] as const) await inbox.take({ type: 'ack', ref, ack, at: Date.now() })
  const about = { messageId: body.id, agentName: 'Ana', messageText: 'O pedido saiu' }
  await expectEvent('message.sent', about)
  await expectEvent('message.status', { ...about, state: 'delivered' })
  await expectEvent('message.status', { ...about, state: 'read' })
  const types = receiver.calls.filter(({ data }) => data.messageId === body.id).map(({ type }) => type)
  expect(types.filter(type => type === 'message.sent')).toHaveLength(1)
  expect(JSON.stringify(receiver.calls)).not.toContain('só para nós')
})

/** What was told of a ticket, once all that went before something else was. */
async function listTypes(ticketId: number) {
  const { id } = await open('pending')
  await expectEvent('ticket.opened', { ticketId: id })
  return receiver.calls.filter(({ data }) => data.ticketId === ticketId).map(({ type }) => type)
}

test('ticket.accepted where a waiting ticket is given to somebody, by a person or by a program of the company', async () => {
  const { body: token } = await ana.call<{ token: string }>('POST', '/integrations/tokens', {
    ...{ name: 'Loja', scopes: ['serve'], queueIds: [sales, finance] },
  })
  const assigned = await open('pending')
  await ana.call('PUT', `/tickets/${assigned.id}`, { queueId: sales, userId: brunaId })
  await expectEvent('ticket.accepted', { ticketId: assigned.id, agentId: brunaId })
  const served = await open('pending')
  await sql`update ticket set queue_id = ${sales} where id = ${served.id}`
  const accepting = await fetch(`${server.url}/tickets/${served.id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'open', userId: brunaId }),
  })
  expect(accepting.status).toBe(200)
  await expectEvent('ticket.accepted', { ticketId: served.id, agentId: brunaId })
  expect(await listTypes(served.id)).not.toContain('ticket.transferred')
})

test('ticket.transferred and ticket.accepted where a waiting ticket is given to somebody of another queue', async () => {
  const { id } = await open('pending')
  await sql`update ticket set queue_id = ${sales} where id = ${id}`
  await ana.call('PUT', `/tickets/${id}`, { queueId: finance, userId: brunaId })
  await expectEvent('ticket.accepted', { ticketId: id, queueId: finance })
  await expectEvent('ticket.transferred', { ticketId: id, fromQueueId: sales, fromAgentId: null })
})

test('nothing is told where a colleague is asked to follow a ticket', async () => {
  const { id } = await open()
  expect((await ana.call('PUT', `/tickets/${id}/followers/${brunaId}`)).status).toBeLessThan(300)
  expect(await listTypes(id)).not.toContain('ticket.transferred')
})

test('ticket.transferred to another queue, and to another person', async () => {
  const { id } = await open()
  await ana.call('PUT', `/tickets/${id}`, { queueId: finance, userId: null })
  const transfer = await expectEvent('ticket.transferred', { ticketId: id, queueId: finance, fromQueueId: sales })
  expect(transfer?.data).toMatchObject({ fromAgentId: anaId, agentId: null })
  await ana.call('PUT', `/tickets/${id}`, { userId: brunaId })
  await expectEvent('ticket.accepted', { ticketId: id, agentName: 'Bruna', queueId: finance })
  await ana.call('PUT', `/tickets/${id}`, { userId: anaId })
  await expectEvent('ticket.transferred', { ticketId: id, agentName: 'Ana', fromAgentId: brunaId })
})

test('ticket.rated, and ticket.opened again when the customer comes back', async () => {
  const { id, peer } = await open()
  await sql`update ticket set status = 'nps', user_id = ${brunaId}, unread_messages = 0 where id = ${id}`
  await inbox.take(makeMessageEvent(peer, '5'))
  await expectEvent('ticket.rated', { ticketId: id, rating: 5, status: 'closed' })
  await ana.call('PUT', `/tickets/${id}`, { status: 'open', userId: anaId })
  await expectEvent('ticket.opened', { ticketId: id, reopened: true })
})

test('contact.changed, contact.merged and contact.optedOut', async () => {
  const [contact, other] = [await open(), await open()]
  await ana.call('PUT', `/contacts/${contact.contactId}`, { name: 'Rui Alves' })
  await expectEvent('contact.changed', { contactId: contact.contactId, contactName: 'Rui Alves' })
  await ana.call('PUT', `/contacts/${contact.contactId}`, { optedOut: true })
  const out = await expectEvent('contact.optedOut', { contactId: contact.contactId })
  expect(out?.data.optedOutAt).toEqual(expect.any(String))
  const merge = await ana.call('POST', `/contacts/${contact.contactId}/merge`, { contactId: other.contactId })
  expect(merge.status).toBe(200)
  await expectEvent('contact.merged', { contactId: other.contactId, mergedInto: contact.contactId })
})

test('connection.state, once for each', async () => {
  // No process takes it up.
  const [row] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, wanted) values ('Loja Savassi', 'cloud_api', false) returning id`
  const whatsappId = row?.id ?? 0
  const owned = { whatsappId, epoch: 0 }
  await storeStatus(db, owned, { type: 'status', status: 'CONNECTED' })
  await expectEvent('connection.state', { connectionId: whatsappId, status: 'CONNECTED' })
  await storeStatus(db, owned, { type: 'status', status: 'CONNECTED', battery: 40 })
  await storeStatus(db, owned, { type: 'status', status: 'LOGGEDOUT' })
  await expectEvent('connection.state', { connectionId: whatsappId, status: 'LOGGEDOUT' })
  const states = receiver.calls.flatMap(({ data, type }) =>
    type === 'connection.state' && data.connectionId === whatsappId ? [data.status] : [],
  )
  expect(states).toEqual(['CONNECTED', 'LOGGEDOUT'])
})

test('a queue filter lets its own tickets through, and no other', async () => {
  const form = { name: 'Só vendas', address: `${receiver.url}/vendas`, events: ['ticket.paused'], queueIds: [sales] }
  await ana.call('POST', '/integrations', form)
  const tickets = [await open(), await open()]
  await ana.call('PUT', `/tickets/${tickets[1]?.id}`, { queueId: finance, userId: anaId })
  for (const { id } of [...tickets].reverse())
    await ana.call('PUT', `/tickets/${id}`, { status: 'paused', pauseTag: 'Banco' })
  const calls = () => receiver.calls.filter(({ path }) => path === '/vendas')
  await waitUntil('the filtered one is told', () => calls().length > 0)
  await expectEvent('ticket.paused', { ticketId: tickets[1]?.id })
  expect(calls().map(({ data }) => data.ticketId)).toEqual([tickets[0]?.id])
})

test('a receiver that answers each change with another one goes round until its limit, and holds up nobody', async () => {
  const { contactId } = await open()
  const form = { name: 'Laço', scopes: ['contacts'], userId: anaId, perMinute: 10 }
  const { token } = (await ana.call<{ token: string }>('POST', '/integrations/tokens', form)).body
  const statuses: number[] = []
  receiver.answer = async (_, { type, data }) => {
    if (type === 'contact.changed' && data.contactId === contactId) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: `Volta ${statuses.length}` })
      statuses.push((await fetch(`${server.url}/contacts/${contactId}`, { method: 'PUT', headers, body })).status)
    }
    return new Response('ok')
  }
  await ana.call('PUT', `/contacts/${contactId}`, { name: 'Começa' })
  await waitUntil('the limit is met', () => statuses.includes(429))
  // The minute may have turned once.
  expect(statuses.filter(status => status === 200).length).toBeLessThanOrEqual(20)
  const after = await open('pending')
  await expectEvent('message.received', { ticketId: after.id })
})

test('a receiver that answers each message with another one is refused at the limit of its token', async () => {
  const { id, peer } = await open()
  const form = { name: 'Eco', scopes: ['send'], queueIds: [sales], perMinute: 5 }
  const { token } = (await ana.call<{ token: string }>('POST', '/integrations/tokens', form)).body
  const statuses: number[] = []
  async function send() {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ body: `Volta ${statuses.length}` })
    const answer = await fetch(`${server.url}/messages/${id}`, { method: 'POST', headers, body })
    statuses.push(answer.status)
    if (answer.status === 201) await confirmSent((await answer.json()).id)
  }
  async function confirmSent(messageId: number) {
    const [row] = await sql<{ id: string }[]>`select provider_id as id from message where id = ${messageId}`
    const ref = { chat: peer.jid, id: row?.id ?? '', fromMe: true }
    await inbox.take({ type: 'ack', ref, ack: 'sent', at: Date.now() })
  }
  receiver.answer = async (_, { type, data }) => {
    if (type === 'message.sent' && data.ticketId === id) await send()
    return new Response('ok')
  }
  await send()
  await waitUntil('the limit is met', () => statuses.includes(429))
  const [count] = await sql<
    { n: number }[]
  >`select count(*)::int as n from message where ticket_id = ${id} and from_me and body like 'Volta %'`
  // The minute may have turned once.
  expect(count?.n).toBeLessThanOrEqual(10)
  await open('pending')
})

test('the sample of each event has the fields that come, all of them and no others', async () => {
  const { id, contactId } = await open()
  const made = await ana.call<{ id: number }>('POST', '/contacts', { name: 'Novo', number: '5531988880009' })
  expect((await ana.call('PUT', `/tickets/${id}`, { status: 'closed', onlyClose: true })).status).toBe(200)
  await expectEvent('ticket.resolved', { ticketId: id })
  await sql`update "user" set del_contact = true where id = ${anaId}`
  expect((await ana.call('DELETE', `/contacts/${contactId}`)).status).toBe(204)
  await expectEvent('contact.deleted', { contactId })
  await expectEvent('contact.created', { contactId: made.body.id })
  for (const event of WEBHOOK_EVENTS) {
    const call = receiver.calls.find(({ type, path }) => type === event && path === '/')
    expect([event, Object.keys(call?.data ?? {}).sort()]).toEqual([event, Object.keys(WEBHOOK_SAMPLES[event]).sort()])
  }
})
