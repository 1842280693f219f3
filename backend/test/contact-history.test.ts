// Everything that happened with a contact (decisions-2 §22 `GET /contacts/{id}/history`), and of it what one may see.
import { describe, expect, test } from 'bun:test'
import type { Contact, ContactActivity } from '@balcao/contract'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

interface Page {
  history: ContactActivity[]
  hasMore: boolean
  nextCursor: string | null
}

const queue = await makeQueue(db, 'Financeiro')
const other = await makeQueue(db, 'Entregas')
const shop = await makeConnection(db, 'Loja')
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [queue] })
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queue] })
await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [other] })
const people = {
  admin: await server.as('Marina'),
  gerente: await server.as('Rafael'),
  bruna: await server.as('Bruna'),
  stranger: await server.as('Estranho'),
}

async function historyOf(role: keyof typeof people, id: number, query = ''): Promise<Page> {
  const { status, body } = await people[role].call<Page>('GET', `/contacts/${id}/history${query}`)
  expect(status).toBe(200)
  return body
}

/** A contact with something of every kind, each a minute later than the one before. */
async function anEventfulOne(): Promise<{ id: number; ticket: number }> {
  const number = `55319987${String(Math.floor(Math.random() * 100_000)).padStart(5, '0')}`
  const { body } = await people.bruna.call<Contact>('POST', '/contacts', { name: 'Dona Lúcia', number })
  const { id } = body
  await people.bruna.call('PUT', `/contacts/${id}`, { email: 'lucia@correio.example' })
  const ticket = await makeTicket(db, {
    contactId: id,
    whatsappId: shop,
    status: 'closed',
    queueId: queue,
    userId: brunaId,
  })
  await sql`update ticket set created_at = '2030-01-01 10:00Z', closed_at = '2030-01-01 10:01Z' where id = ${ticket}`
  await sql`insert into rating (ticket_id, contact_id, whatsapp_id, rate, at) values (${ticket}, ${id}, ${shop}, 4, '2030-01-01 10:02Z')`
  await sql`insert into protocol (protocolo, mensagem, ticket_id, contact_id, user_id, created_at)
    values (${`2030-${ticket}`}, 'Troca', ${ticket}, ${id}, ${brunaId}, '2030-01-01 10:03Z')`
  const sends = await sql<{ id: number }[]>`
    insert into send (due_at, state, body, recipients, user_id) select now(), 'done', 'Oi', '{}', ${brunaId} from generate_series(1, 3) returning id`
  for (const [at, state] of (['handed', 'excluded', 'waiting'] as const).entries())
    await sql`insert into send_recipient (send_id, contact_id, state, reason, ticket_id, at)
      values (${sends[at]?.id ?? 0}, ${id}, ${state}, ${state === 'excluded' ? 'opted_out' : null}, ${state === 'handed' ? ticket : null}, ${`2030-01-01 10:0${4 + at}Z`})`
  return { id, ticket }
}

const CONTACT = ['contact.update', 'contact.create']
const TICKET = ['send.handed', 'protocol', 'rating', 'ticket.closed', 'ticket.opened']

