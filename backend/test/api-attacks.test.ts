// Programs that try what their token was not given for: work of its person, words of others, keys of another, cursors that nobody gave.
import { beforeEach, describe, expect, test } from 'bun:test'
import { API_SCOPES, type ApiScope, type Message } from '@balcao/contract'
import { isStillAllowed } from '../src/desk/jobs/rights.ts'
import { makeContact, makeMessage, makeTicket } from './desk-world.ts'
import { startProgramDesk } from './program-desk.ts'

const desk = await startProgramDesk()
const { db, sql, sales, whatsappId, marinaId, marina } = desk
const contactId = await makeContact(db, 'Padaria Estrela')
const ticketId = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId: sales, userId: marinaId })
await makeMessage(db, ticketId, 'senha do cofre')

beforeEach(async () => {
  await sql`delete from sign_in_failure`
  await sql`update api_token set uses = 0`
})

const COMPANY = { queueIds: [sales] }
const MARINA = { userId: marinaId }
/** What a report of the company holds. */
const SCOPE = { profile: 'gerente', queueIds: [sales], hierarchy: false, onlyAdminSeeEmptyQueue: false }

const make = (holder: object, scopes: readonly ApiScope[] = API_SCOPES, perMinute = 600) =>
  desk.addToken({ ...holder, scopes, perMinute })

interface Answer extends Partial<Message> {
  readonly error?: string
  readonly jobs?: readonly { readonly id: number; readonly kind: string }[]
  readonly nextCursor?: string
  readonly messages?: readonly { readonly id: number }[]
  readonly tickets?: readonly { readonly id: number }[]
}

const call = (...request: Parameters<typeof desk.call>) => desk.call<Answer>(...request)

async function addJob(kind: string, state: string) {
  const [row] = await sql<{ id: number }[]>`
    insert into job (kind, user_id, state, params) values (${kind}, ${marinaId}, ${state}, '{}') returning id`
  return row?.id ?? 0
}

describe('a token that opens reports', () => {
  test('has the reports of its person, and no other work: nothing of it is listed, read or cancelled', async () => {
    const [report, privacy, moveIn] = [
      await addJob('report.ticket', 'waiting'),
      await addJob('privacy.export', 'done'),
      await addJob('moveIn.write', 'running'),
    ]
    const { token } = await make(MARINA, ['reports'])
    const listed = await call(token, 'GET', '/jobs')
    expect(listed.body.jobs?.map(({ id }) => id)).toEqual([report])
    for (const id of [privacy, moveIn]) {
      expect((await call(token, 'GET', `/jobs/${id}`)).status).toBe(404)
      expect((await call(token, 'DELETE', `/jobs/${id}`)).status).toBe(404)
    }
    expect((await call(token, 'DELETE', `/jobs/${report}`)).status).toBe(200)
    expect((await marina.call<Answer>('GET', '/jobs')).body.jobs).toHaveLength(3)
    expect((await sql`select 1 from job where state = 'running'`).length).toBe(1)
  })
})

