// Who follows a ticket reads in it what who serves it reads, by whatever door, and nothing once the following has ended (docs/decisions/0316).
import { expect, test } from 'bun:test'
import type { JobReference, Message } from '@balcao/contract'
import { storeMedia } from '../src/desk/media/store.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)
const finance = await makeQueue(db, 'Financeiro')
const sales = await makeQueue(db, 'Comercial')
const whatsappId = await makeConnection(db, 'Loja Centro')
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
const solangeId = await makePerson(db, { name: 'Solange', profile: 'user', queueIds: [sales] })
const rafaelId = await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [sales] })
const [bruna, solange, rafael] = [await server.as('Bruna'), await server.as('Solange'), await server.as('Rafael')]

const contactId = await makeContact(db, 'Dona Lúcia')
const own = { contactId, whatsappId, queueId: finance, userId: brunaId }
const before = await makeTicket(db, { ...own, status: 'closed' })
const beforeMessage = await makeMessage(db, before, 'senha antiga combinada')
const id = await makeTicket(db, { ...own, status: 'open' })
const messageId = await makeMessage(db, id, 'palavra combinada')
const place = { db, dataDir: server.config.dataDir }
const file = await storeMedia(place, new Blob(['boleto']).stream(), { name: 'boleto.txt', most: 1000 })
await sql`update media set owner = 'message' where id = ${file.id}`
await sql`update message set media_id = ${file.id}, media_type = 'application',
  media = ${JSON.stringify({ name: 'boleto.txt', mime: 'text/plain', size: 6, state: 'ready' })}::text::jsonb where id = ${messageId}`

const DOORS = [
  `/tickets/${id}`,
  `/messages/${id}`,
  `/messages/search/${id}?messageToSearch=combinada`,
  `/messages/gallery/${id}?kind=documents`,
  `/messages/info/${messageId}`,
  `/media/${file.id}`,
  `/tickets/${id}/context`,
  `/tickets/contact/${contactId}`,
  `/contacts/${contactId}/tickets`,
  `/contacts/${contactId}/history`,
  '/tickets/messages?searchParam=combinada',
  '/tickets/filter?searchParam=combinada',
]

const read = (person: typeof bruna) =>
  Promise.all(
    DOORS.map(async door => {
      const { status, body } = await person.call('GET', door)
      return [door, status, body]
    }),
  )

test('by every door what who serves it reads of this ticket, and nothing of the one before it; then what it was before', async () => {
  const outside = await read(solange)
  await bruna.call('PUT', `/tickets/${id}/followers/${solangeId}`)
  const inside = await read(solange)
  const served = await read(bruna)
  const ofThisTicket = (doors: readonly (readonly unknown[])[]) =>
    doors.filter(([door]) => !/filter|contacts|messages\/(\d+$|search)/.test(String(door)))
  expect(ofThisTicket(inside).map(([door, status]) => [door, status])).toEqual(
    ofThisTicket(served).map(([door, status]) => [door, status]),
  )
  expect(inside.filter(([, status]) => Number(status) >= 400)).toEqual([])
  expect(JSON.stringify(inside)).toContain('palavra combinada')
  // A closed ticket of another queue is nobody's who follows the present one.
  expect(JSON.stringify(inside)).not.toContain('senha antiga')
  expect(JSON.stringify(served)).toContain('senha antiga')
  await solange.call('DELETE', `/tickets/${id}/followers/${solangeId}`)
  expect(await read(solange)).toEqual(outside)
  expect(JSON.stringify(outside)).not.toContain('palavra combinada')
})

test('a quote in the own comment shows what is shown, and cannot fetch what is not; after leaving it is not read back', async () => {
  await bruna.call('PUT', `/tickets/${id}/followers/${solangeId}`)
  const quote = (quotedId: number) =>
    solange.call<Message>('POST', `/messages/${id}`, { body: '-- sobre isto', quotedMsg: { id: quotedId } })
  const written = await quote(messageId)
  expect([written.status, written.body.quotedMsg?.body]).toEqual([201, 'palavra combinada'])
  expect((await quote(beforeMessage)).status).toBe(404)
  await bruna.call('DELETE', `/tickets/${id}/followers/${solangeId}`)
  expect((await solange.call('GET', `/messages/info/${written.body.id}`)).status).toBeGreaterThanOrEqual(400)
  expect((await solange.call('PUT', `/messages/${id}`, { messageId: written.body.id, body: 'x' })).status).toBe(404)
})

test('a report of a manager holds their queues, whatever they follow', async () => {
  const preview = async () =>
    (
      await rafael.call<JobReference>('POST', '/report/ticket?preview=true', {
        startDate: '2020-01-01',
        endDate: '2030-01-01',
      })
    ).body
  const without = await preview()
  await bruna.call('PUT', `/tickets/${id}/followers/${rafaelId}`)
  expect(await preview()).toEqual(without)
  await bruna.call('DELETE', `/tickets/${id}/followers/${rafaelId}`)
})