describe('decisions-2 §22: GET /contacts/{id}/history', () => {
  test('tells of edits, tickets, ratings, protocols and sends, newest first, with who did it', async () => {
    const { id, ticket } = await anEventfulOne()
    const { history } = await historyOf('admin', id)
    expect(history.map(({ what }) => what)).toEqual(['send.excluded', ...TICKET, ...CONTACT])
    const [left, handed, protocol, rating, closed] = history
    expect(left).toMatchObject({ params: { reason: 'opted_out' }, ticketId: null })
    expect(handed).toMatchObject({ ticketId: ticket, user: { id: brunaId } })
    expect(protocol).toMatchObject({
      params: { protocolo: `2030-${ticket}`, mensagem: 'Troca' },
      user: { name: 'Bruna' },
    })
    expect(rating).toMatchObject({ params: { rate: 4 }, at: '2030-01-01T10:02:00.000Z' })
    expect(closed).toMatchObject({ user: { id: brunaId } })
    expect(history.at(-2)).toMatchObject({ params: { changes: [{ field: 'email' }] }, user: { name: 'Bruna' } })
    expect(new Set(history.map(deed => deed.id)).size).toBe(history.length)
  })

  test('decisions §1: what the owner changed in a contact is told without the owner’s name', async () => {
    const owner = await server.as('Dono')
    await sql`update "user" set name = 'Dona Secreta' where id = 1`
    const number = `55319986${String(Math.floor(Math.random() * 100_000)).padStart(5, '0')}`
    const { body } = await owner.call<Contact>('POST', '/contacts', { name: 'Do dono', number })
    const readHistory = async (person: SignedInPerson) =>
      (await person.call<Page>('GET', `/contacts/${body.id}/history`)).body.history
    expect((await readHistory(people.admin)).map(({ what: label, user }) => [label, user])).toEqual([
      ['contact.create', null],
    ])
    expect((await readHistory(owner))[0]?.user?.name).toBe('Dona Secreta')
  })

  test('of tickets only what one may see; left out of a send is nothing for attendants', async () => {
    const { id } = await anEventfulOne()
    const seen = async (role: keyof typeof people) => (await historyOf(role, id)).history.map(({ what }) => what)
    expect(await seen('gerente')).toEqual(['send.excluded', ...TICKET, ...CONTACT])
    expect(await seen('bruna')).toEqual([...TICKET, ...CONTACT])
    expect(await seen('stranger')).toEqual(CONTACT)
    // A protocol is also of who gave it.
    await sql`update "user" set name = name where id = ${brunaId}`
    await sql`delete from user_queue where user_id = ${brunaId}`
    expect(await seen('bruna')).toEqual(['protocol', ...CONTACT])
    await sql`insert into user_queue (user_id, queue_id) values (${brunaId}, ${queue})`
  })

  test('comes in pages by key: nothing twice, nothing left out, also of one instant', async () => {
    const { id } = await anEventfulOne()
    for (let n = 0; n < 9; n++)
      await makeTicket(db, { contactId: id, whatsappId: shop, status: 'closed', queueId: queue, userId: brunaId })
    await sql`update ticket set created_at = '2030-02-01', closed_at = '2030-02-01' where contact_id = ${id}`
    await sql`update log_entry set created_at = '2030-02-01' where contact_id = ${id}`
    const whole = (await historyOf('admin', id)).history
    const parts: ContactActivity[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await historyOf('admin', id, `?limit=4${cursor && `&cursor=${cursor}`}`)
      parts.push(...page.history)
      expect(page.hasMore).toBe(page.nextCursor !== null)
      cursor = page.nextCursor
    }
    expect(whole.length).toBe(26)
    expect(parts).toEqual(whole)
  })

  test('of a merged one: who was merged brings their own, and the latest merge can be taken back from it', async () => {
    const [into, from] = [await anEventfulOne(), await anEventfulOne()]
    await people.bruna.call('POST', `/contacts/${into.id}/merge`, { contactId: from.id })
    const { history } = await historyOf('admin', from.id)
    expect(history.filter(({ what }) => what === 'contact.create')).toHaveLength(2)
    expect(history.filter(({ what }) => what === 'rating')).toHaveLength(2)
    const merge = history.find(({ what }) => what === 'contact.merge')
    expect(merge).toMatchObject({ other: { id: from.id, name: 'Dona Lúcia' }, user: { name: 'Bruna' } })
    expect((await people.bruna.call('DELETE', `/contacts/merges/${merge?.merge?.id}`)).status).toBe(200)
    const after = (await historyOf('admin', into.id)).history
    expect(after.filter(({ what }) => what === 'contact.create')).toHaveLength(1)
    expect(after.find(({ what }) => what === 'contact.merge')?.merge).toBeNull()
    expect(after.find(({ what }) => what === 'contact.unmerge')).toMatchObject({ other: { id: from.id } })
  })

  test('of two merges only the latest can be taken back from it', async () => {
    const [into, first, second] = [await anEventfulOne(), await anEventfulOne(), await anEventfulOne()]
    for (const { id } of [first, second])
      await people.bruna.call('POST', `/contacts/${into.id}/merge`, { contactId: id })
    const merges = (await historyOf('admin', into.id)).history.filter(({ what }) => what === 'contact.merge')
    expect(merges.map(({ other, merge }) => [other?.id, merge !== null])).toEqual([
      [second.id, true],
      [first.id, false],
    ])
  })

  test('nobody has none', async () => {
    const { status } = await people.bruna.call('GET', '/contacts/2000000000/history')
    expect(status).toBe(404)
    const id = await makeContact(db, 'Sem nada')
    expect((await historyOf('stranger', id)).history).toEqual([])
  })
})
