// People of the team: added, changed, let in and out, deleted, stood in for (spec 2 §2, §4, §5, §6; decisions §3, §4.5; decisions-2 §8, §22).
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import {
  type LiveEvent,
  openWire,
  type Queue,
  type ServerFrame,
  sealWire,
  type User,
  type UserDetails,
} from '@balcao/contract'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { openMedia } from '../src/desk/media/store.ts'
import { type ApiAnswer, createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket, PASSWORD, toEmail } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db, url, config } = server
const sql = db.$client
const NEW = 'Outra#Senha9'
let made = 0

const sales = await makeQueue(db, 'Vendas')
const finance = await makeQueue(db, 'Financeiro')
const whatsappId = await makeConnection(db, 'Loja')
await makePerson(db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')
const owner = createBrowser(url)
const { body } = await owner.call<{ token: string }>('POST', '/auth/login', {
  email: 'dono@saojose.example',
  password: PASSWORD,
})
owner.token = body.token

/** Somebody new, with an own name. */
async function someone(fields: Partial<Parameters<typeof makePerson>[1]> = {}): Promise<{ id: number; name: string }> {
  const name = `Pessoa${++made}`
  return { name, id: await makePerson(db, { name, profile: 'user', queueIds: [sales, finance], ...fields }) }
}

async function aTicketOf(
  userId: number | null,
  queueId: number | null,
  status: 'open' | 'paused' | 'nps' | 'pending' = 'open',
) {
  const contactId = await makeContact(db, `Cliente ${++made}`)
  return makeTicket(db, { contactId, whatsappId, status, queueId, userId })
}

async function where(...ids: number[]) {
  const rows = await sql`select status, user_id, queue_id from ticket where id = any(${ids}::int[]) order by id`
  return rows.map(row => [row.status, row.user_id, row.queue_id])
}

async function logged(userId: number) {
  const rows =
    await sql`select action, params from log_entry where origem = 'user' and entity_id = ${userId} order by id`
  return rows.map(row => [row.action, row.params])
}

const put = <T = User>(person: SignedInPerson, id: number, body: object) => person.call<T>('PUT', `/users/${id}`, body)
const messages = ({ body }: ApiAnswer) => body.details

describe('spec 2 §2: the list', () => {
  test('a whole e-mail finds its person for administrators, whatever its case; nobody else can ask by it', async () => {
    const { name, id } = await someone()
    const find = async (person: SignedInPerson) => {
      const { body } = await person.call<{ users: User[]; count: number }>(
        'GET',
        `/users?searchParam=${toEmail(name).toUpperCase()}`,
      )
      return [body.users.map(user => user.id), body.count]
    }
    expect(await find(marina)).toEqual([[id], 1])
    expect(await find(await server.as(name))).toEqual([[], 0])
  })

  test('pages of 20 by name; `all` without a value gives everybody; user 1 is hidden but from user 1', async () => {
    for (let n = 0; n < 25; n++) await someone()
    const page = async (query: string, person = marina) =>
      (
        await person.call<{ users: User[]; hasMore: boolean; nextCursor: string; count: number }>(
          'GET',
          `/users${query}`,
        )
      ).body
    const first = await page('')
    const second = await page(`?cursor=${first.nextCursor}`)
    expect([
      first.users.length,
      first.hasMore,
      second.users.some(user => first.users.some(({ id }) => id === user.id)),
    ]).toEqual([20, true, false])
    expect((await page('?pageNumber=2')).users.map(({ id }) => id)).toEqual(second.users.map(({ id }) => id))
    const all = await page('?all')
    expect([all.users.length, all.users.some(({ id }) => id === 1)]).toEqual([first.count, false])
    expect((await page('?all', owner)).users.some(({ id }) => id === 1)).toBe(true)
    expect((await marina.call('GET', '/users/1')).body.error).toBe('ERR_NO_USER_FOUND')
  })

  test('one person: administrators see e-mail, live tickets and substitutes, colleagues none of them', async () => {
    const { id, name } = await someone()
    await aTicketOf(id, sales)
    await aTicketOf(id, sales, 'paused')
    const colleague = await server.as((await someone()).name)
    const seen = (await marina.call<UserDetails>('GET', `/users/${id}`)).body
    expect([await openWire(config.sharedSecret, seen.email), seen.liveTickets]).toEqual([
      toEmail(name),
      [{ queueId: sales, tickets: 2 }],
    ])
    const hidden = (await colleague.call<UserDetails>('GET', `/users/${id}`)).body
    expect([hidden.email, hidden.liveTickets, hidden.lastSeenAt]).toEqual(['', [], null])
  })
})

describe('spec 2 §5: adding somebody', () => {
  test('keeps every field, takes secrets sealed or plain, and tells screens and log', async () => {
    const form = {
      ...{
        name: '  Ana Prado ',
        profile: 'gerente',
        active: true,
        startTime: '07:05',
        endTime: '17:30',
        saturday: false,
      },
      ...{ sunday: false, delContact: true, whatsappId, queueIds: [finance, finance] },
      email: await sealWire(config.sharedSecret, 'Ana@saojose.example'),
      password: await sealWire(config.sharedSecret, NEW),
    }
    const { status, body } = await marina.call<User & { oneTimePassword: null }>('POST', '/users', form)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...{
        name: 'Ana Prado',
        profile: 'gerente',
        startTime: '07:05',
        endTime: '17:30',
        saturday: false,
        weekdays: true,
      },
      ...{ delContact: true, whatsappId, queueIds: [finance], substitution: [], oneTimePassword: null },
    })
    expect(await logged(body.id)).toEqual([['user.create', null]])
    expect(await listEvents('create', body.id)).toHaveLength(3)
    await sql`update "user" set start_time = '00:00', end_time = '23:59', sunday = true, saturday = true where id = ${body.id}`
    expect((await signIn('ana@saojose.example', NEW)).status).toBe(200)
  })

  test('without a password: one for one sign-in, shown once; without hours: 08:00 to 18:00', async () => {
    const { body } = await marina.call<User & { oneTimePassword: string }>('POST', '/users', {
      name: 'Beto',
      email: 'beto@x.example',
      password: '',
    })
    expect([body.mustChangePassword, body.startTime, body.endTime, body.profile]).toEqual([
      true,
      '08:00',
      '18:00',
      'user',
    ])
    expect(body.oneTimePassword).toMatch(/^[A-Z]{3}[a-z]{5}-\d{4}$/)
    const [row] =
      await sql`select string_agg(payload, '') as events, (select string_agg(l::text, '') from log_entry l) as log from live_event`
    expect(`${row?.events}${row?.log}`).not.toContain(body.oneTimePassword)
  })

  test.each([
    [{ name: 'A' }, 'name', 'Escreva um pouco mais: está curto demais.'],
    [{ name: 'a'.repeat(10_000) }, 'name', 'Escreva menos: está longo demais.'],
    [{ name: '' }, 'name', 'Preencha este campo'],
    [{ email: 'nada' }, 'email', 'E-mail inválido'],
    [{ password: 'curta' }, 'password', 'A senha deve ter no mínimo 8 caracteres.'],
    [{ startTime: '24:00' }, 'startTime', 'Escreva um horário, como 08:00.'],
    [{ endTime: '9:5' }, 'endTime', 'Escreva um horário, como 08:00.'],
  ])('refuses %p at %s', async (wrong, path, message) => {
    const answer = await marina.call('POST', '/users', {
      name: 'Carla',
      email: 'carla@x.example',
      password: NEW,
      ...wrong,
    })
    expect([answer.status, messages(answer)]).toMatchObject([422, [{ path, message }]])
  })

  test('refuses an e-mail in use, a queue and a connection that are not there, and keeps nothing of it', async () => {
    const form = { name: 'Dora', email: 'dora@x.example', password: NEW }
    const code = async (more: object) => (await marina.call('POST', '/users', { ...form, ...more })).body.error
    expect(await code({ email: toEmail('Marina').toUpperCase() })).toBe('ERR_DUPLICATED_EMAIL')
    expect(await code({ queueIds: [sales, 9999] })).toBe('ERR_NO_QUEUE_FOUND')
    expect(await code({ whatsappId: 9999 })).toBe('ERR_NO_WAPP_FOUND')
    expect(await code({ profile: 'chefe' })).toBe('ERR_VALIDATION')
    expect(await sql`select 1 from "user" where name = 'Dora'`).toHaveLength(0)
  })
})

