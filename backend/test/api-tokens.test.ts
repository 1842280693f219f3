// Tokens of other programs: what each opens, as whom it acts, and when it ends.
import { beforeEach, describe, expect, test } from 'bun:test'
import { API_SCOPES, type ApiToken, type Endpoint, endpoints, type Ticket } from '@balcao/contract'
import { publishContactReload } from '../src/desk/contact-sheets/store.ts'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { loadProgramSession } from '../src/policy/sessions/api-caller.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { startProgramDesk } from './program-desk.ts'
import { waitForSettledEvents } from './settled-events.ts'

const desk = await startProgramDesk()
const { db, sql, url, sales, finance, whatsappId, marinaId, marina } = desk
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [sales] })
await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [sales] })
const contactId = await makeContact(db, 'Padaria Estrela')
const own = await makeTicket(db, { contactId, whatsappId, status: 'open', queueId: sales, userId: brunaId })
const other = await makeTicket(db, {
  ...{ contactId: await makeContact(db, 'Cliente do financeiro'), whatsappId, status: 'pending', queueId: finance },
})
await makeMessage(db, own, 'Bom dia')
await makeMessage(db, other, 'segredo-do-financeiro')

beforeEach(async () => {
  await sql`delete from sign_in_failure`
  await sql`update api_token set uses = 0`
})

const ALL = [...API_SCOPES]
const COMPANY = { queueIds: [sales] }
const BRUNA = { userId: brunaId }

const make = (form: object, scopes: readonly string[] = ALL) => desk.addToken({ ...form, scopes })

interface Answer {
  readonly error?: string
  readonly tickets?: Ticket[]
  readonly ticketId?: number
}
const call = (...request: Parameters<typeof desk.call>) => desk.call<Answer>(...request)

const statusOf = async (token: string, path = `/tickets/${own}`) => (await call(token, 'GET', path)).status

