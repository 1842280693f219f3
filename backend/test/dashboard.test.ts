// The calls of the dashboard (spec 1 §2, §7): who gets them, what bad input they refuse, and what keeps its name.
import { describe, expect, test } from 'bun:test'
import type { CountingProgress } from '@balcao/contract'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const { db, as } = await startDeskServer()
const sql = getSql(db)
const ids = { marina: 0, rafael: 0, finance: 0, shop: 0, contact: 0 }

const CALLS = [
  '/dashboard/stats',
  '/dashboard/cards',
  '/dashboard/users',
  '/dashboard/users/2',
  '/ticketQueue',
  '/ticketColaborador',
  '/ticketCliente',
]

ids.marina = await makePerson(db, { name: 'Marina', profile: 'admin' })
ids.finance = await makeQueue(db, 'Financeiro')
ids.rafael = await makePerson(db, { name: 'Rafael', profile: 'user', queueIds: [ids.finance] })
await makePerson(db, { name: 'Tiago', profile: 'gerente', queueIds: [ids.finance] })
ids.shop = await makeConnection(db, 'Loja Centro')
ids.contact = await makeContact(db, 'Padaria Estrela')
const [marina, rafael, tiago] = [await as('Marina'), await as('Rafael'), await as('Tiago')]

describe('decisions §4: the dashboard is the administrators’ alone', () => {
  test('attendants and managers are refused every call, whatever queue or person they name', async () => {
    for (const path of CALLS) {
      expect([path, (await marina.call('GET', path)).status]).toEqual([path, 200])
      for (const person of [rafael, tiago])
        for (const query of ['', `?queueId=${ids.finance}`, `?userId=${ids.rafael}`])
          expect([path, await person.call('GET', path + query)]).toMatchObject([
            path,
            { status: 403, body: { error: 'ERR_NO_PERMISSION' } },
          ])
    }
  })
})

describe('without anything there are honest zeros', () => {
  test('no times, no mean and no rating: null, never a number that is none', async () => {
    const { body } = await marina.call('GET', '/dashboard/stats')
    expect(body).toMatchObject({
      open: 0,
      pending: 0,
      closed: 0,
      opened: 0,
      queues: [],
      tme: [],
      tma: [],
      tmeSeconds: null,
      tmaSeconds: null,
      rating: { average: null, count: 0 },
      rates: [0, 0, 0, 0, 0],
      openGroups: 0,
      waitingSince: null,
      counting: null,
    })
    for (const path of ['/ticketQueue', '/ticketColaborador', '/ticketCliente'])
      expect((await marina.call('GET', path)).body).toEqual([] as never)
    const people = await marina.call<{ users: { open: number; closed: number; rating: unknown }[] }>(
      'GET',
      '/dashboard/users',
    )
    for (const { open, closed, rating } of people.body.users)
      expect({ open, closed, rating }).toEqual({ open: 0, closed: 0, rating: { average: null, count: 0 } })
  })
})

describe('spec 1 §7: periods', () => {
  test('backwards, or no days at all, are refused at their field', async () => {
    for (const [query, field] of [
      ['firstDate=2026-05-02&lastDate=2026-05-01', 'lastDate'],
      ['firstDate=2026-02-30&lastDate=2026-05-01', 'firstDate'],
      ['firstDate=ontem', 'firstDate'],
      ['lastDate=2026-13-01', 'lastDate'],
      ['firstDate=0000-00-00', 'firstDate'],
      ['firstDate=2126-01-01', 'lastDate'],
    ])
      for (const path of CALLS.filter(path => path !== '/dashboard/users/2')) {
        const answer = await marina.call<{ details?: { path: string }[] }>('GET', `${path}?${query}`)
        expect([path, query, answer.status, answer.body.details?.map(detail => detail.path)]).toEqual([
          path,
          query,
          422,
          [field],
        ] as never)
      }
  })

  test('of a hundred years, or to come, are answered', async () => {
    for (const query of [
      'firstDate=1926-01-01&lastDate=2126-12-31',
      'firstDate=2126-01-01&lastDate=2226-01-01',
      'firstDate=0001-01-01&lastDate=9998-12-31',
    ])
      for (const path of CALLS.filter(path => path !== '/dashboard/users/2'))
        expect([path, query, (await marina.call('GET', `${path}?${query}`)).status]).toEqual([path, query, 200])
  })
})

