// A message the provider took and then could not deliver: it says so, and goes out again when somebody asks.
import { afterAll, expect, test } from 'bun:test'
import type { Message, Ticket } from '@balcao/contract'
import { startGraph } from '@balcao/simulator/graph/graph'
import { getSql } from '../src/platform/database/raw.ts'
import { seal } from '../src/platform/seal.ts'
import { startDeskServer } from './desk-server.ts'
import { DATA_KEY, makePerson } from './desk-world.ts'
import { waitUntil } from './until.ts'

const graph = await startGraph({ retryBaseMs: 20, retryMostMs: 200 })
const server = await startDeskServer({ ...graph.env })
const sql = getSql(server.db)
afterAll(() => graph.stop())

test('a message that failed after it was taken is sent again, and its receipts find it', async () => {
  const business = graph.business({
    phoneNumberId: '5501',
    wabaId: '9901',
    token: 'token',
    number: '+553133330000',
    name: 'Loja',
  })
  const lucia = graph.customer({ number: '+55 31 99876-2210', name: 'Dona Lúcia' })
  const [row] = await sql<{ id: number }[]>`
    insert into whatsapp (name, api, status, config)
    values ('Loja', 'cloud_api', 'DISCONNECTED', ${JSON.stringify({ phoneNumberId: '5501', wabaId: '9901', tokenMeta: seal(DATA_KEY, 'token') })}::text::jsonb) returning id`
  business.lane.url = `${server.url}/webhooks/cloud/${row?.id}`
  await makePerson(server.db, { name: 'Marina', profile: 'admin' })
  const marina = await server.as('Marina')
  await lucia.send(business, { type: 'text', text: 'Bom dia' })
  const waiting = async () =>
    (await marina.call<{ tickets: Ticket[] }>('GET', '/tickets?status=pending&showAll=true')).body.tickets[0]
  await waitUntil('the ticket waits', async () => Boolean(await waiting()))
  const id = (await waiting())?.id
  expect((await marina.call('PUT', `/tickets/${id}`, { status: 'open' })).status).toBe(200)

  business.failNext(131026)
  const { body: sent } = await marina.call<Message>('POST', `/messages/${id}`, { body: 'Bom dia, Lúcia' })
  const now = async () =>
    (await marina.call<{ messages: Message[] }>('GET', `/messages/${id}`)).body.messages.find(one => one.id === sent.id)
  await waitUntil('it failed', async () => (await now())?.state === 'failed')
  expect((await now())?.errorLog?.code).toEqual(expect.anything())

  expect((await marina.call('POST', `/messages/retry/${sent.id}`)).status).toBe(200)
  await waitUntil('it is delivered', async () => (await now())?.state === 'delivered')
  lucia.read(business)
  await waitUntil('it is read', async () => (await now())?.state === 'read')
  expect((await now())?.errorLog).toBeNull()
})
