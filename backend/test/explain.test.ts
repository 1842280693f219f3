// Why somebody may or may not see a ticket, asked over HTTP; and opening one outside of working hours (spec 1 §4, §6).
import { describe, expect, test } from 'bun:test'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const ids: Record<string, number> = {}

const finance = await makeQueue(db, 'Financeiro')
const other = await makeQueue(db, 'Entregas')
ids.Marina = await makePerson(db, { name: 'Marina', profile: 'admin' })
ids.Bruna = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
ids.Carlos = await makePerson(db, { name: 'Carlos', profile: 'user', queueIds: [finance] })
ids.Davi = await makePerson(db, { name: 'Davi', profile: 'user', queueIds: [other] })
ids.Rafael = await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [finance] })
ids.Inativa = await makePerson(db, { name: 'Inativa', profile: 'admin', active: false })
const whatsappId = await makeConnection(db, 'Loja Centro')
const contactId = await makeContact(db, 'Dona Lúcia')
const ticket = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId: finance, userId: ids.Bruna })
const marina = await server.as('Marina')

describe('why', () => {
  test.each([
    ['Marina', true, 'admin'],
    ['Bruna', true, 'own'],
    ['Carlos', false, 'colleague_live_hidden'],
    ['Davi', false, 'other_queue'],
    ['Rafael', true, 'manager'],
    ['Inativa', false, 'inactive'],
  ])('%s may see it: %p, by the rule %s', async (name, allowed, rule) => {
    const { body } = await why(name)
    expect(body).toMatchObject({ allowed, rule, user: { name }, queue: 'Financeiro', assignedTo: 'Bruna' })
  })

  test('the answer follows a setting at once, and so does the person', async () => {
    const carlos = await server.as('Carlos')
    expect((await carlos.call('GET', `/tickets/${ticket}`)).status).toBe(403)
    await marina.call('PUT', '/settings/userShowAll', { value: 'enabled' })
    expect((await why('Carlos')).body).toMatchObject({ allowed: true, rule: 'colleague_live' })
    expect((await carlos.call('GET', `/tickets/${ticket}`)).status).toBe(200)
  })

  test('is told to administrators only, and of the owner to himself', async () => {
    const bruna = await server.as('Bruna')
    expect((await bruna.call('GET', `/tickets/${ticket}/access?userId=${ids.Davi}`)).body.error).toBe(
      'ERR_NO_PERMISSION',
    )
    expect((await marina.call('GET', `/tickets/${ticket}/access?userId=1`)).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await marina.call('GET', `/tickets/9999/access?userId=${ids.Davi}`)).body.error).toBe('ERR_NO_TICKET_FOUND')
    expect((await marina.call('GET', `/tickets/${ticket}/access`)).status).toBe(422)
  })
})

describe('opening a ticket outside of working hours', () => {
  test('ends the session of who is no administrator', async () => {
    const bruna = await server.as('Bruna')
    expect((await bruna.call('GET', `/tickets/${ticket}`)).status).toBe(200)
    await db.$client`update "user" set weekdays = false, saturday = false, sunday = false where id in (${ids.Bruna ?? 0}, ${ids.Marina ?? 0})`
    for (const path of [`/tickets/${ticket}`, `/messages/${ticket}`]) {
      const { status, body } = await bruna.call('GET', path)
      expect([path, status, body.error]).toEqual([path, 401, 'ERR_INVALID_WORKING_TIME'])
    }
    expect((await marina.call('GET', `/tickets/${ticket}`)).status).toBe(200)
  })
})

function why(name: string) {
  return marina.call('GET', `/tickets/${ticket}/access?userId=${ids[name]}`)
}