describe('spec 1 §2: who and what is gone keeps its name', () => {
  test('in the pies, the table and the filters', async () => {
    const ticket = { contactId: ids.contact, whatsappId: ids.shop, status: 'closed' as const }
    const gone = await makePerson(db, { name: 'Helena', profile: 'user', queueIds: [ids.finance] })
    const old = await makeQueue(db, 'Antiga')
    await makeTicket(db, { ...ticket, queueId: old, userId: gone })
    expect((await marina.call('DELETE', `/queue/${old}`)).status).toBe(204)
    expect((await marina.call('DELETE', `/users/${gone}`)).status).toBe(204)
    expect((await marina.call('GET', '/ticketQueue')).body).toMatchObject([
      { queue: { id: old, name: 'Antiga' }, Total: 1 },
    ])
    expect((await marina.call('GET', '/ticketColaborador')).body).toMatchObject([
      { user: { id: gone, name: 'Helena' }, Total: 1 },
    ])
    const { body } = await marina.call<{ users: { id: number; name: string; active: boolean; closed: number }[] }>(
      'GET',
      '/dashboard/users',
    )
    expect(body.users.find(({ id }) => id === gone)).toMatchObject({ name: 'Helena', active: false, closed: 1 })
    const filtered = await marina.call('GET', `/dashboard/stats?queueId=${old}&userId=${gone}`)
    expect(filtered.body).toMatchObject({ closed: 1, opened: 1 })
    const nobody = await marina.call('GET', '/dashboard/stats?queueId=999999&userId=999999')
    expect(nobody).toMatchObject({ status: 200, body: { closed: 0, opened: 0, tmeSeconds: null } })
  })
})

test('decisions-2 §23: while days of another time zone are counted, a period is of the days that are shown', async () => {
  const ticket = await makeTicket(db, { contactId: ids.contact, whatsappId: ids.shop, status: 'closed' })
  const message = await makeMessage(db, ticket, 'De madrugada')
  await sql`update message set at = '2026-03-10T02:00:00Z' where id = ${message}`
  const messages = async () => {
    const query = '?firstDate=2026-03-10&lastDate=2026-03-10'
    return (await marina.call<{ messages: number }>('GET', `/dashboard/cards${query}`)).body.messages
  }
  const move = async (to: string) =>
    sql`update figure_count set timezone = ${to} where state = 'current' returning timezone`
  expect(await messages()).toBe(0)
  expect(await move('Pacific/Kiritimati')).toHaveLength(1)
  expect(await messages()).toBe(1)
  await move('America/Sao_Paulo')
  await sql`delete from ticket where id = ${ticket}`
})

describe('GET /dashboard/users/:id', () => {
  test('has what the person serves and has paused now, the newest words first, and of one queue where asked', async () => {
    const served: number[] = []
    for (const [n, status] of (['open', 'paused', 'pending', 'nps', 'closed', 'open'] as const).entries()) {
      const id = await makeTicket(db, {
        contactId: await makeContact(db, `Cliente ${n}`),
        whatsappId: ids.shop,
        status,
        userId: ids.rafael,
        queueId: n === 5 ? null : ids.finance,
      })
      await sql`update ticket set last_message_at = now() + ${n} * interval '1 minute' where id = ${id}`
      if (status === 'open' || status === 'paused') served.unshift(id)
    }
    const all = await marina.call<{ tickets: { id: number }[]; hasMore: boolean }>(
      'GET',
      `/dashboard/users/${ids.rafael}`,
    )
    expect(all.body.tickets.map(({ id }) => id)).toEqual(served)
    expect(all.body.hasMore).toBe(false)
    const inQueue = await marina.call<{ tickets: { id: number }[] }>(
      'GET',
      `/dashboard/users/${ids.rafael}?queueId=${ids.finance}`,
    )
    expect(inQueue.body.tickets.map(({ id }) => id)).toEqual(served.slice(1))
    const some = await marina.call<{ tickets: { id: number }[]; hasMore: boolean }>(
      'GET',
      `/dashboard/users/${ids.rafael}?limit=2`,
    )
    expect([some.body.tickets.map(({ id }) => id), some.body.hasMore]).toEqual([served.slice(0, 2), true])
    const whole = await marina.call<{ hasMore: boolean }>(
      'GET',
      `/dashboard/users/${ids.rafael}?limit=${served.length}`,
    )
    expect(whole.body.hasMore).toBe(false)
    for (const limit of ['0', '201', '-1', 'x'])
      expect([limit, (await marina.call('GET', `/dashboard/users/${ids.rafael}?limit=${limit}`)).status]).toEqual([
        limit,
        422,
      ])
  })

  test('the owner stands in the table while serving somebody, with the tickets, so that it adds up to the counters', async () => {
    const people = async () =>
      (await marina.call<{ users: { id: number; open: number }[] }>('GET', '/dashboard/users')).body.users
    expect((await people()).some(({ id }) => id === 1)).toBe(false)
    const ticket = await makeTicket(db, {
      contactId: await makeContact(db, 'Mercadinho Ribeiro'),
      whatsappId: ids.shop,
      userId: 1,
      status: 'open',
    })
    const { body: stats } = await marina.call<{ open: number }>('GET', '/dashboard/stats')
    const users = await people()
    expect(users.find(({ id }) => id === 1)).toMatchObject({ open: 1 })
    expect(users.reduce((sum, { open }) => sum + open, 0)).toBe(stats.open)
    const own = await marina.call<{ tickets: { id: number }[] }>('GET', '/dashboard/users/1')
    expect(own.body.tickets.map(({ id }) => id)).toEqual([ticket])
  })

  test('everybody who holds a ticket, or attended somebody in the period, stands in the table: the owner with a paused one too', async () => {
    const places = { contactId: await makeContact(db, 'Padaria Nova'), whatsappId: ids.shop, userId: 1 }
    const isOwnerThere = async (period = '') =>
      (await marina.call<{ users: { id: number }[] }>('GET', `/dashboard/users${period}`)).body.users.some(
        ({ id }) => id === 1,
      )
    for (const status of ['paused', 'nps'] as const) {
      await sql`delete from ticket`
      await makeTicket(db, { ...places, status })
      expect([status, await isOwnerThere()]).toEqual([status, true])
    }
    await sql`delete from ticket`
    expect(await isOwnerThere()).toBe(false)
    // Whom the owner attended and passed on is somebody else's now.
    const ticket = await makeTicket(db, { ...places, status: 'pending', userId: null })
    await sql`update ticket set status = 'open', user_id = 1, accepted_at = now() where id = ${ticket}`
    await sql`update ticket set user_id = ${ids.rafael} where id = ${ticket}`
    expect(await isOwnerThere()).toBe(true)
    expect(await isOwnerThere('?firstDate=2020-01-01&lastDate=2020-01-31')).toBe(false)
  })

  test('knows nothing of who is not there', async () => {
    for (const id of ['999999', '0', 'x', '99999999999999'])
      expect([id, await marina.call('GET', `/dashboard/users/${id}`)]).toMatchObject([
        id,
        { status: 404, body: { error: 'ERR_NO_USER_FOUND' } },
      ])
  })
})