describe('a token that may not read messages', () => {
  const PERIOD = { startDate: '2020-01-01', endDate: '2036-12-31', format: 'xlsx', contactId } as const
  const search = (token: string, text: string) =>
    call(token, 'GET', `/tickets?showAll=true&status=open&searchParam=${encodeURIComponent(text)}`)

  test.each([
    ['a person', MARINA],
    ['the company', COMPANY],
  ])('gets no conversation as a report: %s', async (_, holder) => {
    const path = '/report/message'
    const without = await make(
      holder,
      API_SCOPES.filter(scope => scope !== 'readMessages'),
    )
    for (const query of ['', '?preview=true'])
      expect((await call(without.token, 'POST', path + query, PERIOD)).status).toBe(403)
    const reading = await make(holder, ['reports', 'readMessages'])
    expect((await call(reading.token, 'POST', path, PERIOD)).status).toBe(202)
    const own = (await call(reading.token, 'GET', '/jobs')).body.jobs?.[0]
    expect(own?.kind).toBe('report.message')
    // What it began itself is closed once it may read no more, and what its person began as well.
    await sql`update api_token set scopes = '{reports}' where id in (${reading.id}, ${without.id})`
    for (const { token } of [reading, without]) {
      expect((await call(token, 'GET', '/jobs')).text).not.toContain('report.message')
      for (const method of ['GET', 'DELETE']) expect((await call(token, method, `/jobs/${own?.id}`)).status).toBe(404)
    }
    const allowed = () => isStillAllowed(db, { kind: 'report.message', params: { scope: SCOPE } }, -reading.id)
    expect(await allowed()).toBe(false)
    await sql`update api_token set scopes = '{reports,readMessages}' where id = ${reading.id}`
    expect(await allowed()).toBe(holder === COMPANY)
  })

  test('finds nobody by what was written, and everybody by name', async () => {
    for (const holder of [MARINA, COMPANY]) {
      const { token } = await make(holder, ['readTickets'])
      const find = async (text: string) => (await search(token, text)).body.tickets?.map(({ id }) => id)
      expect([await find('cofre'), await find('padaria')]).toEqual([[], [ticketId]])
      const reading = await make(holder, ['readTickets', 'readMessages'])
      expect((await search(reading.token, 'cofre')).body.tickets?.map(({ id }) => id)).toEqual([ticketId])
    }
  })

  test('sees no words of the ticket it changes, nor of one that is in its way', async () => {
    const words = /"lastMessage":"(senha do cofre|Atendimento encaminhado)/
    const change = (token: string) => call(token, 'PUT', `/tickets/${ticketId}`, { userId: marinaId, queueId: sales })
    const open = (token: string) =>
      call(token, 'POST', '/tickets', { contactId, queueId: sales, whatsappId, userId: marinaId })
    for (const holder of [MARINA, COMPANY]) {
      for (const scopes of [
        ['serve', 'send', 'contacts'],
        ['serve', 'readTickets'],
        ['serve', 'readMessages'],
      ] as const) {
        await sql`update ticket set last_message = 'senha do cofre' where id = ${ticketId}`
        const { token } = await make(holder, scopes)
        const answers = [await open(token), await change(token)]
        expect(answers.map(({ status }) => status)).toEqual([409, 200])
        for (const { text } of answers)
          expect([text.includes('Padaria'), words.test(text)]).toEqual([true, scopes.length === 2])
      }
    }
  })
})