describe('spec 2 §6: who may change what', () => {
  test('oneself: name and e-mail, this with the current password; unchanged fields may come along', async () => {
    const { id, name } = await someone()
    const self = await server.as(name)
    const { email: _, ...mine } = (await self.call<User>('GET', `/users/${id}`)).body
    expect((await put(self, id, { ...mine, name: 'Outro Nome' })).body.name).toBe('Outro Nome')
    const email = `novo${id}@x.example`
    expect(messages(await put<ApiAnswer['body']>(self, id, { email }))).toEqual([
      { path: 'currentPassword', message: 'A senha atual não confere.', code: 'wrongPassword' },
    ])
    expect((await put(self, id, { email, currentPassword: PASSWORD })).status).toBe(200)
    expect((await signIn(email, PASSWORD)).status).toBe(200)
    expect(await logged(id)).toEqual([
      ['user.update', { changes: [{ field: 'name', from: name, to: 'Outro Nome' }] }],
      ['user.update', { changes: [{ field: 'email' }] }],
    ])
  })

  test.each([
    { profile: 'admin' },
    { active: false },
    { queueIds: [] },
    { delContact: true },
    { startTime: '01:00' },
    { holidays: false },
    { whatsappId: null, substitution: [{ name: 1, value: 1, transfer: true }] },
  ])('nobody but administrators may set %p, of oneself or others', async change => {
    const [self, other] = [await someone({ profile: 'gerente' }), await someone()]
    const person = await server.as(self.name)
    for (const id of [self.id, other.id])
      expect((await put<ApiAnswer['body']>(person, id, change)).body.error).toBe('ERR_NO_PERMISSION')
    const rows = await sql`select version from "user" where id in (${other.id})`
    expect(rows.map(row => Number(row.version))).toEqual([1])
  })

  test('of a password: one’s own is never for one sign-in, another’s is if the administrator says so; a changed one ends all other devices', async () => {
    const { id, name } = await someone()
    const [here, there] = [await server.as(name), await server.as(name)]
    const own = await put(here, id, { password: NEW, currentPassword: PASSWORD, mustChangePassword: true })
    expect([own.status, own.body.mustChangePassword]).toEqual([200, false])
    expect((await here.call('GET', '/queue')).status).toBe(200)
    expect((await there.call('GET', '/queue')).body.error).toBe('ERR_SESSION_EXPIRED')
    expect((await put(marina, id, { password: PASSWORD, mustChangePassword: true })).body.mustChangePassword).toBe(true)
    expect((await here.call('GET', '/queue')).body.error).toBe('ERR_SESSION_EXPIRED')
    expect((await logged(id)).map(([action]) => action)).toEqual(['user.changePassword', 'user.resetPassword'])
  })

  test('spec 1 §4: with a one-time password nothing but the own password is changed, whatever else comes along', async () => {
    const [{ id, name }, other] = [await someone({ profile: 'admin' }), await someone()]
    const once = (await marina.call<{ password: string }>('POST', `/users/reset/${id}`)).body.password
    const entered = await signIn(toEmail(name), once)
    const self = createBrowser(url)
    self.token = String(entered.body.token)
    for (const [person, form] of [
      [id, { name: 'Outro Nome' }],
      [id, { password: '', currentPassword: once }],
      [other.id, { name: 'Outro Nome' }],
      [other.id, { password: NEW }],
    ] as const)
      expect([form, (await put<ApiAnswer['body']>(self, person, form)).body.error]).toEqual([form, 'ERR_NO_PERMISSION'])
    const all = { name: 'Outro Nome', email: `outro${id}@x.example`, queueIds: [], delContact: true }
    const changed = await put(self, id, { ...all, password: NEW, currentPassword: once })
    expect(changed.body).toMatchObject({
      name,
      queueIds: [finance, sales],
      delContact: false,
      mustChangePassword: false,
    })
    expect((await signIn(toEmail(name), NEW)).status).toBe(200)
    expect((await marina.call<User>('GET', `/users/${other.id}`)).body.version).toBe(1)
  })

  test('hierarchy: who becomes a manager takes the own tickets out of other managers’ sight, at once', async () => {
    const [person, manager] = [await someone(), await someone({ profile: 'gerente' })]
    await marina.call('PUT', '/settings/hierarchy', { value: 'enabled' })
    const [remaining, lost] = [await aTicketOf(person.id, sales), await aTicketOf(person.id, finance)]
    const socket = await openSocket(await server.as(manager.name))
    await put(marina, person.id, { profile: 'gerente', queueIds: [sales] })
    const about = (ticketId: number) => (event: LiveEvent) =>
      event.event === 'ticket' && ('ticketId' in event ? event.ticketId : event.ticket.id) === ticketId
    await socket.heard(
      event =>
        about(remaining)(event) && event.event === 'ticket' && event.action === 'delete' && event.reason === 'hidden',
    )
    // What waits again is everybody's of the queue.
    await socket.heard(event => about(lost)(event) && event.event === 'ticket' && event.action === 'update')
    const rows = await sql`
      select (audience->>'ticketId')::int as id, audience->'before'->>'ownerProfile' as before, audience->'after'->>'ownerProfile' as after
      from live_event where audience->>'to' = 'ticket' and (audience->>'ticketId')::int in (${remaining}, ${lost}) and audience ? 'before' order by id`
    expect(rows.map(row => [row.id, row.before, row.after]).toSorted()).toEqual([
      [remaining, 'user', 'gerente'],
      [lost, 'user', null],
    ])
    socket.close()
    await marina.call('PUT', '/settings/hierarchy', { value: 'disabled' })
  })

  test('an administrator sets another one’s password, which ends that one’s sessions and is told without it', async () => {
    const { id, name } = await someone()
    const before = await server.as(name)
    expect((await put(marina, id, { password: NEW })).body.mustChangePassword).toBe(false)
    expect((await before.call('GET', '/queue')).status).toBe(401)
    expect((await signIn(toEmail(name), NEW)).status).toBe(200)
    expect(await logged(id)).toEqual([['user.resetPassword', null]])
  })

  test('the owner is nobody to others, and stays an active administrator even by his own hand', async () => {
    for (const body of [{ active: false }, { profile: 'user' }, { name: 'X Y' }])
      expect((await put<ApiAnswer['body']>(marina, 1, body)).body.error).toBe('ERR_NO_USER_FOUND')
    for (const body of [{ active: false }, { profile: 'user' }])
      expect((await put<ApiAnswer['body']>(owner, 1, body)).body.error).toBe('ERR_NO_PERMISSION')
    for (const person of [marina, owner]) expect((await person.call('DELETE', '/users/1')).status).not.toBe(204)
    expect((await marina.call('POST', '/users/transfer/1', { substituteId: 2, queueId: sales })).body.error).toBe(
      'ERR_NO_USER_FOUND',
    )
  })

  test('nor does anybody learn the owner’s name by naming user 1', async () => {
    await sql`update "user" set name = 'Dona Secreta' where id = 1`
    await sql`insert into user_queue (user_id, queue_id) values (1, ${sales}) on conflict do nothing`
    const person = await someone({ active: false })
    const [waiting, own] = [await aTicketOf(null, sales, 'pending'), await aTicketOf(1, sales)]
    const contactId = await makeContact(db, 'De fora')
    const fields = { status: 'open', userId: 1, queueId: sales, transferMessage: '' }
    const calls: [string, string, object, string][] = [
      ['POST', `/users/transfer/${person.id}`, { substituteId: 1, queueId: sales }, 'ERR_NO_USER_FOUND'],
      ['POST', `/users/transfer/${person.id}`, { substituteId: 1, queueId: finance }, 'ERR_NO_USER_FOUND'],
      ['PUT', `/users/${person.id}`, { substitution: [row(sales, 1)] }, 'ERR_VALIDATION'],
      ['PUT', `/users/${person.id}`, { substitution: [row(finance, 1)] }, 'ERR_VALIDATION'],
      ['PUT', `/tickets/${waiting}`, fields, 'ERR_NO_USER_FOUND'],
      ['POST', '/tickets', { contactId, whatsappId, queueId: sales, userId: 1, status: 'open' }, 'ERR_NO_USER_FOUND'],
      ['PUT', '/settings/userCron', { value: '1' }, 'ERR_VALIDATION'],
    ]
    for (const [method, path, body, error] of calls) {
      const answer = await marina.call(method, path, body)
      expect([path, answer.body.error]).toEqual([path, error])
      expect(JSON.stringify(answer.body)).not.toContain('Secreta')
    }
    // Where it is the owner's already it may stay so, and the owner gives to whom he likes.
    expect((await marina.call('PUT', `/tickets/${own}`, { ...fields, queueId: finance })).status).toBe(200)
    expect((await owner.call('PUT', `/tickets/${waiting}`, fields)).status).toBe(200)
    await sql`delete from user_queue where user_id = 1`
  })

  test('nobody else hears of the owner, and no colleague who has a one-time password or waits to be let in', async () => {
    await sql`delete from live_event`
    const { id } = await someone()
    await put(owner, 1, { name: 'Dona da Casa' })
    await marina.call('POST', `/users/reset/${id}`)
    await sql`update "user" set awaiting_approval = true where id = ${id}`
    await put(marina, id, { name: 'Outro Nome' })
    const rows = await sql<{ audience: { to: string }; payload: string }[]>`select audience, payload from live_event`
    const notices = rows.map(({ audience, payload }) => [audience.to, JSON.parse(payload).user] as const)
    expect(notices.filter(([, user]) => user?.id === 1).map(([to]) => to)).toEqual(['user'])
    const colleague = await server.as((await someone()).name)
    const seen = (await colleague.call<User>('GET', `/users/${id}`)).body
    for (const user of [seen, ...notices.flatMap(([to, one]) => (to === 'others' ? [one] : []))])
      expect([user.mustChangePassword, user.awaitingApproval]).toEqual([false, false])
  })

  test('whoever is let out while the words of a request still come has no rights when they are there', async () => {
    const { id, name } = await someone({ profile: 'admin' })
    const { token } = await server.as(name)
    const form = JSON.stringify({
      name: 'Porta dos Fundos',
      email: 'fundos@x.example',
      password: NEW,
      profile: 'admin',
    })
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = fetch(`${url}/users`, { method: 'POST', headers, body: readable })
    await writer.write(Buffer.from(form.slice(0, 9)))
    await put(marina, id, { active: false })
    await writer.write(Buffer.from(form.slice(9)))
    await writer.close()
    expect((await answer).status).toBe(401)
    expect(await sql`select 1 from "user" where name = 'Porta dos Fundos'`).toHaveLength(0)
  })

  test('whoever loses the profile while a password is hashed changes nobody', async () => {
    const [deposed, other] = [await someone({ profile: 'admin' }), await someone()]
    const person = await server.as(deposed.name)
    let answer: ReturnType<typeof put<ApiAnswer['body']>> | undefined
    await sql.begin(async tx => {
      await tx`update "user" set profile = 'user' where id = ${deposed.id}`
      answer = put<ApiAnswer['body']>(person, other.id, { password: NEW, profile: 'admin' })
      await somebodyWaits()
    })
    expect((await answer)?.body.error).toBe('ERR_NO_PERMISSION')
    expect((await signIn(toEmail(other.name), PASSWORD)).status).toBe(200)
  })

  test.each([
    ['the profile', { profile: 'user', active: true }, { profile: 'admin' }],
    ['the desk', { profile: 'admin', active: false }, { active: true }],
    ['the desk, and its name', { profile: 'admin', active: false }, { name: 'Ainda Aqui' }],
  ])('whoever loses %s at that moment does not give it to himself again', async (_, lost, wanted) => {
    const { id, name } = await someone({ profile: 'admin' })
    const person = await server.as(name)
    let answer: ReturnType<typeof put<ApiAnswer['body']>> | undefined
    await sql.begin(async tx => {
      await tx`update "user" set profile = ${lost.profile}, active = ${lost.active} where id = ${id}`
      answer = put<ApiAnswer['body']>(person, id, wanted)
      await somebodyWaits()
    })
    expect((await answer)?.body.error).toBe('ERR_NO_PERMISSION')
    expect((await marina.call<User>('GET', `/users/${id}`)).body).toMatchObject(lost)
  })

  test('whoever is given a one-time password at that moment does not put an own one in its place', async () => {
    const { id, name } = await someone()
    const person = await server.as(name)
    let answer: ReturnType<typeof put<ApiAnswer['body']>> | undefined
    await sql.begin(async tx => {
      await tx`update "user" set password_hash = 'another', must_change_password = true where id = ${id}`
      answer = put<ApiAnswer['body']>(person, id, { password: NEW, currentPassword: PASSWORD })
      await somebodyWaits()
    })
    expect((await answer)?.body.error).toBe('ERR_SESSION_EXPIRED')
    const [row] = await sql`select password_hash as hash, must_change_password as must from "user" where id = ${id}`
    expect(row).toEqual({ hash: 'another', must: true })
  })

  test('a sign-up waits until it is approved', async () => {
    await marina.call('PUT', '/settings/userCreation', { value: 'enabled' })
    const { body } = await createBrowser(url).call<{ id: number }>('POST', '/auth/signup', {
      name: 'Espera',
      email: 'espera@x.example',
      password: NEW,
    })
    expect((await marina.call<User>('GET', `/users/${body.id}`)).body.awaitingApproval).toBe(true)
    expect((await put(marina, body.id, { active: true, queueIds: [sales] })).body.awaitingApproval).toBe(false)
    expect((await logged(body.id)).map(([action]) => action)).toEqual(['user.signUp', 'user.update', 'user.approve'])
  })
})

