// A company that set nothing in the environment: the house's own name and colours, no invoices, no notes, never blocked.
import { expect, test } from 'bun:test'
import { createBrowser, startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson } from './desk-world.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()

await makePerson(server.db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')

test('has the name and the colours of the house', async () => {
  const { body } = await createBrowser(server.url).call('GET', '/system')
  expect([body.product, body.invoices, body.blocked, body.userCreation]).toEqual(['Balcão', false, false, false])
  expect((await createBrowser(server.url).call<string>('GET', '/brand.css')).body).toBe('')
})

test('has no invoices and no notes', async () => {
  expect((await marina.call('GET', '/invoices')).body.error).toBe('ERR_NOT_FOUND')
  expect((await marina.call('GET', '/notes')).body).toEqual({ notes: [], count: 0 })
})

test('knows no gateway: no connection behind one can be added, one that is there says so, and nothing is taken in its name', async () => {
  const form = { name: 'Filial', api: 'meow' }
  const { status, body } = await marina.call('POST', '/whatsapp', form)
  expect([status, body.error]).toEqual([409, 'ERR_GATEWAY_NOT_SET'])
  const id = await makeConnection(server.db, 'Filial', 'meow')
  await marina.call('POST', '/whatsapp/restart/', { whatsappId: id })
  await waitUntil('its card says why', async () => {
    const { body: card } = await marina.call<{ trouble: { reason: string } | null }>('GET', `/whatsapp/${id}`)
    return card.trouble?.reason === 'gateway_unset'
  })
  const post = (to: string) => fetch(`${server.url}/webhooks/${to}`, { method: 'POST', body: '{}' })
  expect((await post(`meow/${id}`)).status).toBe(401)
  expect((await post(`cloud/${id}`)).status).toBe(404)
  expect((await post('meow/99999')).status).toBe(404)
})
