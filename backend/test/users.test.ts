// People of the company: the list, adding somebody, who may change what (spec 2 §2, §5, §6).
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { openWire, sealWire, type User, type UserDetails } from '@balcao/contract'
import type { ApiAnswer, SignedInPerson } from './desk-server.ts'
import { makeConnection, toEmail } from './desk-world.ts'
import { waitUntil } from './until.ts'
import { NEW, startUsersDesk } from './users-desk.ts'

const {
  server,
  db,
  config,
  sql,
  sales,
  finance,
  whatsappId,
  marina,
  owner,
  someone,
  aTicketOf,
  logged,
  put,
  messages,
  signIn,
  openSocket,
} = await startUsersDesk()

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

  test('a form that comes again under its clientId adds nobody, and says its one-time password until somebody used it', async () => {
    const form = { name: 'Célia', email: 'celia@x.example', clientId: 'celia-1' }
    const add = (body: object) => marina.call<User & { oneTimePassword: string | null }>('POST', '/users', body)
    const answers = [await add(form), ...(await Promise.all([add(form), add({ ...form, name: 'Célia Prado' })]))]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const [first] = answers.map(({ body }) => body)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(new Set(answers.map(({ body }) => body.oneTimePassword)).size).toBe(1)
    expect(first?.oneTimePassword).toMatch(/^[A-Z]{3}[a-z]{5}-\d{4}$/)
    const found = await sql<{ name: string }[]>`select name from "user" where id = ${first?.id ?? 0}`
    expect([found.map(({ name }) => name), await logged(first?.id ?? 0)]).toEqual([
      ['Célia Prado'],
      [
        ['user.create', null],
        ['user.update', expect.anything()],
      ],
    ])
    // Another form is another person, and of who has chosen a password nobody is told one.
    expect((await add({ ...form, clientId: 'celia-2' })).body).toMatchObject({ error: 'ERR_DUPLICATED_EMAIL' })
    await sql`update "user" set must_change_password = false where id = ${first?.id ?? 0}`
    expect((await add({ ...form, name: 'Célia Prado' })).body).toMatchObject({ id: first?.id, oneTimePassword: null })
  })

  test('what is kept of a form to know it again holds nothing that could be guessed from it', async () => {
    const form = { name: 'Elza', email: 'elza@x.example', password: NEW, clientId: 'elza-1' }
    expect((await marina.call('POST', '/users', form)).status).toBe(201)
    const { clientId: _, ...content } = form
    const [kept] = await sql<{ fingerprint: string }[]>`select fingerprint from api_request where key like '%elza-1'`
    expect(kept?.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(kept?.fingerprint).not.toBe(createHash('sha256').update(JSON.stringify(content)).digest('hex'))
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

async function listEvents(action: string, userId: number): Promise<unknown[]> {
  const rows = await sql<
    { payload: string }[]
  >`select payload from live_event where payload like '{"event":"user"%' order by id`
  return rows
    .map(({ payload }) => JSON.parse(payload))
    .filter(event => event.action === action && event.user?.id === userId)
}