test('somebody of a connection that was deleted long ago has none, and is saved with what is shown', async () => {
  const { id } = await someone()
  const gone = await makeConnection(db, 'Que foi')
  await sql`update "user" set whatsapp_id = ${gone} where id = ${id}`
  await sql`update whatsapp set deleted_at = now() where id = ${gone}`
  const { whatsappId: shown } = (await marina.call<User>('GET', `/users/${id}`)).body
  const answer = await put(marina, id, { name: 'Sem Conexão', whatsappId: shown })
  expect([shown, answer.status, answer.body.whatsappId]).toEqual([null, 200, null])
})

test('somebody whose connection was deleted is saved as before, and has none then', async () => {
  const { id } = await someone()
  const gone = await makeConnection(db, 'Que vai')
  expect((await put(marina, id, { whatsappId: gone })).status).toBe(200)
  expect((await marina.call('DELETE', `/whatsapp/${gone}`)).status).toBe(204)
  const { whatsappId: shown, version } = (await marina.call<User>('GET', `/users/${id}`)).body
  const answer = await put(marina, id, { name: 'Sem Conexão', whatsappId: shown, version })
  expect([shown, answer.status, answer.body.whatsappId]).toEqual([null, 200, null])
})

describe('decisions-2 §22: saved by somebody else', () => {
  test('of two who save at once the second is told, with the person as saved; without a version the last one wins', async () => {
    const { id } = await someone()
    const { version } = (await marina.call<User>('GET', `/users/${id}`)).body
    const answers = await Promise.all(
      ['Um', 'Dois'].map(more => put<ApiAnswer['body']>(marina, id, { name: `Nome ${more}`, version })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [saved, refused] = answers.toSorted((one, other) => one.status - other.status)
    expect(refused?.body).toMatchObject({ error: 'ERR_CHANGED_MEANWHILE', details: { name: saved?.body.name } })
    expect(JSON.stringify(refused?.body)).not.toContain('emailHash')
    expect((await put(marina, id, { name: 'Nome Três' })).body.name).toBe('Nome Três')
  })

  test('who comes online meanwhile has not changed the form', async () => {
    const { id, name } = await someone()
    await put(marina, id, { addContact: false })
    const { version } = (await marina.call<User>('GET', `/users/${id}`)).body
    const socket = await openSocket(await server.as(name))
    await waitUntil('somebody is online', () =>
      sql`select 1 from "user" where id = ${id} and status = 'online'`.then(rows => rows.length > 0),
    )
    expect((await put(marina, id, { addContact: true, version })).status).toBe(200)
    socket.close()
  })
})

describe('spec 2 §5: substitutions', () => {
  test.each([
    [
      'two for one queue',
      (a: number) => [row(sales, a), row(sales, a)],
      'substitution/1',
      'Não deve haver mais de uma substituição para a mesma fila',
    ],
    [
      'one without a queue',
      (a: number) => [{ value: a, transfer: false }],
      'substitution/0',
      'Não deve existir substituições sem fila/usuário atribuído',
    ],
    [
      'one without a person',
      () => [{ name: sales, value: null }],
      'substitution/0',
      'Não deve existir substituições sem fila/usuário atribuído',
    ],
  ] as const)('%s is refused', async (_, rowsOf, path, message) => {
    const [person, substitute] = [await someone({ active: false }), await someone()]
    const answer = await put<ApiAnswer['body']>(marina, person.id, { substitution: rowsOf(substitute.id) })
    expect(messages(answer)).toMatchObject([{ path, message }])
  })

  test('the substitute must belong to the queue, and be another one', async () => {
    const [person, substitute] = [await someone({ active: false }), await someone({ queueIds: [sales] })]
    const refused = async (rows: object[]) =>
      messages(await put<ApiAnswer['body']>(marina, person.id, { substitution: rows }))
    expect(await refused([row(finance, substitute.id)])).toMatchObject([
      { message: `O(a) usuário(a) ${substitute.name} não pertence à essa fila`, params: { name: substitute.name } },
    ])
    expect(await refused([row(sales, person.id)])).toMatchObject([
      { message: 'O usuário não pode substituir a si mesmo' },
    ])
    expect(await refused([row(sales, 9999)])).toMatchObject([{ code: 'notInQueue' }])
  })

  test('spec 2 §4: none is added while the person is active; those there stay through an activation and may go', async () => {
    const [person, substitute] = [await someone(), await someone()]
    const rows = [row(sales, substitute.id)]
    expect(messages(await put<ApiAnswer['body']>(marina, person.id, { substitution: rows }))).toMatchObject([
      { code: 'active' },
    ])
    expect((await put(marina, person.id, { active: false, substitution: rows })).body.substitution).toEqual(rows)
    expect((await put(marina, person.id, { active: true, substitution: rows })).body.substitution).toEqual(rows)
    expect((await put(marina, person.id, { substitution: [] })).body.substitution).toEqual([])
    expect((await logged(person.id)).at(-1)).toEqual([
      'user.update',
      { changes: [{ field: 'substitution', from: rows, to: [] }] },
    ])
  })
})

describe('decisions-2 §8: deactivating', () => {
  test('per queue, live tickets go to the substitute where transfer is set, otherwise back to their queue', async () => {
    const [person, a, b] = [await someone(), await someone(), await someone()]
    const tickets = [
      await aTicketOf(person.id, sales),
      await aTicketOf(person.id, sales, 'paused'),
      await aTicketOf(person.id, finance),
      await aTicketOf(person.id, null),
    ]
    await sql`update ticket set accepted_at = '2025-11-25T10:00:00Z' where id = any(${tickets.slice(2)}::int[])`
    await sql`update ticket set pause_tag = 'Almoço' where status = 'paused' and id = any(${tickets}::int[])`
    const rating = await aTicketOf(person.id, sales, 'nps')
    const substitution = [row(sales, a.id), { ...row(finance, b.id), transfer: false }]
    expect((await put(marina, person.id, { active: false, substitution })).status).toBe(200)
    expect(await where(...tickets, rating)).toEqual([
      ['open', a.id, sales],
      ['open', a.id, sales],
      ['pending', null, finance],
      ['pending', null, null],
      ['nps', person.id, sales],
    ])
    const lines =
      await sql`select ticket_id, system->>'code' as code from message where ticket_id = any(${tickets}::int[]) order by ticket_id`
    expect(lines.map(line => line.code)).toEqual(['transferred', 'transferred', 'returned', 'returned'])
    // Who takes it over has accepted it; what waits again has to be accepted anew (decisions-2 §23).
    const accepted = await sql`
      select accepted_at is not null as accepted, unread_messages > 0 as unread, pause_tag from ticket
      where id = any(${tickets}::int[]) order by id`
    expect(accepted.map(row => [row.accepted, row.unread, row.pause_tag])).toEqual([
      [true, true, null],
      [true, true, null],
      [false, true, null],
      [false, true, null],
    ])
    const log = await sql`select action from log_entry where ticket_id = any(${tickets}::int[]) order by ticket_id`
    expect(log.map(entry => entry.action)).toEqual([
      'ticket.transfer',
      'ticket.transfer',
      'ticket.return',
      'ticket.return',
    ])
    expect(await logged(person.id)).toContainEqual(['user.deactivate', { toWait: 2, toSubstitutes: 2 }])
  })

  test('a substitute who is inactive or has lost the queue takes nothing', async () => {
    const [person, away, lost] = [await someone(), await someone(), await someone()]
    const tickets = [await aTicketOf(person.id, sales), await aTicketOf(person.id, finance)]
    await put(marina, person.id, { active: false, substitution: [row(sales, away.id), row(finance, lost.id)] })
    await sql`update ticket set status = 'open', user_id = ${person.id} where id = any(${tickets}::int[])`
    await put(marina, person.id, { active: true })
    await put(marina, away.id, { active: false })
    await put(marina, lost.id, { queueIds: [sales] })
    await put(marina, person.id, { active: false })
    expect(await where(...tickets)).toEqual([
      ['pending', null, sales],
      ['pending', null, finance],
    ])
  })

  test('everything or nothing: a refusal leaves the person active and the tickets where they are', async () => {
    const [person, stranger] = [await someone(), await someone({ queueIds: [] })]
    const ticket = await aTicketOf(person.id, sales)
    await put(marina, person.id, { active: false, name: 'Novo', substitution: [row(sales, stranger.id)] })
    expect(await where(ticket)).toEqual([['open', person.id, sales]])
    expect((await marina.call<User>('GET', `/users/${person.id}`)).body).toMatchObject({
      active: true,
      name: person.name,
      version: 1,
    })
  })

  test('POST /users/transfer hands over by hand, one queue and only to somebody of it', async () => {
    const [person, other, stranger] = [await someone(), await someone(), await someone({ queueIds: [finance] })]
    const tickets = [await aTicketOf(person.id, sales), await aTicketOf(person.id, finance)]
    const hand = (substituteId: number, queueId = sales) =>
      marina.call<ApiAnswer['body']>('POST', `/users/transfer/${person.id}`, { substituteId, queueId })
    expect(messages(await hand(stranger.id))).toMatchObject([
      { path: 'substituteId', message: `O(a) usuário(a) ${stranger.name} não pertence à essa fila` },
    ])
    expect((await hand(9999)).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await hand(other.id, 9999)).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await hand(person.id)).status).toBe(422)
    expect((await hand(other.id)).body).toEqual({ tickets: 1 })
    expect(await where(...tickets)).toEqual([
      ['open', other.id, sales],
      ['open', person.id, finance],
    ])
  })

  test('hundreds of live tickets go in one change, each with its line', async () => {
    const [person, other] = [await someone(), await someone()]
    await sql`
      with c as (insert into contact (name) select 'Muitos ' || n from generate_series(1, 300) n returning id)
      insert into ticket (contact_id, whatsapp_id, status, queue_id, user_id) select id, ${whatsappId}, 'open', ${sales}, ${person.id} from c`
    const { body } = await marina.call('POST', `/users/transfer/${person.id}`, {
      substituteId: other.id,
      queueId: sales,
    })
    expect(body).toEqual({ tickets: 300 })
    const [row] =
      await sql`select count(*)::int as n, count(distinct m.id)::int as lines from ticket t join message m on m.ticket_id = t.id where t.user_id = ${other.id}`
    expect(row).toMatchObject({ n: 300, lines: 300 })
  })
})