describe('a token', () => {
  test('is shown once, stored as nothing one could use, and stands in no log and no event', async () => {
    const { token, ...row } = await make(COMPANY)
    expect(token).toMatch(/^blc_[\w-]{40,}$/)
    expect(row).toMatchObject({ hint: token.slice(-4), user: null, queueIds: [sales], ended: null, lastUsedAt: null })
    await statusOf(token)
    const { body } = await marina.call<ApiToken[]>('GET', '/integrations/tokens')
    expect(body.find(({ id }) => id === row.id)?.lastUsedAt).not.toBeNull()
    const stored = await sql`select * from api_token`
    const events = await sql`select payload from live_event`
    const logged = await sql`select * from log_entry`
    expect(JSON.stringify([stored, events, logged, body])).not.toContain(token)
    expect(logged.some(({ action, entity_id }) => action === 'apiToken.create' && entity_id === row.id)).toBe(true)
  })

  test('is made by administrators alone, and by no program', async () => {
    const form = { name: 'Loja', scopes: ALL, ...COMPANY }
    for (const name of ['Bruna', 'Rafael'])
      expect((await (await desk.as(name)).call('POST', '/integrations/tokens', form)).status).toBe(403)
    const { token } = await make({ userId: marinaId })
    expect((await call(token, 'POST', '/integrations/tokens', form)).status).toBe(403)
    expect((await call(token, 'GET', '/integrations/tokens')).status).toBe(403)
  })

  test('whose form comes again is the same with another secret', async () => {
    const form = { ...COMPANY, name: 'ERP', clientId: crypto.randomUUID() }
    const [first, second] = [await make(form), await make(form)]
    expect(second.id).toBe(first.id)
    expect([await statusOf(first.token), await statusOf(second.token)]).toEqual([401, 200])
  })

  test.each([
    ['no name', { name: '' }, 'name'],
    ['nothing it opens', { scopes: [] }, 'scopes'],
    ['a limit of none', { perMinute: 0 }, 'perMinute'],
    ['no queue', { queueIds: [] }, 'queueIds'],
    ['nobody it acts as', { queueIds: null }, 'queueIds'],
    ['a queue that is gone', { queueIds: [99_999] }, 'queueIds'],
    ['a person and queues', { userId: 1, queueIds: [1] }, 'queueIds'],
    ['a day that was', { expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    ['a day that is none', { expiresAt: 'amanhã' }, 'expiresAt'],
  ])('with %s is refused', async (_, wrong, path) => {
    const form = { name: 'Loja', scopes: ALL, ...COMPANY, ...wrong }
    const { status, body } = await marina.call<{ details: { path: string }[] }>('POST', '/integrations/tokens', form)
    expect([status, body.details?.[0]?.path]).toEqual([422, path])
  })

  test('takes a hostile name as it is', async () => {
    const name = `<img src=x>'";drop table`
    expect((await make({ ...COMPANY, name })).name).toBe(name)
  })

  test('of the owner is made and seen by the owner alone', async () => {
    const form = { name: 'Dono', scopes: ALL, userId: 1 }
    expect((await marina.call('POST', '/integrations/tokens', form)).status).toBe(404)
    const [row] = await sql<{ id: number }[]>`
      insert into api_token (name, hint, hash, scopes, user_id, per_minute) values ('Dono', 'abcd', 'x', '{send}', 1, 60) returning id`
    const { body } = await marina.call<ApiToken[]>('GET', '/integrations/tokens')
    expect(body.some(({ id }) => id === row?.id)).toBe(false)
    const path = `/integrations/tokens/${row?.id}`
    expect((await marina.call('PUT', path, { userId: marinaId })).status).toBe(404)
    expect((await marina.call('DELETE', path)).status).toBe(404)
  })
})

describe('every call of the contract', () => {
  const calls = Object.entries<Endpoint>(endpoints)
  const isOpen = ({ scope, audience, needsPerson }: Endpoint, scopes: readonly string[], isPerson: boolean) =>
    scope !== undefined && scopes.includes(scope) && (isPerson || (!needsPerson && audience !== 'admin'))

  test('is opened by its own scope alone, to a person and to the company as the contract says', async () => {
    const parts = { db, license: desk.license }
    const found: string[] = []
    for (const isPerson of [true, false])
      for (const scope of API_SCOPES) {
        const { token } = await make(isPerson ? { userId: marinaId } : COMPANY, [scope])
        const request = new Request(url, { headers: { authorization: `Bearer ${token}` } })
        for (const [key, endpoint] of calls) {
          const loading = loadProgramSession(parts, request, '127.0.0.1', endpoint, false)
          const opened = await loading.then(() => true).catch((error: unknown) => !(error instanceof AppError))
          if (opened !== isOpen(endpoint, [scope], isPerson)) found.push(`${scope} ${isPerson}: ${key}`)
        }
      }
    expect(found).toEqual([])
  })

  test.each([
    ['a person', { userId: marinaId }, true],
    ['the company', COMPANY, false],
  ])('is answered over HTTP to %s with everything where it is open, and nowhere else', async (_, holder, isPerson) => {
    const { token, id } = await make(holder)
    await sql`update api_token set per_minute = 100000 where id = ${id}`
    const found: string[] = []
    for (const [key, endpoint] of calls) {
      if (endpoint.audience === 'public') continue
      const [method = '', path = ''] = key.split(' ')
      const { status } = await call(
        token,
        method,
        path.replace(/:\w+/g, '999999999'),
        method === 'GET' ? undefined : {},
      )
      const isRefused = status === 401 || status === 403
      if (isRefused === isOpen(endpoint, ALL, isPerson) || status >= 500) found.push(`${key} ${status}`)
    }
    expect(found).toEqual([])
  })
})

describe('the scope of webhooks', () => {
  const form = { name: 'n8n', address: 'https://n8n.example/x', events: ['connection.state'] }
  const make = (scopes: string[]) => desk.addToken({ userId: marinaId, scopes: ['webhooks', ...scopes] })

  test.each([
    [[], { events: ['message.received'] }, 'events'],
    [['readTickets'], { events: ['message.status'] }, 'events'],
    [['readMessages'], { events: ['ticket.opened'] }, 'events'],
    [['readTickets'], { events: ['contact.created'] }, 'events'],
    [['readTickets'], { fields: ['messageText'] }, 'fields'],
    [['readMessages'], { fields: ['contactName'] }, 'fields'],
    [['readTickets'], { fields: ['contactEmail'] }, 'fields'],
    [['readMessages'], { events: ['message.sent'], fields: ['messageText', 'agentName'] }, null],
    [['readTickets'], { events: ['ticket.opened'], fields: ['contactName', 'contactNumber', 'contactTags'] }, null],
    [['contacts'], { events: ['contact.created'], fields: ['contactEmail', 'contactName'] }, null],
    [[], {}, null],
  ])('with %j adds %j: %j', async (scopes, chosen, path) => {
    const { token } = await make(scopes)
    const { status, body } = await desk.call<{ details?: { path: string }[] }>(token, 'POST', '/integrations', {
      ...form,
      ...chosen,
    })
    expect([status, body.details?.[0]?.path ?? null]).toEqual(path === null ? [201, null] : [422, path])
  })

  test('does not turn an address that carries more, nor show what it was sent, nor get its secret', async () => {
    const more = { ...form, events: ['message.received'], fields: ['messageText'] }
    const made = await marina.call<{ id: number }>('POST', '/integrations', more)
    const path = `/integrations/${made.body.id}`
    const { token } = await make(['contacts'])
    expect((await call(token, 'PUT', path, { address: 'https://other.example/' })).status).toBe(422)
    expect((await call(token, 'POST', `${path}/secret`)).status).toBe(403)
    expect((await call(token, 'GET', `${path}/deliveries`)).status).toBe(403)
    // What a try brings is one of the deliveries.
    const type = 'message.received'
    const { body } = await marina.call<{ id: number }>('POST', `${path}/test`, { type })
    const standing = async () => [
      ...(await sql`select id, attempts, state from webhook_delivery where webhook_id = ${made.body.id}`),
    ]
    const before = await standing()
    expect((await call(token, 'POST', `${path}/test`, { type })).status).toBe(403)
    expect((await call(token, 'POST', `${path}/deliveries/${body.id}/replay`)).status).toBe(403)
    expect([before.length, await standing()]).toEqual([1, before])
    const reader = await make(['readMessages'])
    expect((await call(reader.token, 'PUT', path, { address: 'https://other.example/' })).status).toBe(200)
    expect((await call(reader.token, 'POST', `${path}/secret`)).status).toBe(200)
    expect((await call(reader.token, 'GET', `${path}/deliveries`)).status).toBe(200)
  })
})

describe('as whom it acts', () => {
  test('a person: sees what that person sees, at each call', async () => {
    const { token } = await make(BRUNA)
    expect([await statusOf(token), await statusOf(token, `/tickets/${other}`)]).toEqual([200, 403])
    await sql`delete from user_queue where user_id = ${brunaId}`
    expect(await statusOf(token)).toBe(403)
    await sql`insert into user_queue (user_id, queue_id) values (${brunaId}, ${sales})`
    expect(await statusOf(token)).toBe(200)
  })

  test('the company: sees its queues and no other, by no call', async () => {
    const { token } = await make(COMPANY)
    expect([await statusOf(token), await statusOf(token, `/tickets/${other}`)]).toEqual([200, 403])
    expect((await call(token, 'GET', `/messages/${own}`)).text).toContain('Bom dia')
    for (const path of [`/messages/${other}`, '/tickets?status=pending&showAll=true', `/contacts/${contactId}/tickets`])
      expect((await call(token, 'GET', path)).text).not.toContain('segredo')
    const { tickets } = (await call(token, 'GET', '/tickets?showAll=true&status=open')).body
    expect(tickets?.map(({ id }) => id)).toEqual([own])
  })

  test('the company is nobody in the log, and changes contacts', async () => {
    const { token } = await make(COMPANY)
    const number = '5531988887777'
    const made = await call(token, 'POST', '/contacts', { name: 'Pedido 1042', number })
    expect(made.status).toBe(201)
    const [entry] =
      await sql`select user_id, source from log_entry where action = 'contact.create' order by id desc limit 1`
    expect(entry).toMatchObject({ user_id: null, source: 'api' })
  })

  test('sends where it may write, and nowhere else', async () => {
    const { token } = await make(COMPANY)
    await sql`insert into contact_identity (kind, value, contact_id) select 'pn', '5531977770001', contact_id from ticket where id = ${other}`
    const refused = await call(token, 'POST', '/api/messages/send', { number: '5531977770001', body: 'Olá' })
    expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    const sent = await call(token, 'POST', '/api/messages/send', {
      number: '5531977770002',
      body: 'Olá',
      queueId: sales,
    })
    expect(sent.status).toBe(201)
    const strange = { number: '5531977770003', body: 'Olá', queueId: finance }
    expect((await call(token, 'POST', '/api/messages/send', strange)).status).toBe(403)
    const [left] = await sql`select count(*)::int as n from contact_identity where value = '5531977770003'`
    expect(left?.n).toBe(0)
  })

  test('sends into a ticket it may write in: a text with choices, and no template where there are none', async () => {
    const { token } = await make(COMPANY)
    const send = (body: object) => call(token, 'POST', '/api/messages/send', body)
    const choices = [{ name: 'Manhã' }, { name: 'Tarde' }]
    expect((await send({ ticketId: own, body: 'Qual horário?', choices })).body.ticketId).toBe(own)
    const [message] = await sql`select body from message where ticket_id = ${own} order by id desc limit 1`
    expect(message?.body).toContain('Tarde')
    expect((await send({ ticketId: other, body: 'Olá' })).status).toBe(403)
    expect((await send({ ticketId: 999_999, body: 'Olá' })).status).toBe(404)
    const template = { name: 'pedido', language: 'pt_BR' }
    for (const wrong of [{ template }, { choices }, {}, { body: 'Olá', number: '5531977770009' }])
      expect((await send({ ticketId: own, ...wrong })).status).toBe(422)
  })

  test('sends a template outside of the 24 hours, and no file of ours with it', async () => {
    const official = await makeConnection(db, 'Oficial', 'cloud_api')
    const contact = await makeContact(db, 'Oficina Sul')
    const ticketId = await makeTicket(db, {
      ...{ contactId: contact, whatsappId: official, status: 'open', queueId: sales, userId: brunaId },
    })
    const { token } = await make(COMPANY)
    const send = (parameters: unknown[]) =>
      call(token, 'POST', '/api/messages/send', {
        ticketId,
        template: { name: 'pedido', language: 'pt_BR', parameters },
      })
    expect((await send([{ type: 'header', parameters: [{ document: { mediaId: 'x' } }] }])).status).toBe(422)
    expect((await send([])).status).toBe(201)
    const [row] = await sql`select payload from outbox where contact_id = ${contact}`
    expect(row?.payload).toMatchObject({ type: 'template', name: 'pedido', lang: 'pt_BR' })
    expect((await call(token, 'POST', '/api/messages/send', { ticketId, body: 'Olá' })).body.error).toBe(
      'ERR_WINDOW_CLOSED',
    )
  })

  test('a person writes the messages it sends', async () => {
    const { token } = await make(BRUNA)
    const body = { number: '5531977770004', body: 'Olá', queueId: sales, userId: brunaId }
    const sent = await call(token, 'POST', '/api/messages/send', body)
    expect(sent.status).toBe(201)
    const [message] =
      await sql`select user_id from message where ticket_id = ${sent.body.ticketId ?? 0} and body = 'Olá'`
    expect(message?.user_id).toBe(brunaId)
  })

  test('gives a conversation to nobody that the desk does not show', async () => {
    const holders = [await make(COMPANY), await make(BRUNA)].map(({ token }) => token)
    const settings = await marina.call<{ value: string }>('PUT', '/settings/userApiToken', { value: 'new' })
    for (const token of [...holders, settings.body.value]) {
      const [owner, nobody] = [1, 999_999].map(userId =>
        call(token, 'POST', '/api/messages/send', { number: '5531977770006', body: 'Olá', queueId: sales, userId }),
      )
      expect([(await owner)?.status, (await owner)?.body]).toEqual([404, (await nobody)?.body ?? {}])
    }
  })

  test('a key of another token is another key', async () => {
    const [one, two] = [await make(COMPANY), await make(COMPANY)]
    const body = { number: '5531977770005', body: 'Uma vez', queueId: sales }
    const headers = { 'idempotency-key': 'pedido-1042' }
    const send = ({ token }: { token: string }) => call(token, 'POST', '/api/messages/send', body, headers)
    const [first, again, elsewhere] = [await send(one), await send(one), await send(two)]
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(elsewhere.headers.get('idempotent-replayed')).toBeNull()
  })
})

describe('contacts that are gone', () => {
  interface Gone {
    readonly gone: number[]
    readonly reset: boolean
    readonly nextCursor: string
  }

  test('are those that were deleted or merged since the cursor, each once; of many at once all are read anew', async () => {
    const { token } = await make(COMPANY, ['contacts'])
    const read = async (cursor?: string) => {
      const path = cursor === undefined ? '/contacts/gone' : `/contacts/gone?cursor=${encodeURIComponent(cursor)}`
      return (await desk.call<Gone>(token, 'GET', path)).body
    }
    const [survivor, merged, deleted] = [
      await makeContact(db, 'Ana'),
      await makeContact(db, 'Ana Luz'),
      await makeContact(db, 'Rui'),
    ]
    await waitForSettledEvents(sql)
    const begun = await read()
    expect(begun).toMatchObject({ gone: [], reset: false })
    await sql`update "user" set del_contact = true where id = ${marinaId}`
    await db.transaction(tx => mergeContacts(tx, survivor, merged))
    expect((await marina.call('DELETE', `/contacts/${deleted}`)).status).toBe(204)
    await waitForSettledEvents(sql)
    const changed = await read(begun.nextCursor)
    expect(changed).toMatchObject({ gone: [merged, deleted], reset: false })
    expect(await read(changed.nextCursor)).toMatchObject({ gone: [], reset: false })
    await db.transaction(publishContactReload)
    await waitForSettledEvents(sql)
    expect(await read(changed.nextCursor)).toMatchObject({ gone: [], reset: true })
  })
})

describe('contacts that changed since', () => {
  test('come in the order of their changes, each again when it changes, and none is passed over that is written meanwhile', async () => {
    const { token } = await make(COMPANY)
    const [now] = await sql<
      { at: string }[]
    >`select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`
    const list = async (cursor?: string) => {
      const path = `/contacts?changedSince=${now?.at}${cursor ? `&cursor=${cursor}` : ''}`
      const { text } = await call(token, 'GET', path)
      const { contacts, nextCursor }: { contacts: { id: number }[]; nextCursor: string } = JSON.parse(text)
      return { ids: contacts.map(({ id }) => id), nextCursor }
    }
    const first = await makeContact(db, 'Primeira')
    const one = await list()
    expect(one.ids).toEqual([first])
    const slow = await sql.reserve()
    await slow`begin`
    const [late] = await slow<{ id: number }[]>`insert into contact (name) values ('Escrita devagar') returning id`
    const quick = await makeContact(db, 'Depressa')
    expect((await list(one.nextCursor)).ids).toEqual([])
    await slow`commit`
    slow.release()
    const two = await list(one.nextCursor)
    expect(two.ids).toEqual([late?.id ?? 0, quick])
    await sql`update contact set updated_at = now() where id = ${first}`
    const three = await list(two.nextCursor)
    expect(three.ids).toEqual([first])
    expect((await list(three.nextCursor)).ids).toEqual([])
    expect((await call(token, 'GET', '/contacts?changedSince=ontem')).status).toBe(422)
  })
})

describe('it ends', () => {
  test('when it is revoked, at once, also in the middle of a call', async () => {
    const { token, id } = await make(COMPANY, ['send'])
    const before = await sql`select count(*)::int as n from message`
    const { promise: revoked, resolve } = Promise.withResolvers<void>()
    const slow = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(`{"number":"5531977770006","queueId":${sales},`))
        await revoked
        controller.enqueue(new TextEncoder().encode('"body":"Olá"}'))
        controller.close()
      },
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sending = fetch(`${url}/api/messages/send`, { method: 'POST', headers, body: slow })
    while ((await sql`select 1 from api_token where id = ${id} and uses > 0`).length === 0) await Bun.sleep(5)
    expect((await marina.call('DELETE', `/integrations/tokens/${id}`)).status).toBe(204)
    resolve()
    expect((await sending).status).toBe(401)
    expect(await statusOf(token)).toBe(401)
    expect(await sql`select count(*)::int as n from message`).toEqual(before)
    expect((await marina.call('DELETE', `/integrations/tokens/${id}`)).status).toBe(404)
  })

  test('with its day, and begins again with another one', async () => {
    const { token, id } = await make({ ...COMPANY, expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await statusOf(token)).toBe(200)
    await sql`update api_token set expires_at = now() where id = ${id}`
    expect(await statusOf(token)).toBe(401)
    const { body } = await marina.call<ApiToken>('PUT', `/integrations/tokens/${id}`, { expiresAt: null })
    expect([body.ended, await statusOf(token)]).toEqual([null, 200])
  })

  test('with its person', async () => {
    const id = await makePerson(db, { name: 'Carla', profile: 'admin' })
    const { token } = await make({ userId: id })
    expect(await statusOf(token)).toBe(200)
    await sql`update "user" set active = false where id = ${id}`
    expect(await statusOf(token)).toBe(401)
    const { body } = await marina.call<ApiToken[]>('GET', '/integrations/tokens')
    expect(body.find(({ user }) => user?.id === id)?.ended).toBe('person')
  })

  test('with the last of its queues', async () => {
    const gone = await makeQueue(db, 'Feira')
    const { token } = await make({ queueIds: [gone] })
    expect(await statusOf(token, '/queue')).toBe(200)
    await sql`delete from queue where id = ${gone}`
    expect(await statusOf(token, '/queue')).toBe(401)
  })
})

describe('it is limited', () => {
  test('to so many calls a minute, without a write for those that are too many', async () => {
    const { token, id } = await make({ ...COMPANY, perMinute: 3 })
    // Another minute would begin anew.
    await sql`update api_token set minute = date_trunc('minute', now()), uses = 0 where id = ${id}`
    const answers = []
    for (let n = 0; n < 6; n++) answers.push(await call(token, 'GET', '/queue'))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    const [row] = await sql`select uses from api_token where id = ${id}`
    expect(row?.uses).toBeLessThanOrEqual(3)
  })

  test('500 wrong ones leave one row, and the right one goes on', async () => {
    const { token } = await make(COMPANY)
    const guess = () => call(`blc_${crypto.randomUUID()}${crypto.randomUUID()}`, 'GET', '/queue')
    const statuses = new Set((await Promise.all(Array.from({ length: 500 }, guess))).map(({ status }) => status))
    expect([...statuses].sort()).toEqual([401, 429])
    const [rows] = await sql`select count(*)::int as n from sign_in_failure`
    expect(rows?.n).toBe(1)
    expect(await statusOf(token)).toBe(200)
  })
})
