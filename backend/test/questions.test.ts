// Questions of the bot and the tickets it has, over HTTP (spec 3 §5, §7; decisions §4, decisions-2 §9, §22 "Bot").
import { describe, expect, test } from 'bun:test'
import { MOST_QUESTIONS, parseSettings, type Question, type Ticket } from '@balcao/contract'
import { getSql } from '../src/platform/database/raw.ts'
import { buildFrame } from '../src/platform/live/frames.ts'
import type { LiveRow } from '../src/platform/live/reader.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)

const queueId = await makeQueue(db, 'Financeiro')
const elsewhere = await makeQueue(db, 'Entregas')
await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
await makePerson(db, { name: 'Carlos', profile: 'gerente', queueIds: [elsewhere] })
const whatsappId = await makeConnection(db, 'Loja Centro')
const [marina, bruna, carlos] = await Promise.all([server.as('Marina'), server.as('Bruna'), server.as('Carlos')])

async function add(by: SignedInPerson, pergunta: string, more: object = {}): Promise<Question> {
  return (await by.call<Question>('POST', '/pergunta', { pergunta, resposta: 'Assim.', ...more })).body
}

async function all(): Promise<Question[]> {
  return (await bruna.call<Question[]>('GET', '/pergunta')).body
}

async function empty(): Promise<void> {
  await sql`truncate question, live_event, log_entry`
}

async function events(name: string) {
  return sql<{ audience: object; payload: Record<string, unknown> }[]>`
    select audience, payload::jsonb as payload from live_event where payload::jsonb->>'event' = ${name} order by id`
}