describe('a token that sends', () => {
  test('reads nothing by quoting it, unless it may read messages', async () => {
    const [message] = await sql<{ id: number }[]>`select id::float8 as id from message where body = 'senha do cofre'`
    const body = { body: '-- oi', quotedMsg: { id: message?.id } }
    for (const holder of [MARINA, COMPANY]) {
      const refused = await call((await make(holder, ['send'])).token, 'POST', `/messages/${ticketId}`, body)
      expect([refused.status, refused.text.includes('cofre')]).toEqual([403, false])
    }
    expect((await sql`select 1 from message where body = 'oi'`).length).toBe(0)
  })

  test('learns nobody’s name or number by scheduling to an id', async () => {
    const tagId = (
      await sql<{ id: number }[]>`insert into tag (name, color) values ('Devedor', '#111111') returning id`
    )[0]?.id
    await sql`update contact set number = '5531988887766' where id = ${contactId}`
    const fields = {
      ...{ title: 'Lembrete', message: 'Amanhã', recurrence: 'once', sendAt: '2036-03-02T12:00:00.000Z' },
      ...{ contactsIds: String(contactId), whatsappId: String(whatsappId) },
    }
    for (const holder of [MARINA, COMPANY])
      for (const scopes of [
        ['send', 'serve'],
        ['send', 'contacts'],
        ['send', 'readTickets'],
      ] as const) {
        const { token } = await make(holder, scopes)
        const form = new FormData()
        for (const [name, value] of Object.entries(fields)) form.set(name, value)
        // The company sends to contacts alone.
        if (holder === MARINA) form.set('tagsIds', String(tagId))
        const made = await call(token, 'POST', '/agendamento', form)
        const path = `/agendamento/${made.body.id}`
        const answers = [
          ...[made, await call(token, 'GET', path), await call(token, 'GET', '/agendamento')],
          ...[await call(token, 'PUT', `${path}/pause`), await call(token, 'PUT', `${path}/resume`)],
          await call(token, 'PUT', `${path}/cancel`),
        ]
        expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200])
        const shown = /Padaria Estrela|5531988887766|Devedor/
        for (const { text } of answers)
          expect([text.includes(`"contactsIds":"${contactId}"`), shown.test(text)]).toEqual([
            true,
            scopes[1] !== 'serve',
          ])
      }
  })

  test('numbers its messages as it likes: another program, or a person, may use the same numbers', async () => {
    const [shop, erp] = [await make(COMPANY), await make(COMPANY)]
    const path = `/messages/${ticketId}`
    const send = (token: string, text: string) => call(token, 'POST', path, { body: text, clientId: 'pedido-1042' })
    const [first, second] = [await send(shop.token, 'da loja'), await send(erp.token, 'do ERP')]
    expect([first.body.body, second.body.body]).toEqual(['da loja', 'do ERP'])
    expect((await send(shop.token, 'da loja')).body.id).toBe(first.body.id ?? 0)
    expect([first.body.clientId, second.body.clientId]).toEqual(['pedido-1042', 'pedido-1042'])
    const own = await marina.call<Message>('POST', path, { body: 'da Marina', clientId: 'pedido-1042' })
    expect(own.body).toMatchObject({ body: 'da Marina', clientId: 'pedido-1042' })
  })

  test('has its keys for itself: the token of the settings gets no answer of another one', async () => {
    const { body } = await marina.call<{ value: string }>('PUT', '/settings/userApiToken', { value: 'new' })
    const { id, token } = await make(COMPANY)
    const request = { number: '5531977770011', body: 'Olá', queueId: sales }
    const send = (by: string, key: string) =>
      call(by, 'POST', '/api/messages/send', request, { 'idempotency-key': key })
    const first = await send(token, 'k1')
    expect(first.status).toBe(201)
    const stolen = await send(body.value, `token:${id}:k1`)
    expect(stolen.body.ticketId).toBe(first.body.ticketId)
    expect(stolen.body.messages?.[0]?.id).not.toBe(first.body.messages?.[0]?.id ?? 0)
    expect((await send(body.value, `schedule:-${id}:s1`)).status).toBe(201)
    expect((await send(token, 'k1')).body).toEqual(first.body)
  })

  test('three hundred at once under one key are one message, and no more than its limit are let in', async () => {
    const { token } = await make(COMPANY, ['send'])
    const request = { number: '5531977770012', body: 'Uma vez', queueId: sales }
    const once = await Promise.all(
      Array.from({ length: 300 }, () =>
        call(token, 'POST', '/api/messages/send', request, { 'idempotency-key': 'once' }),
      ),
    )
    expect(new Set(once.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(once.map(({ body }) => body.messages?.[0]?.id)).size).toBe(1)
    expect((await sql`select 1 from message where body = 'Uma vez'`).length).toBe(1)
    const slow = await make(COMPANY, ['readTickets'], 20)
    const many = await Promise.all(Array.from({ length: 300 }, () => call(slow.token, 'GET', '/queue')))
    const admitted = many.filter(({ status }) => status === 200).length
    expect([20, 40]).toContain(admitted)
    expect(many.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
  })

  test('sends nothing any more once it is revoked, however many are under way', async () => {
    const { token, id } = await make(COMPANY)
    const requests = Array.from({ length: 100 }, (_, n) =>
      call(token, 'POST', `/messages/${ticketId}`, { body: `corrida ${n}`, clientId: `c${n}` }),
    )
    await marina.call('DELETE', `/integrations/tokens/${id}`)
    const after = await call(token, 'POST', `/messages/${ticketId}`, { body: 'depois' })
    // Where many came with it, it is one of too many wrong ones.
    expect([401, 429]).toContain(after.status)
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.filter(status => ![201, 401, 429].includes(status))).toEqual([])
    const [count] = await sql`select count(*)::int as n from message where body like 'corrida %'`
    expect(count?.n).toBe(statuses.filter(status => status === 201).length)
  })
})

