// What a program scheduled goes out by the rights of its token of that hour, as its calls do, and says why where it does not.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ApiToken, Schedule } from '@balcao/contract'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { makeContact, makePerson, makeTicket } from './desk-world.ts'
import { startProgramDesk } from './program-desk.ts'

const desk = await startProgramDesk()
const { db, sql, sales, finance, whatsappId, marina, addToken } = desk
await sql`update whatsapp set status = 'CONNECTED'`
await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [sales] })
const rafael = await desk.as('Rafael')

beforeEach(async () => {
  await sql`truncate schedule, send, send_recipient, send_clock, outbox cascade`
  await sql`update whatsapp set news = '[]'`
})

const hand = () => dispatchNext(db, { whatsappId, epoch: 0 }, 0)

const makeToken = () => addToken({ queueIds: [sales, finance] })

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
  const made = await desk.call<Schedule>(token, 'POST', '/agendamento', form)
  expect(made.status).toBe(201)
  return { id: made.body.id, contacts }
}

async function begin(id: number) {
  await sql`update schedule set next_run_at = now() - interval '1 second' where id = ${id}`
  await startDueSchedules({ db, dataDir: '/nowhere' })
}

test('two tokens of one person, and the person, may number their schedules alike', async () => {
  const contact = await makeContact(db, `Cliente ${crypto.randomUUID()}`)
  await sql`update contact set number = '5531987650' || id where id = ${contact}`
  const add = async (token: string, message: string) => {
    const form = new FormData()
    const fields = { message, recurrence: 'every_day', RValue: '', sendAt: '09:00', clientId: 'pedido-1042' }
    for (const [name, value] of Object.entries({ ...fields, contactsIds: contact, whatsappId }))
      form.set(name, String(value))
    return (await desk.call<Schedule>(token, 'POST', '/agendamento', form)).body
  }
  const [shop, erp] = [await addToken({ userId: desk.marinaId }), await addToken({ userId: desk.marinaId })]
  const [ofShop, ofErp, ofMarina] = [
    await add(shop.token, 'Seu pedido saiu'),
    await add(erp.token, 'O boleto vence'),
    await add(marina.token ?? '', 'Da Marina'),
  ]
  expect(new Set([ofShop.id, ofErp.id, ofMarina.id]).size).toBe(3)
  expect((await add(erp.token, 'O boleto vence')).id).toBe(ofErp.id)
  expect((await get(ofShop.id)).message).toBe('Seu pedido saiu')
})

test('a person who saves what a token left behind takes it over, and it goes out; what a good token made stays its own', async () => {
  for (const [isOver, program] of [
    [true, null],
    [false, 'Loja'],
  ] as const) {
    const token = await addToken({ userId: desk.marinaId, name: 'Loja' })
    const { id } = await schedule(token.token)
    if (isOver) {
      await marina.call('DELETE', `/integrations/tokens/${token.id}`)
      await begin(id)
      expect((await get(id)).state).toBe('stopped')
    }
    const before = await countSent()
    const form = new FormData()
    form.set('sendAt', '10:00')
    expect((await marina.call('PUT', `/agendamento/${id}`, form)).status).toBe(200)
    expect((await get(id)).program?.name ?? null).toBe(program)
    await begin(id)
    await hand()
    expect(await countSent()).toBeGreaterThan(before)
    await marina.call('DELETE', `/integrations/tokens/${token.id}`)
  }
})

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

describe('what a person’s program scheduled', () => {
  async function makeAgent() {
    const id = await makePerson(db, { name: `Bruna ${crypto.randomUUID()}`, profile: 'admin', queueIds: [sales] })
    const token = await addToken({ name: 'Planilha da Bruna', userId: id })
    return { id, token }
  }

  const ends: [string, (agent: Awaited<ReturnType<typeof makeAgent>>) => Promise<unknown>][] = [
    ['its person is deactivated', ({ id }) => sql`update "user" set active = false where id = ${id}`],
    ['its person is gone', ({ id }) => sql`update "user" set deleted_at = now() where id = ${id}`],
    ['its token is revoked', ({ token }) => marina.call('DELETE', `/integrations/tokens/${token.id}`)],
    ['its token became another’s', ({ token }) => sql`update api_token set user_id = 2 where id = ${token.id}`],
  ]
  for (const [name, end] of ends)
    test(`does not begin where ${name}`, async () => {
      const agent = await makeAgent()
      const { id } = await schedule(agent.token.token)
      expect(await get(id)).toMatchObject({ userId: agent.id, program: { name: 'Planilha da Bruna' } })
      await end(agent)
      await begin(id)
      expect(await hand()).toBeNull()
      expect(await get(id)).toMatchObject({ state: 'stopped', stateReason: 'token_ended', enviados: 0 })
    })

  test('stops in the middle when its person is deactivated; what the person scheduled in the page goes out', async () => {
    const { id: userId, token } = await makeAgent()
    const byProgram = await schedule(token.token)
    const byHand = await schedule(token.token)
    await sql`update schedule set program = null where id = ${byHand.id}`
    await begin(byProgram.id)
    expect(await hand()).toBe(0)
    await sql`update outbox set state = 'done', done_at = now()`
    await sql`update "user" set active = false where id = ${userId}`
    expect(await hand()).toBeNull()
    expect(await get(byProgram.id)).toMatchObject({ run: { state: 'stopped' }, enviados: 1, total: 2 })
    await begin(byHand.id)
    for (let next = await hand(); next !== null; next = await hand())
      await sql`update outbox set state = 'done', done_at = now()`
    expect(await get(byHand.id)).toMatchObject({ run: { state: 'done' }, enviados: 2 })
  })

  test('is the person’s own, and of no program of the company that its token becomes', async () => {
    const { token } = await makeAgent()
    const { id } = await schedule(token.token)
    expect((await desk.call(token.token, 'GET', '/agendamento')).text).toContain('Amanhã')
    await marina.call('PUT', `/integrations/tokens/${token.id}`, { userId: null, queueIds: [sales, finance] })
    expect((await desk.call(token.token, 'GET', '/agendamento')).text).not.toContain('Amanhã')
    expect((await desk.call(token.token, 'PUT', `/agendamento/${id}/cancel`)).status).toBe(404)
  })
})
