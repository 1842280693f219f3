// What phones tell of their address books is kept for an import, and makes nobody a contact (docs/decisions/0219).
import { beforeEach, expect, test } from 'bun:test'
import { deletePhoneBook, listPhoneBook } from '../src/desk/phone-book/book.ts'
import { createTestDatabase } from './database.ts'
import { makeInbox, makePeer } from './inbox-world.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const { take, empty } = await makeInbox(db)
beforeEach(empty)

const book = async () => {
  const [row] = await sql<{ id: number }[]>`select id from whatsapp order by id limit 1`
  return { id: row?.id ?? 0, names: [...(await listPhoneBook(db, row?.id ?? 0))] }
}

test('§14: a phone tells its names, changes them and takes them out; what somebody calls himself is no such name', async () => {
  const peer = makePeer({ pn: '5531986554410' })
  await take({ type: 'contact', peer, name: 'Ana\nPadaria', source: 'phone' })
  await take({ type: 'contact', peer: makePeer({ pn: '5531986554411' }), name: 'Beto', source: 'push' })
  await take({ type: 'contact', peer: makePeer({ lid: '111' }), name: 'Sem número', source: 'phone' })
  await take({ type: 'contact', peer: makePeer({ pn: '5531986554410123' }), name: 'Longo demais', source: 'phone' })
  expect((await book()).names).toEqual([{ number: '5531986554410', name: 'Ana Padaria' }])
  await take({ type: 'contact', peer, name: 'Ana', source: 'phone' })
  expect((await book()).names).toEqual([{ number: '5531986554410', name: 'Ana' }])
  expect(await sql`select 1 from contact`).toHaveLength(0)
  await take({ type: 'contact', peer, source: 'phone' })
  expect((await book()).names).toEqual([])
  await take({ type: 'contact', peer, name: 'Ana', source: 'phone' })
  await deletePhoneBook(db, (await book()).id)
  expect((await book()).names).toEqual([])
})
