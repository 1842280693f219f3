// Who may change what of a person (spec 2 §6).
import { describe, expect, test } from 'bun:test'
import type { LiveEvent, User } from '@balcao/contract'
import { type ApiAnswer, createBrowser } from './desk-server.ts'
import { makeContact, PASSWORD, toEmail } from './desk-world.ts'
import { NEW, row, startUsersDesk } from './users-desk.ts'

const {
  server,
  db,
  url,
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
  somebodyWaits,
  signIn,
  openSocket,
} = await startUsersDesk()

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
