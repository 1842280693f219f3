// What a token of the company scheduled goes out by its rights of that hour, as its calls do, and says why where it does not.
import { beforeEach, describe, expect, test } from 'bun:test'
import { API_SCOPES, type ApiToken, type Schedule } from '@balcao/contract'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db, url } = server
const sql = db.$client
const sales = await makeQueue(db, 'Vendas')
const finance = await makeQueue(db, 'Financeiro')
const whatsappId = await makeConnection(db, 'Loja Centro')
await sql`update whatsapp set status = 'CONNECTED', is_default = true`
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [sales] })
const marina = await server.as('Marina')
const rafael = await server.as('Rafael')
await marina.call('PUT', '/settings/allowAgendador', { value: 'enabled' })

beforeEach(async () => {
  await sql`truncate schedule, send, send_recipient, send_clock, outbox cascade`
  await sql`update whatsapp set news = '[]'`
})

const hand = () => dispatchNext(db, { whatsappId, epoch: 0 }, 0)

async function makeToken() {
  const form = { name: 'Loja virtual', scopes: [...API_SCOPES], queueIds: [sales, finance], perMinute: 600 }
  return (await marina.call<ApiToken & { token: string }>('POST', '/integrations/tokens', form)).body
}

/** To a customer of each queue, at nine each day. */
async function schedule(token: string, change: Record<string, string> = {}) {
  const contacts = await Promise.all(
    [sales, finance].map(async queueId => {
      const contactId = await makeContact(db, `Cliente ${crypto.randomUUID()}`)
      await sql`update contact set number = '5531987650' || id where id = ${contactId}`
      await makeTicket(db, { contactId, whatsappId, status: 'pending', queueId })
      return contactId
    }),
  )
  const fields = { message: 'Amanhã', recurrence: 'every_day', RValue: '', sendAt: '09:00', ...change }
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, contactsIds: contacts.join(','), whatsappId }))
    form.set(name, String(value))
  const headers = { authorization: `Bearer ${token}` }
  const made = await fetch(`${url}/agendamento`, { method: 'POST', headers, body: form })
  expect(made.status).toBe(201)
  const { id }: Schedule = await made.json()
  return { id, contacts }
}

async function begin(id: number) {
  await sql`update schedule set next_run_at = now() - interval '1 second' where id = ${id}`
  await startDueSchedules({ db, dataDir: '/nowhere' })
}

/** As a manager sees it. */
const get = async (id: number) => (await rafael.call<Schedule>('GET', `/agendamento/${id}`)).body

async function countSent() {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from message where body = 'Amanhã' and from_me`
  return row?.n ?? 0
}

async function readNews() {
  const [row] = await sql<
    { news: { code: string; name: string }[] }[]
  >`select news from whatsapp where id = ${whatsappId}`
  return row?.news.map(({ code, name }) => [code, name])
}

describe('what a program of the company scheduled', () => {
  const ends: [string, (token: ApiToken) => Promise<unknown>][] = [
    ['was revoked', ({ id }) => marina.call('DELETE', `/integrations/tokens/${id}`)],
    ['is over', ({ id }) => sql`update api_token set expires_at = now() - interval '1 second' where id = ${id}`],
    ['sends no more', ({ id }) => marina.call('PUT', `/integrations/tokens/${id}`, { scopes: ['readTickets'] })],
    ['has no queue any more', ({ id }) => sql`update api_token set queue_ids = '{999999}' where id = ${id}`],
    ['became somebody’s', ({ id }) => marina.call('PUT', `/integrations/tokens/${id}`, { userId: 2 })],
  ]
  for (const [name, end] of ends)
    test(`does not begin where its token ${name}: managers see why, administrators have it in the bell, once`, async () => {
      const before = await countSent()
      const token = await makeToken()
      const { id } = await schedule(token.token)
      await end(token)
      await begin(id)
      expect(await hand()).toBeNull()
      expect(await get(id)).toMatchObject({
        state: 'stopped',
        stateReason: 'token_ended',
        nextRunAt: null,
        enviados: 0,
      })
      expect(await readNews()).toEqual([['send_stopped', 'token_ended']])
      expect(await countSent()).toBe(before)
      expect((await rafael.call('PUT', `/agendamento/${id}/resume`)).status).toBe(409)
      expect((await rafael.call('PUT', `/agendamento/${id}/cancel`)).status).toBe(200)
    })

  test('stops in the middle when its token is revoked', async () => {
    const before = await countSent()
    const token = await makeToken()
    const { id } = await schedule(token.token)
    await begin(id)
    expect(await hand()).toBe(0)
    await marina.call('DELETE', `/integrations/tokens/${token.id}`)
    await sql`update outbox set state = 'done', done_at = now()`
    expect(await hand()).toBeNull()
    expect(await get(id)).toMatchObject({ run: { state: 'stopped' }, enviados: 1, total: 2 })
    expect(await countSent()).toBe(before + 1)
  })

  test('leaves out whom it may not write to any more, and goes on', async () => {
    const token = await makeToken()
    const { id, contacts } = await schedule(token.token)
    await marina.call('PUT', `/integrations/tokens/${token.id}`, { queueIds: [sales] })
    await begin(id)
    for (let next = await hand(); next !== null; next = await hand())
      await sql`update outbox set state = 'done', done_at = now()`
    expect(await get(id)).toMatchObject({ state: 'waiting', run: { state: 'done' }, enviados: 1 })
    const { logs } = (await rafael.call<{ logs: object[] }>('GET', `/agendamento/logs/${id}`)).body
    expect(logs).toContainEqual(expect.objectContaining({ reason: 'other_queue', wasSend: false }))
    const rows = await sql`select contact_id from send_recipient where state = 'handed'`
    expect(rows.map(row => row.contact_id)).toEqual([contacts[0]])
  })
})
