// What a person keeps on top of the list: their own, of live conversations they may see.
import { beforeEach, describe, expect, test } from 'bun:test'
import { PINS_MOST, type Ticket } from '@balcao/contract'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { startTwoQueueDesk } from './two-queue-desk.ts'

const { db, sql, sales, findId, findSession, openTicket } = await startTwoQueueDesk()

beforeEach(async () => {
  await sql`delete from ticket`
  await sql`delete from live_event`
})

describe('a pinned conversation', () => {
  test.each(['Marina', 'Rafael', 'Bruna'])(
    'is %s’s alone, first the one pinned first, and her pages are told',
    async name => {
      const [one, other] = [await openTicket(), await openTicket()]
      expect(await pin(name, other)).toBe(204)
      expect(await pin(name, one)).toBe(204)
      expect(await pin(name, one)).toBe(204)
      expect(await listPins(name)).toEqual([other, one])
      for (const colleague of ['Marina', 'Rafael', 'Bruna'].filter(each => each !== name))
        expect(await listPins(colleague)).toEqual([])
      const [row] = await sql<{ ids: number[]; event: { ticketId: number; pinned: boolean } }[]>`
      select audience->'userIds' as ids, payload::jsonb as event from live_event where payload like '{"event":"ticketPin"%' order by id limit 1`
      expect([row?.ids, row?.event.ticketId, row?.event.pinned]).toEqual([[findId(name)], other, true])
      expect(await pin(name, other, false)).toBe(204)
      expect(await listPins(name)).toEqual([one])
    },
  )

  test('is none of what one may not see, and goes where it may not be seen any more', async () => {
    const id = await openTicket()
    expect(await pin('Solange', id)).toBe(403)
    expect(await pin('Bruna', 2_000_000)).toBe(404)
    await pin('Rafael', id)
    await sql`update ticket set queue_id = ${sales} where id = ${id}`
    expect(await listPins('Rafael')).toEqual([])
    expect(await pin('Rafael', id, false)).toBe(204)
  })

  test('leaves when it closes, whoever closes it, and is not back when it is opened again', async () => {
    const id = await openTicket()
    await pin('Bruna', id)
    await pin('Rafael', id)
    await call('Bruna', 'PUT', `/tickets/${id}`, { status: 'closed', onlyClose: true })
    expect(await pin('Bruna', id)).toBe(409)
    await call('Rafael', 'PUT', `/tickets/${id}`, { status: 'open' })
    expect([await listPins('Bruna'), await listPins('Rafael')]).toEqual([[], []])
  })

  test(`is one of ${PINS_MOST} at most, also of two pinned at once; what is not seen any more takes no room`, async () => {
    const all = await Promise.all(Array.from({ length: PINS_MOST + 2 }, () => openTicket()))
    for (const id of all.slice(0, PINS_MOST - 1)) await pin('Rafael', id)
    const [last, more] = all.slice(-2)
    const both = await Promise.all([pin('Rafael', last ?? 0), pin('Rafael', more ?? 0)])
    expect(both.sort()).toEqual([204, 422])
    const { body } = await call('Rafael', 'PUT', `/tickets/${all[PINS_MOST - 1]}/pin`, { pinned: true })
    expect(JSON.stringify(body)).toContain(`Você já fixou ${PINS_MOST} conversas`)
    await sql`update ticket set queue_id = ${sales} where id = ${all[0] ?? 0}`
    expect(await pin('Rafael', all[PINS_MOST - 1] ?? 0)).toBe(204)
    expect(await listPins('Rafael')).toHaveLength(PINS_MOST)
    expect(await pin('Rafael', all[PINS_MOST - 1] ?? 0)).toBe(204)
  })

  test.each(['by hand', 'as they turn out to be one person'])(
    'that ends as two contacts are made one %s is followed by the one that goes on',
    async how => {
      const [older, younger, other] = [await openTicket(null), await openTicket(null), await openTicket()]
      for (const id of [younger, other]) await pin('Bruna', id)
      for (const id of [older, younger]) await pin('Rafael', id)
      const contacts = await sql<{ contact_id: number }[]>`
        select contact_id from ticket where id in (${older}, ${younger}) order by id`
      const [into = 0, from = 0] = contacts.map(row => row.contact_id)
      await sql`delete from live_event`
      if (how === 'by hand') await call('Marina', 'POST', `/contacts/${into}/merge`, { contactId: from })
      else await db.transaction(tx => mergeContacts(tx, into, from))
      expect([await listPins('Bruna'), await listPins('Rafael')]).toEqual([[older, other], [older]])
      const events = await sql<{ ids: number[] }[]>`
        select audience->'userIds' as ids from live_event where payload like '{"event":"ticketPin"%'`
      expect(events.map(({ ids }) => ids)).toEqual([[findId('Bruna')]])
    },
  )

  test('goes back to where it was when the merge is taken back', async () => {
    const [younger, older, other] = [await openTicket(), await openTicket(), await openTicket()]
    const contacts = await sql<
      { id: number; contactId: number }[]
    >`select id, contact_id as "contactId" from ticket order by id`
    const [from, into] = [younger, older].map(id => contacts.find(ticket => ticket.id === id)?.contactId)
    for (const id of [younger, other]) await pin('Bruna', id)
    for (const id of [older, younger]) await pin('Rafael', id)
    const { body } = await call<{ merge: { id: number } }>('Marina', 'POST', `/contacts/${into}/merge`, {
      contactId: from,
    })
    expect(await listPins('Rafael')).toHaveLength(1)
    expect((await call('Marina', 'DELETE', `/contacts/merges/${body.merge.id}`)).status).toBe(200)
    expect([await listPins('Bruna'), await listPins('Rafael')]).toEqual([
      [younger, other],
      [older, younger],
    ])
  })
})

function call<T = unknown>(name: string, method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) {
  return findSession(name).call<T>(method, path, body)
}

async function pin(name: string, id: number, pinned = true): Promise<number> {
  return (await call(name, 'PUT', `/tickets/${id}/pin`, { pinned })).status
}

async function listPins(name: string): Promise<number[]> {
  return (await call<Ticket[]>(name, 'GET', '/tickets/pinned')).body.map(ticket => ticket.id)
}