describe('decisions §4.5: who loses a queue', () => {
  test('loses the live tickets in it, back to pending; closed ones keep their person', async () => {
    const person = await someone()
    const tickets = [
      await aTicketOf(person.id, sales),
      await aTicketOf(person.id, finance, 'paused'),
      await aTicketOf(person.id, null),
    ]
    await put(marina, person.id, { queueIds: [sales] })
    expect(await where(...tickets)).toEqual([
      ['open', person.id, sales],
      ['pending', null, finance],
      ['open', person.id, null],
    ])
    expect((await logged(person.id)).at(-1)).toEqual([
      'user.update',
      { changes: [{ field: 'queueIds', from: [sales, finance], to: [sales] }], toWait: 1 },
    ])
  })

  test('an administrator may have any ticket; one who is none any more only those of the own queues', async () => {
    const person = await someone({ profile: 'admin', queueIds: [sales] })
    const tickets = [await aTicketOf(person.id, sales), await aTicketOf(person.id, finance)]
    await put(marina, person.id, { queueIds: [] })
    expect(await where(...tickets)).toEqual([
      ['open', person.id, sales],
      ['open', person.id, finance],
    ])
    await put(marina, person.id, { profile: 'user', queueIds: [sales] })
    expect(await where(...tickets)).toEqual([
      ['open', person.id, sales],
      ['pending', null, finance],
    ])
  })

  test('finds it at once in every open screen: the socket begins afresh and hears nothing of the queue any more', async () => {
    const [person, colleague] = [await someone(), await someone()]
    const sockets = await Promise.all([
      openSocket(await server.as(person.name)),
      openSocket(await server.as(colleague.name)),
    ])
    const [theirs, others] = sockets
    const ticket = await aTicketOf(null, finance, 'pending')
    await put(marina, person.id, { queueIds: [sales] })
    await marina.call('PUT', `/tickets/${ticket}`, { status: 'open', queueId: finance })
    await others?.heard(event => event.event === 'ticket' && 'ticketId' in event && event.ticketId === ticket)
    await theirs?.framed(frame => frame.type === 'reset')
    // Something for everybody, which comes after it.
    await marina.call('POST', '/quickAnswers', form({ shortcut: `oi${ticket}`, message: 'Olá, tudo bem?' }))
    await theirs?.heard(event => event.event === 'quickAnswer')
    // That it came may still have been told; that it was accepted came afterwards.
    expect(
      theirs?.events.filter(event => event.event === 'ticket' && 'ticket' in event && event.ticket.status === 'open'),
    ).toEqual([])
    for (const socket of sockets) socket.close()
  })

  test('somebody deactivated is told why and closed, at once and for good', async () => {
    const person = await someone()
    const session = await server.as(person.name)
    const socket = await openSocket(session)
    await put(marina, person.id, { active: false })
    expect(await socket.closed).toEqual([4401, 'ERR_USER_NO_ACTIVE'])
    expect((await session.call('POST', '/auth/socket')).body.error).toBe('ERR_USER_NO_ACTIVE')
  })
})

