// What a database backend keeps of our statements does not grow with what people ask for: values are parameters, never text.
import { beforeAll, expect, test } from 'bun:test'
import { countTickets } from '../src/desk/tickets/counts.ts'
import { listTickets } from '../src/desk/tickets/list.ts'
import { searchTickets } from '../src/desk/tickets/search.ts'
import { createTestDatabase } from './database.ts'
import {
  makeConnection,
  makeContact,
  makeMessage,
  makePerson,
  makeQueue,
  makeSession,
  makeTicket,
} from './desk-world.ts'
import { createRecorder } from './recorded-plans.ts'

const { db, url, beforeDrop } = await createTestDatabase()
// One connection, so that everything that was prepared is seen.
const single = createRecorder(url, 'force_custom_plan')
beforeDrop(() => single.end())
const queueIds: number[] = []

beforeAll(async () => {
  for (let n = 0; n < 12; n++) queueIds.push(await makeQueue(db, `Fila ${n}`))
  const whatsappId = await makeConnection(db, 'Loja Centro')
  const contactId = await makeContact(db, 'Padaria Estrela')
  await makeMessage(
    db,
    await makeTicket(db, { contactId, whatsappId, status: 'open', queueId: 1 }),
    'um dois três quatro cinco',
  )
})

test('pages of any length, place and size of team are the same few statements', async () => {
  const countStatements = async (n: number) => {
    const queues = queueIds.slice(0, 1 + (n % queueIds.length))
    const id = await makePerson(db, { name: `Gente ${n}`, profile: n % 2 ? 'gerente' : 'user', queueIds: queues })
    const session = await makeSession(db, id, { userShowAll: true, hierarchy: true })
    const page = { limit: 1 + (n % 40), pageNumber: 1 + (n % 25), showAll: 'true' } as const
    await listTickets(single.db, session, page)
    await listTickets(single.db, session, { ...page, status: 'open', queueIds: JSON.stringify(queues) })
    await countTickets(single.db, session, { queueIds: JSON.stringify(queues) })
  }
  // Of both profiles, with more ranges than places and with fewer.
  for (const n of [0, 1, 48, 49, 38, 39]) await countStatements(n)
  const before = await prepared()
  for (let n = 60; n < 120; n++) await countStatements(n)
  expect(await prepared()).toBe(before)
})

test('a search of any length is one of a few statements', async () => {
  const session = await makeSession(db, await makePerson(db, { name: 'Marina', profile: 'admin' }))
  const search = (words: number, people: number) =>
    searchTickets(single.db, session, {
      searchParam: Array.from({ length: words }, (_, n) => `palavra${n}`).join(' '),
      searchUser: Array.from({ length: people }, (_, n) => n + 1).join(','),
    })
  for (let words = 1; words <= 5; words++) await search(words, 1)
  const before = await prepared()
  for (let words = 1; words < 30; words++) await search(words, words)
  expect(await prepared()).toBe(before)
})

test('spec 1 §5 "Search": a search of many words finds what holds all of them', async () => {
  const session = await makeSession(db, await makePerson(db, { name: 'Renata', profile: 'admin' }))
  const found = async (searchParam: string) => (await searchTickets(single.db, session, { searchParam })).tickets.length
  expect(await found('um dois três quatro cinco')).toBe(1)
  expect(await found('um dois três quatro seis')).toBe(0)
})

async function prepared(): Promise<number> {
  const [row] = await single.db.$client<{ n: number }[]>`select count(*)::int as n from pg_prepared_statements`
  return row?.n ?? 0
}
