// A company that set nothing in the environment: the house's own name and colours, no invoices, no notes, never blocked.
import { beforeAll, expect, test } from 'bun:test'
import { browser, deskServer, type Person } from './desk-server.ts'
import { aPerson } from './desk-world.ts'

const server = await deskServer()
let marina: Person

beforeAll(async () => {
  await aPerson(server.db, { name: 'Marina', profile: 'admin' })
  marina = await server.as('Marina')
})

test('has the name and the colours of the house', async () => {
  const { body } = await browser(server.url).call('GET', '/system')
  expect([body.product, body.invoices, body.blocked, body.userCreation]).toEqual(['Balcão', false, false, false])
  expect((await browser(server.url).call<string>('GET', '/brand.css')).body).toBe('')
})

test('has no invoices and no notes', async () => {
  expect((await marina.call('GET', '/invoices')).body.error).toBe('ERR_NOT_FOUND')
  expect((await marina.call('GET', '/notes')).body).toEqual({ notes: [], count: 0 })
})