describe('a program that answers itself', () => {
  test('is told to administrators after ten minutes of an hour in which it used all its calls', async () => {
    const { token, id, name } = await make(COMPANY, ['readTickets'], 2)
    const findAlarms = async (person = marina) =>
      (
        await person.call<{ alarms: { code: string; at: string; token?: object }[] }>('GET', '/notifications')
      ).body.alarms.filter(({ code }) => code === 'token_spent')
    for (let minute = 1; minute <= 10; minute++) {
      expect(await findAlarms()).toEqual([])
      const isSpent = async () => {
        const [row] = await sql`select 1 from api_token where id = ${id} and cardinality(spent_minutes) = ${minute}`
        return row !== undefined
      }
      // One call uses up nothing; a minute that ends in between is begun again.
      while (!(await isSpent())) expect([200, 429]).toContain((await call(token, 'GET', '/queue')).status)
      await sql`
        update api_token set minute = minute - interval '1 minute',
          spent_minutes = array(select m - interval '1 minute' from unnest(spent_minutes) with ordinality as s(m, n) order by n) where id = ${id}`
    }
    const [alarm] = await findAlarms()
    expect(alarm).toMatchObject({ reason: null, token: { id, name } })
    expect(Math.round((Date.now() - Date.parse(alarm?.at ?? '')) / 60_000)).toBeOneOf([10, 11])
    await sql`update api_token set spent_minutes = array(select m - interval '51 minutes' from unnest(spent_minutes) as m) where id = ${id}`
    expect(await findAlarms()).toEqual([])
  })

  test('has no name where it brings the token of the settings, and is the owner’s alone where it acts as the owner', async () => {
    await sql`delete from api_use`
    await sql`insert into api_use (minute, n) select date_trunc('minute', now()) - n * interval '1 minute', 60 from generate_series(1, 10) n`
    await sql`
      insert into api_token (name, hint, hash, scopes, user_id, per_minute, spent_minutes)
      select 'Dono', 'abcd', 'y', '{send}', 1, 60, array_agg(minute) from api_use`
    const { body } = await marina.call<{ alarms: { code: string; token?: object }[] }>('GET', '/notifications')
    const spent = body.alarms.filter(({ code }) => code === 'token_spent')
    expect(spent).toMatchObject([{ reason: null, at: expect.any(String) }])
    expect(spent[0]?.token).toBeUndefined()
    await sql`update api_use set n = 59 where minute = (select min(minute) from api_use)`
    const { body: after } = await marina.call<{ alarms: { code: string }[] }>('GET', '/notifications')
    expect(after.alarms.some(({ code }) => code === 'token_spent')).toBe(false)
    await sql`delete from api_token where name = 'Dono' and hash = 'y'`
    await sql`delete from api_use`
  })
})

describe('a cursor that nobody gave', () => {
  const forge = (mark: string) => [
    `99999999999999999999.1.${mark}`,
    `18446744073709551616.0.${mark}`,
    `1.999999999999999.${mark}`,
    '-1.0.x',
    toBase64(['2026-01-01T00:00:00Z', 1e300]),
    toBase64(['2026-01-01T00:00:00Z', -1]),
    toBase64(['1', 1]),
    toBase64(['2026-03-02 (x)', 1]),
    toBase64(['a\u0000b', 1]),
    toBase64(['\ud800', 1]),
    toBase64([null, {}]),
    '999999999999999999999999',
    '%00',
    "' or 1=1 --",
  ]

  test.each([
    '/tickets/changes',
    '/messages/changes',
    '/contacts/gone',
    '/contacts?changedSince=2026-01-01T00:00:00Z',
    '/contacts',
    '/tickets?showAll=true&status=open',
    `/messages/${ticketId}`,
    `/contacts/${contactId}/tickets`,
    '/agendamento',
    '/jobs',
  ])('is refused by %s, or gives what may be seen', async path => {
    const { token } = await make(MARINA)
    const found: string[] = []
    const begun = await call(token, 'GET', '/tickets/changes')
    for (const cursor of forge(begun.body.nextCursor?.split('.')[2] ?? '')) {
      const { status } = await call(
        token,
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`,
      )
      if (status >= 500) found.push(`${cursor} ${status}`)
    }
    expect(found).toEqual([])
  })
})

function toBase64(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}