test('paused tickets and those with the bot and in the survey are counted too: the counters add up to what was opened', async () => {
  await sql`delete from ticket`
  const statuses = ['open', 'open', 'pending', 'paused', 'paused', 'bot', 'nps', 'closed'] as const
  for (const [n, status] of statuses.entries()) {
    const contactId = await makeContact(db, `Freguês ${n}`)
    await makeTicket(db, { contactId, whatsappId: ids.shop, status, userId: ids.rafael, queueId: ids.finance })
  }
  for (const query of ['', `?queueId=${ids.finance}`, `?userId=${ids.rafael}`]) {
    const { body } = await marina.call('GET', `/dashboard/stats${query}`)
    expect(body).toMatchObject({ open: 2, pending: 1, paused: 2, bot: 1, nps: 1, closed: 1, opened: 8 })
  }
  expect((await marina.call('GET', '/dashboard/stats?userId=999999')).body).toMatchObject({ paused: 0, bot: 0, nps: 0 })
})

describe('decisions-2 §23: after a change of the calendar', () => {
  const counting = async () => {
    const paths = ['/dashboard/stats', '/dashboard/service-level', '/ticketNPS/summary']
    const answers = await Promise.all(
      paths.map(path => marina.call<{ counting: CountingProgress | null }>('GET', path)),
    )
    const [first, ...others] = answers.map(({ body }) => body.counting)
    // Every page of figures says the same.
    for (const other of others) expect(other).toEqual(first ?? null)
    return first
  }
  const waiting = () => sql<{ n: number }[]>`
    select count(*)::int as n from graphile_worker.jobs where task_identifier = 'keep-calendar'`
  const put = (values: Record<string, string>) => marina.call('PUT', '/settings', { values })

  test('the figures say at once that they are counted anew, and the counting begins with the change', async () => {
    await refreshCalendar(db, new Date())
    await sql`delete from graphile_worker._private_jobs`
    expect(await counting()).toBeNull()
    expect((await put({ greetingProtocolGroup: 'enabled' })).status).toBe(200)
    expect([await counting(), (await waiting())[0]?.n]).toEqual([null, 0])
    for (const [label, values] of [
      ['times', { horarioAlmoco: '12:10', horarioFimAlmoco: '13:20' }],
      ['days', { timezone: 'America/Manaus' }],
    ] as const) {
      expect((await put(values)).status).toBe(200)
      expect(await counting()).toMatchObject({ what: label, timezone: 'America/Sao_Paulo', done: 0 })
      expect((await waiting())[0]?.n).toBe(1)
      await refreshCalendar(db, new Date())
      expect(await counting()).toBeNull()
      await sql`delete from graphile_worker._private_jobs`
    }
    await put({ timezone: 'America/Sao_Paulo' })
    await refreshCalendar(db, new Date())
  })
})