describe('decisions §3: deleting', () => {
  test('live tickets go to the substitute where one is set, else back; sessions end; the e-mail is free again; the log keeps it', async () => {
    const [person, substitute] = [await someone(), await someone()]
    const tickets = [await aTicketOf(person.id, sales), await aTicketOf(person.id, finance)]
    await put(marina, person.id, { active: false, substitution: [{ ...row(sales, substitute.id), transfer: false }] })
    await sql`update ticket set status = 'open', user_id = ${person.id} where id = any(${tickets}::int[])`
    await put(marina, person.id, { active: true })
    const session = await server.as(person.name)
    const socket = await openSocket(session)
    const screen = await openSocket(await server.as(substitute.name))
    expect((await marina.call('DELETE', `/users/${person.id}`, { log: { userId: 1, userName: 'x' } })).status).toBe(204)
    expect(await where(...tickets)).toEqual([
      ['open', substitute.id, sales],
      ['pending', null, finance],
    ])
    expect((await socket.closed)[0]).toBe(4401)
    expect((await session.call('GET', '/queue')).status).toBe(401)
    await screen.heard(event => event.event === 'user' && event.action === 'delete' && event.userId === person.id)
    expect((await marina.call('GET', `/users/${person.id}`)).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await marina.call('DELETE', `/users/${person.id}`)).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await signIn(toEmail(person.name), PASSWORD)).status).toBe(401)
    const again = { name: 'De novo', email: toEmail(person.name), password: NEW }
    expect((await marina.call('POST', '/users', again)).status).toBe(201)
    expect(await logged(person.id)).toContainEqual(['user.delete', { toWait: 1, toSubstitutes: 1 }])
    screen.close()
  })

  test('the row stays for what it did, without e-mail and password; turns, queues, substitutes, redirects and devices go with the person', async () => {
    const [person, other] = [await someone(), await someone()]
    const session = await server.as(person.name)
    const contactId = await makeContact(db, 'Da casa')
    const both = [person.id, other.id]
    await sql`insert into queue_turn (queue_id, user_id) select ${sales}, unnest(${both}::int[])`
    await sql`insert into user_substitute (user_id, queue_id, substitute_id) values (${person.id}, ${sales}, ${other.id}), (${other.id}, ${sales}, ${person.id})`
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) values (${contactId}, ${sales}, ${person.id})`
    await sql`
      insert into push_subscription (user_id, family, endpoint, p256dh, auth)
      select ${person.id}, family, 'https://push.example/1', 'x', 'y' from refresh_token where user_id = ${person.id}`
    expect((await marina.call('DELETE', `/users/${person.id}`)).status).toBe(204)
    const [left] = await sql`
      select (select count(*)::int from queue_turn where user_id = u.id) as turns,
        (select count(*)::int from user_queue where user_id = u.id) as queues,
        (select count(*)::int from user_substitute where u.id in (user_id, substitute_id)) as substitutes,
        (select count(*)::int from contact_redirect where user_id = u.id) as redirects,
        (select count(*)::int from push_subscription where user_id = u.id) as devices,
        (select count(*)::int from refresh_token where user_id = u.id and revoked_at is null) as sessions,
        email_sealed as email, password_hash as password, name, active from "user" u where id = ${person.id}`
    expect({ ...left }).toEqual({
      ...{ turns: 0, queues: 0, substitutes: 0, redirects: 0, devices: 0, sessions: 0 },
      ...{ email: '', password: '', name: person.name, active: false },
    })
    expect((await session.call('POST', '/auth/refresh_token')).status).toBe(401)
    expect([...(await sql`select 1 from queue_turn where user_id = ${other.id}`)]).toHaveLength(1)
  })

  test('the picture goes from the disk, and from wherever it was shown', async () => {
    const { id, name } = await someone()
    const { profilePicUrl } = (await (await server.as(name)).call<User>('POST', `/users/picture/${id}`, aPicture()))
      .body
    const file = await openMedia({ db, dataDir: config.dataDir }, String(profilePicUrl).split('/').at(-1) ?? '')
    expect(existsSync(file?.path ?? '')).toBe(true)
    expect((await marina.call('DELETE', `/users/${id}`)).status).toBe(204)
    expect((await marina.call('GET', String(profilePicUrl))).status).toBe(404)
    await sweepFiles({ db, dataDir: config.dataDir })
    expect(existsSync(file?.path ?? '')).toBe(false)
    const [left] = await sql`select profile_pic_url from "user" where id = ${id}`
    expect(left?.profile_pic_url).toBeNull()
  })

  test('nobody deletes himself', async () => {
    const { body } = await marina.call<{ users: User[] }>('GET', `/users?searchParam=${toEmail('Marina')}`)
    expect((await marina.call('DELETE', `/users/${body.users[0]?.id}`)).body.error).toBe('ERR_NO_PERMISSION')
  })
})

describe('at the same moment', () => {
  test('who is deactivated, loses the queue or is deleted while accepting ends up without the ticket', async () => {
    for (const act of [
      (id: number) => put(marina, id, { active: false }),
      (id: number) => put(marina, id, { queueIds: [] }),
      (id: number) => marina.call('DELETE', `/users/${id}`),
    ]) {
      const people = await Promise.all(Array.from({ length: 2 }, () => someone()))
      await Promise.all(
        people.map(async ({ id, name }) => {
          const self = await server.as(name)
          const ids = [await aTicketOf(null, sales, 'pending'), await aTicketOf(null, sales, 'pending')]
          const [accepted] = await Promise.all([
            ...ids.map(ticket => self.call('PUT', `/tickets/${ticket}`, { status: 'open', userId: id })),
            act(id),
          ])
          expect([200, 401, 403, 404, 422]).toContain(accepted?.status ?? 0)
          expect(await where(...ids)).toEqual(ids.map(() => ['pending', null, sales]))
        }),
      )
    }
  })

  test('a ticket given to somebody waits for who lets that one out, and then finds nobody', async () => {
    const person = await someone()
    const ticket = await aTicketOf(null, sales, 'pending')
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const letting = db.transaction(async tx => {
      await tx.execute(`select 1 from "user" where id = ${person.id} for no key update`)
      locked.resolve()
      await held.promise
      await tx.execute(`update "user" set active = false where id = ${person.id}`)
    })
    await locked.promise
    const giving = marina.call('PUT', `/tickets/${ticket}`, {
      status: 'open',
      userId: person.id,
      queueId: sales,
      transferMessage: 'para você',
    })
    await waitUntil('somebody waits for a lock', async () => (await countLockWaits(sql)) > 0)
    held.resolve()
    await letting
    expect((await giving).body.error).toBe('ERR_NO_USER_FOUND')
    expect(await where(ticket)).toEqual([['pending', null, sales]])
  })

  test('two hundred saves of ten people at once: each is done or told that it comes too late, and the version counts those done', async () => {
    const folk = await Promise.all(Array.from({ length: 10 }, () => someone()))
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const { id = 0 } = folk[n % folk.length] ?? {}
        return put<ApiAnswer['body']>(marina, id, { name: `Vez ${n}`, queueIds: n % 2 ? [sales] : [finance] })
      }),
    )
    const done = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
    for (const { status, body } of answers)
      expect([200, 503]).toContain(status === 503 && body.error !== 'ERR_BUSY' ? 0 : status)
    for (const [at, { id }] of folk.entries()) {
      const { name, queueIds, version } = (await marina.call<User>('GET', `/users/${id}`)).body
      const n = Number(name.replace('Vez ', ''))
      const own = done.filter(each => each % folk.length === at)
      expect([own.includes(n), queueIds, version]).toEqual([true, n % 2 ? [sales] : [finance], own.length + 1])
    }
    const queues = (await marina.call<Queue[]>('GET', '/queue')).body
    const [row] = await sql`
      select (payload::jsonb->'queue'->>'users')::int as users from live_event
      where payload like '{"event":"queue"%' and (payload::jsonb->'queue'->>'id')::int = ${sales} order by id desc limit 1`
    expect(row?.users).toBe(queues.find(({ id }) => id === sales)?.users)
  })

  test('a queue that goes away while somebody is given it is not there', async () => {
    const person = await someone()
    const gone = await makeQueue(db, `Some${person.id}`)
    const answer = await whileGoing(gone, () => put<ApiAnswer['body']>(marina, person.id, { queueIds: [gone] }))
    expect([answer.status, answer.body.error]).toEqual([404, 'ERR_NO_QUEUE_FOUND'])
  })

  test('two administrators deactivate each the other’s substitute: both are out, every ticket waits or is somebody’s who is in', async () => {
    const [one, other] = [await someone(), await someone()]
    const tickets = [await aTicketOf(one.id, sales), await aTicketOf(other.id, sales)]
    const answers = await Promise.all([
      put(marina, one.id, { active: false, substitution: [row(sales, other.id)] }),
      put(owner, other.id, { active: false, substitution: [row(sales, one.id)] }),
    ])
    // Who comes second would name somebody who is out by then, and is told so.
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    const second = answers[0]?.status === 422 ? one : other
    expect((await put(owner, second.id, { active: false })).status).toBe(200)
    expect((await where(...tickets)).map(([status, user]) => [status, user])).toEqual([
      ['pending', null],
      ['pending', null],
    ])
  })
})

async function somebodyWaits(): Promise<void> {
  await waitUntil('somebody waits for a lock', async () => (await countLockWaits(sql)) > 0)
}

/** Asks for something while a queue is being deleted, and lets that end once somebody waits for it. */
async function whileGoing<T>(queueId: number, ask: () => Promise<T>): Promise<T> {
  const reached = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const deleting = db.transaction(async tx => {
    await tx.execute(`delete from queue where id = ${queueId}`)
    locked.resolve()
    await reached.promise
  })
  await locked.promise
  const answer = ask()
  await somebodyWaits()
  reached.resolve()
  await deleting
  return answer
}

function row(name: number, value: number) {
  return { name, value, transfer: true }
}

async function listEvents(action: string, userId: number): Promise<unknown[]> {
  const rows = await sql<
    { payload: string }[]
  >`select payload from live_event where payload like '{"event":"user"%' order by id`
  return rows
    .map(({ payload }) => JSON.parse(payload))
    .filter(event => event.action === action && event.user?.id === userId)
}

function signIn(email: string, password: string) {
  return createBrowser(url).call('POST', '/auth/login', { email, password })
}

function aPicture(): FormData {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const data = new FormData()
  data.append('medias', new Blob([Buffer.from(png, 'base64')], { type: 'image/png' }), 'eu.png')
  return data
}

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

/** A person's open screen: what it heard, and how it ended. */
async function openSocket(person: SignedInPerson) {
  const { token } = (await person.call<{ token: string }>('POST', '/auth/socket')).body
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket?token=${token}`)
  const frames: ServerFrame[] = []
  const events: LiveEvent[] = []
  const closed = new Promise<[number, string]>(resolve => {
    socket.onclose = ({ code, reason }) => resolve([code, reason])
  })
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', cursor: null }))
  socket.onmessage = ({ data }) => {
    const frame: ServerFrame = JSON.parse(String(data))
    frames.push(frame)
    if (frame.type === 'events') events.push(...frame.events)
  }
  const framed = (fits: (frame: ServerFrame) => boolean) => waitUntil('a frame', () => frames.some(fits))
  await framed(frame => frame.type === 'welcome')
  return {
    events,
    closed,
    framed,
    heard: (fits: (event: LiveEvent) => boolean) => waitUntil('an event', () => events.some(fits)),
    close: () => socket.close(),
  }
}
