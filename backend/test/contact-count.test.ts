// How many a search of contacts finds, whatever page of it is shown; and the ids a contact's redirect names.
import { expect, test } from 'bun:test'
import type { ResponseBody } from '@balcao/contract'
import { findContactPage } from '../src/desk/contacts/search.ts'
import { startDeskServer } from './desk-server.ts'
import { makeContact, makePerson, makeQueue } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client
type Page = ResponseBody<'GET /contacts'>

await makePerson(db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')
await sql`insert into contact (name, is_group) select 'Padaria ' || n, n > 60 from generate_series(1, 66) n`
await sql`insert into contact (name) select 'Outro ' || n from generate_series(1, 30) n`

const find = async (query: string) => (await marina.call<Page>('GET', `/contacts?${query}`)).body

test('a search says how many it finds with each page', async () => {
  const first = await find('searchParam=padaria&limit=20')
  expect([first.contacts.length, first.count]).toEqual([20, 66])
  const second = await find(`searchParam=padaria&limit=20&cursor=${encodeURIComponent(first.nextCursor ?? '')}`)
  expect([second.contacts.length, second.count]).toEqual([20, 66])
  expect((await find('searchParam=padaria&limit=20&ignoreGroup=true')).count).toBe(60)
  expect((await find('searchParam=padaria&limit=20&pageNumber=4')).count).toBe(66)
  expect((await find('searchParam=nada%20disso')).count).toBe(0)
  expect((await find('searchParam=padaria%206&limit=2')).count).toBe(13)
})

test('of what very many have, the walk that finds the page counts on to the last that is counted', async () => {
  await sql`insert into contact (name) select 'Mercearia ' || n from generate_series(1, 1005) n`
  const page = { bounds: { after: null, skip: 20, limit: 20 }, withGroups: true }
  const { rows, count } = await findContactPage(db, 'mercearia', page, true)
  expect([rows.length, rows[0]?.name, count]).toEqual([
    21,
    (await findContactPage(db, 'mercearia', page, false)).rows[0]?.name,
    1000,
  ])
  expect((await find('searchParam=mercearia&limit=20')).count).toBe(1000)
})

test('the number of what a search finds, or of all, is told without a row', async () => {
  const count = async (query: string) => (await marina.call('GET', `/contacts/count?${query}`)).body
  expect(await count('searchParam=padaria')).toEqual({ count: 66 })
  expect(await count('searchParam=padaria&ignoreGroup=true')).toEqual({ count: 60 })
  expect(await count('searchParam=nada%20disso')).toEqual({ count: 0 })
  expect(await count('')).toEqual({ count: (await find('')).count })
})

test('who wants the rows of a search alone is told no number', async () => {
  const page = await find('searchParam=padaria&limit=20&count=false')
  expect([page.contacts.length, page.hasMore, 'count' in page]).toEqual([20, true, false])
})

test('an answer names the queues and people of the redirect besides its rows', async () => {
  const [sales, finance] = [await makeQueue(db, 'Vendas'), await makeQueue(db, 'Financeiro')]
  const bruna = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [sales, finance] })
  const id = await makeContact(db, 'Dona Lúcia')
  const redirect = [sales, finance].map(queueId => ({ queueId, userId: bruna }))
  const { body } = await marina.call('PUT', `/contacts/${id}`, { redirect })
  expect(body).toMatchObject({ redirect, queueIds: [sales, finance], userIds: [bruna] })
  expect((await marina.call('GET', `/contacts/${id}`)).body).toMatchObject({
    queueIds: [sales, finance],
    userIds: [bruna],
  })
})