describe('questions', () => {
  test('are added, changed and deleted by everybody, in their order, with their queue', async () => {
    await empty()
    const first = await add(bruna, ' Horário ')
    expect(first).toMatchObject({
      pergunta: 'Horário',
      resposta: 'Assim.',
      queueId: null,
      queue: null,
      openTicket: false,
    })
    const second = await add(carlos, 'Boleto', { queueId: String(queueId), openTicket: true })
    expect(second).toMatchObject({ queueId, queue: { id: queueId, name: 'Financeiro' }, openTicket: true })
    expect((await all()).map(({ id }) => id)).toEqual([first.id, second.id])
    const changed = await marina.call<Question>('PUT', `/pergunta/${second.id}`, { queueId: '', resposta: 'Já vai.' })
    expect(changed.body).toMatchObject({
      pergunta: 'Boleto',
      resposta: 'Já vai.',
      queueId: null,
      openTicket: true,
      version: 2,
    })
    expect((await bruna.call<Question>('GET', `/pergunta/${second.id}`)).body).toEqual(changed.body)
    expect((await bruna.call('DELETE', `/pergunta/${first.id}`, { log: {} })).status).toBe(204)
    expect((await bruna.call('DELETE', `/pergunta/${first.id}`)).body.error).toBe('ERR_NO_QUESTION_FOUND')
    expect(await all()).toEqual([{ ...changed.body, order: 1, version: 3 }])
    const changes = (await events('pergunta')).map(({ audience, payload }) => [
      audience,
      payload.action,
      payload.version,
    ])
    const everyone = { to: 'everyone' }
    expect(changes).toEqual([
      [everyone, 'create', 1],
      [everyone, 'create', 1],
      [everyone, 'update', 2],
      [everyone, 'update', 3],
      [everyone, 'delete', 2],
    ])
    const deeds = await sql`select l.action, u.name from log_entry l join "user" u on u.id = l.user_id order by l.id`
    expect(deeds.map(({ action, name }) => `${name} ${action}`)).toEqual([
      'Bruna pergunta.create',
      'Carlos pergunta.create',
      'Marina pergunta.update',
      'Bruna pergunta.delete',
    ])
  })

  test('need both texts, and a queue that is there', async () => {
    await empty()
    const none = await bruna.call('POST', '/pergunta', { pergunta: ' ', resposta: '' })
    expect([none.status, none.body.details]).toEqual([
      422,
      [
        { path: 'pergunta', code: 'Required', message: 'Preencha este campo' },
        { path: 'resposta', code: 'Required', message: 'Preencha este campo' },
      ],
    ])
    for (const [queueId, status] of [
      [elsewhere + 1000, 404],
      ['x', 422],
      ['999999999999', 422],
      [0, 422],
    ] as const) {
      const answer = await bruna.call('POST', '/pergunta', { pergunta: 'A', resposta: 'B', queueId })
      expect([queueId, answer.status]).toEqual([queueId, status])
    }
    expect(await all()).toEqual([])
  })

  test('that somebody else saved meanwhile are not written over', async () => {
    await empty()
    const { id } = await add(bruna, 'Horário')
    await carlos.call('PUT', `/pergunta/${id}`, { resposta: 'Das 8 às 18.' })
    const late = await bruna.call('PUT', `/pergunta/${id}`, { resposta: 'Outra', version: 1 })
    expect([late.status, late.body.error, late.body.details]).toMatchObject([
      409,
      'ERR_CHANGED_MEANWHILE',
      { version: 2 },
    ])
  })

  test('are at most as many as have numbers', async () => {
    await empty()
    await sql`insert into question (pergunta, resposta, position) select 'P' || g, 'R', g from generate_series(1, ${MOST_QUESTIONS}) g`
    const more = await bruna.call('POST', '/pergunta', { pergunta: 'A', resposta: 'B' })
    expect([more.status, more.body.error]).toEqual([409, 'ERR_TOO_MANY_QUESTIONS'])
  })

  test('are put in an order, told one by one; what is not named comes behind', async () => {
    await empty()
    const ids = []
    for (const text of ['A', 'B', 'C', 'D']) ids.push((await add(bruna, text)).id)
    const [a = 0, b = 0, c = 0, d = 0] = ids
    await sql`truncate live_event`
    const { status, body } = await bruna.call<Question[]>('PUT', '/pergunta/order', { ids: [c, a] })
    expect([status, body.map(({ id }) => id)]).toEqual([200, [c, a, b, d]])
    expect(await all()).toEqual(body)
    // D stays where it was.
    expect((await events('pergunta')).map(({ payload }) => payload.pergunta)).toEqual(body.slice(0, 3))
    for (const [wrong, error] of [
      [[a, a], 'ERR_VALIDATION'],
      [[a, 2_000_000_000], 'ERR_NO_QUESTION_FOUND'],
      [[a, 'x'], 'ERR_VALIDATION'],
    ] as const)
      expect((await bruna.call('PUT', '/pergunta/order', { ids: wrong })).body.error).toBe(error)
    const again = await bruna.call<Question[]>('PUT', '/pergunta/order', { ids: [c, a, b, d] })
    expect(again.body).toEqual(body)
  })

  test('ordered, added and deleted by many at once each have a place of their own', async () => {
    await empty()
    const made = await Promise.all(Array.from({ length: 8 }, (_, n) => add(n % 2 ? bruna : carlos, `P${n}`)))
    const ids = made.map(({ id }) => id)
    const rounds = Array.from({ length: 6 }, (_, n) => ids.slice(n).concat(ids.slice(0, n)))
    const answers = await Promise.all([
      ...rounds.map(order => marina.call('PUT', '/pergunta/order', { ids: order })),
      ...ids.map(id => bruna.call('PUT', `/pergunta/${id}`, { queueId })),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await all()).map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('show their queue as it is called now, and lose one that goes', async () => {
    await empty()
    const gone = await makeQueue(db, 'Passageira')
    const { id } = await add(bruna, 'Boleto', { queueId: gone, openTicket: true })
    await marina.call('PUT', `/queue/${gone}`, { name: 'Cobrança' })
    expect(await all()).toMatchObject([{ id, queue: { name: 'Cobrança' }, version: 2 }])
    expect((await marina.call('DELETE', `/queue/${gone}`)).status).toBe(204)
    expect(await all()).toMatchObject([{ id, queueId: null, queue: null, openTicket: true, version: 3 }])
    const changes = await events('pergunta')
    expect(changes.at(-1)?.payload.pergunta).toEqual((await all())[0])
    expect(changes.map(({ payload }) => payload.action)).toEqual(['create', 'update', 'update'])
  })
})

describe('PUT /ticket2/{id}', () => {
  async function withBot(queue: number | null = queueId): Promise<number> {
    return makeTicket(db, { contactId: await makeContact(db, 'Dona Lúcia'), whatsappId, status: 'bot', queueId: queue })
  }

  test('moves it to pending or closes it, as its list and its badge say', async () => {
    const [taken, closed] = [await withBot(), await withBot()]
    const listed = async () => (await bruna.call<Ticket[]>('GET', '/ticket2')).body.map(({ id }) => id).toSorted()
    const badge = async () => (await bruna.call('GET', '/tickets/counts')).body.bot
    expect([await listed(), await badge()]).toEqual([[taken, closed].toSorted(), 2])
    const body = { ticket: { id: taken }, status: 'pending', user: { id: 1 } }
    const answer = await bruna.call<Ticket>('PUT', `/ticket2/${taken}`, body)
    expect([answer.status, answer.body.status, answer.body.userId, answer.body.queueId]).toEqual([
      200,
      'pending',
      null,
      queueId,
    ])
    expect((await bruna.call<Ticket>('PUT', `/ticket2/${closed}`, { status: 'closed' })).body.status).toBe('closed')
    expect([await listed(), await badge()]).toEqual([[], 0])
    const rows = await sql`select count(*)::int as n from outbox`
    expect(rows[0]?.n).toBe(0)
  })

  test('only from the bot, only to these, and only by who sees it', async () => {
    const id = await withBot()
    const other = await withBot(elsewhere)
    expect((await bruna.call('PUT', `/ticket2/${other}`, { status: 'pending' })).status).toBe(403)
    expect((await bruna.call('PUT', `/ticket2/${id}`, { status: 'open' })).status).toBe(422)
    expect((await bruna.call('PUT', '/ticket2/999999999', { status: 'closed' })).body.error).toBe('ERR_NO_TICKET_FOUND')
    await sql`update ticket set status = 'nps' where id = ${id}`
    for (const status of ['pending', 'closed'])
      expect((await bruna.call('PUT', `/ticket2/${id}`, { status })).body.error).toBe('ERR_INVALID_TRANSITION')
    await sql`update ticket set status = 'bot' where id = ${id}`
    const both = await Promise.all(['pending', 'closed'].map(status => bruna.call('PUT', `/ticket2/${id}`, { status })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('who loses sight of one of its tickets is told to look again, also where the bot goes on', async () => {
    const id = await withBot(null)
    await sql`truncate live_event`
    await marina.call('PUT', `/tickets/${id}`, { queueId: elsewhere })
    const [row] = await sql<LiveRow[]>`
      select audience, payload from live_event where payload::jsonb->>'event' = 'ticketBot'`
    if (row?.audience.to !== 'ticket' || !row.audience.after) throw new Error('Nobody was told')
    const payload = JSON.stringify({ event: 'ticketBot', action: 'update', version: 4, ticket: { id } })
    const toldTo = (own: number, row: LiveRow) => {
      const viewer = { id: 99, profile: 'user', queueIds: [own] } as const
      const { events = [] }: { events?: object[] } = JSON.parse(
        buildFrame([row], viewer, parseSettings({}), '') ?? '{}',
      )
      return events
    }
    for (const variant of [row, { ...row, payload }]) {
      const reload = { event: 'ticketBot', action: 'reload', ticketId: id }
      expect(toldTo(queueId, variant)).toMatchObject([reload])
      expect(toldTo(elsewhere, variant)).toMatchObject([
        variant === row ? reload : { action: 'update', ticket: { id } },
      ])
    }
    const nobodysBefore = { ...row.audience, before: { ...row.audience.after, queueId: elsewhere } }
    expect(toldTo(queueId, { ...row, audience: nobodysBefore })).toEqual([])
  })
})
