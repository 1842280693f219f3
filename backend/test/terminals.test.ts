// Tokens of terminals and the devices one is signed in on (decisions-2 §23 "Terminal").
import { describe, expect, test } from 'bun:test'
import type { Device } from '@balcao/contract'
import { resetLockedOut } from '../src/desk/users/locked-out.ts'
import { migrateInstallation } from '../src/platform/database/migrate-installation.ts'
import { createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson, PASSWORD, toEmail } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db, url } = server

await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Diego', profile: 'user' })
const marina = await server.as('Marina')

interface Terminal {
  readonly id: string
  readonly token: string
}

async function aTerminal(of: SignedInPerson, name = 'notebook da loja'): Promise<Terminal> {
  const { status, body } = await of.call<Terminal & Record<string, unknown>>('POST', '/auth/terminal', { name })
  expect(status).toBe(201)
  return body
}

/** Comes with a token, as a terminal does. */
async function comeWith(token: string) {
  const person = createBrowser(url)
  person.cookies.set('balcao_refresh', token)
  const { status, body } = await person.call<{ token: string; error?: string }>('POST', '/auth/refresh_token')
  person.token = body.token
  return { person, status, error: body.error }
}

const devicesOf = async (person: SignedInPerson) => (await person.call<Device[]>('GET', '/auth/devices')).body

describe('the token of a terminal', () => {
  test('stays as it is: it is taken again and again, also by two at once, and no cookie takes its place', async () => {
    const { token } = await aTerminal(marina)
    const both = await Promise.all([comeWith(token), comeWith(token)])
    const again = await comeWith(token)
    expect([...both, again].map(({ status }) => status)).toEqual([200, 200, 200])
    expect(again.person.cookies.get('balcao_refresh')).toBe(token)
    expect((await again.person.call('GET', '/queue')).status).toBe(200)
  })

  test('is good for 30 days from its last use', async () => {
    const { id, token } = await aTerminal(marina)
    await db.$client`update refresh_token set expires_at = now() + interval '1 hour' where family = ${id}`
    await comeWith(token)
    const [row] = await db.$client<{ days: number }[]>`
      select round(extract(epoch from expires_at - now()) / 86400)::int as days from refresh_token where family = ${id}`
    expect(row?.days).toBe(30)
  })

  test('is stored as a hash', async () => {
    const { token } = await aTerminal(marina)
    expect(await db.$client`select 1 from refresh_token where hash = ${token} or terminal = ${token}`).toHaveLength(0)
  })

  test('of somebody deactivated says so, and of a password that is for one sign-in there is none', async () => {
    const diego = await server.as('Diego')
    const { token } = await aTerminal(diego)
    await db.$client`update "user" set active = false where name = 'Diego'`
    expect(await comeWith(token)).toMatchObject({ status: 401, error: 'ERR_USER_NO_ACTIVE' })
    await db.$client`update "user" set active = true, must_change_password = true where name = 'Diego'`
    expect((await diego.call('POST', '/auth/terminal', { name: 'x' })).body.error).toBe('ERR_PASSWORD_CHANGE_REQUIRED')
    await db.$client`update "user" set must_change_password = false where name = 'Diego'`
  })
})

describe('devices', () => {
  test('are told by name, the one that asks among them, and ended one by one', async () => {
    const own = await server.as('Marina')
    const { id, token } = await aTerminal(own, 'servidor de relatórios')
    const { person: terminal } = await comeWith(token)
    const shown = (await devicesOf(terminal)).filter(each => each.id === id || each.current)
    expect(shown.map(({ terminal, current }) => [terminal, current])).toEqual([['servidor de relatórios', true]])
    const browsers = (await devicesOf(own)).filter(each => each.terminal === null)
    expect(browsers.filter(each => each.current)).toHaveLength(1)
    expect((await own.call('DELETE', `/auth/devices/${id}`)).status).toBe(204)
    expect(await comeWith(token)).toMatchObject({ status: 401, error: 'ERR_SESSION_EXPIRED' })
    expect((await terminal.call('GET', '/queue')).status).toBe(401)
    expect((await devicesOf(own)).map(each => each.id)).not.toContain(id)
    expect((await own.call('DELETE', `/auth/devices/${id}`)).body.error).toBe('ERR_NOT_FOUND')
  })

  test('of others are nobody’s to see or end', async () => {
    const { id, token } = await aTerminal(marina)
    const diego = await server.as('Diego')
    expect((await devicesOf(diego)).map(each => each.id)).not.toContain(id)
    for (const name of [id, '%00', "'", 'x'.repeat(200)])
      expect((await diego.call('DELETE', `/auth/devices/${name}`)).body.error).toBe('ERR_NOT_FOUND')
    expect((await comeWith(token)).status).toBe(200)
  })
})

describe('a token never outlives what it was given for', () => {
  const ended = 'update refresh_token set revoked_at = now() where revoked_at is null and user_id ='

  /** What is committed while somebody is just being given a token; the answer, and how many tokens are good after it. */
  async function meanwhile(
    name: string,
    change: string,
    ask: () => Promise<{ status: number; body: { error?: string } }>,
  ) {
    const [person] = await db.$client<{ id: number }[]>`select id from "user" where name = ${name}`
    const id = person?.id ?? 0
    let pending: ReturnType<typeof ask> | undefined
    await db.$client.begin(async tx => {
      await tx`select 1 from "user" where id = ${id} for no key update`
      await tx.unsafe(change.replaceAll('$id', String(id)))
      pending = ask()
      await Promise.race([pending, waitUntil('it waits', isWaiting, 30_000)])
    })
    const { status, body } = (await pending) ?? { status: 0, body: {} }
    const good = await db.$client`
      select 1 from refresh_token where user_id = ${id} and revoked_at is null and created_at > now() - interval '1 minute'`
    return [status, body.error, good.length]
  }

  const isWaiting = async () => (await countLockWaits(db.$client)) > 0

  async function somebodyNew(name: string): Promise<SignedInPerson> {
    await makePerson(db, { name, profile: 'user' })
    return server.as(name)
  }

  test('a terminal, by who is deactivated, or signed out there, meanwhile', async () => {
    const elsa = await somebodyNew('Elsa')
    const terminal = (of: SignedInPerson) => () => of.call<{ error?: string }>('POST', '/auth/terminal', { name: 'x' })
    const off = `update "user" set active = false where id = $id; ${ended} $id`
    expect(await meanwhile('Elsa', off, terminal(elsa))).toEqual([401, 'ERR_USER_NO_ACTIVE', 0])
    const fabio = await somebodyNew('Fábio')
    expect(await meanwhile('Fábio', `${ended} $id`, terminal(fabio))).toEqual([401, 'ERR_SESSION_EXPIRED', 0])
  })

  test('a session that goes on', async () => {
    const gil = await somebodyNew('Gil')
    const answer = await meanwhile('Gil', `${ended} $id`, () =>
      gil.call<{ error?: string }>('POST', '/auth/refresh_token'),
    )
    expect(answer).toEqual([401, 'ERR_SESSION_EXPIRED', 0])
  })

  test('a sign-in with a password that is another one by then', async () => {
    await somebodyNew('Hugo')
    const other = `update "user" set password_hash = 'another' where id = $id; ${ended} $id`
    const enter = () =>
      createBrowser(url).call<{ error?: string }>('POST', '/auth/login', { email: toEmail('Hugo'), password: PASSWORD })
    expect(await meanwhile('Hugo', other, enter)).toEqual([401, 'ERR_INVALID_CREDENTIALS', 0])
  })

  test('and of terminals one has 20, however many are asked for at once', async () => {
    const ivo = await somebodyNew('Ivo')
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => ivo.call<{ error?: string }>('POST', '/auth/terminal', { name: 'x' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { error: 'ERR_TOO_MANY_TERMINALS' },
    })
    const [one] = (await devicesOf(ivo)).filter(({ terminal }) => terminal !== null)
    await ivo.call('DELETE', `/auth/devices/${one?.id}`)
    await aTerminal(ivo)
  })
})

describe('on the server’s machine', () => {
  const { databaseUrl, dataDir, dataKey } = server.config
  const env = () => ({ DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, DATA_KEY: dataKey })

  test('decisions-2 §21 `reset-password`: a one-time password for who is locked out, and the sessions end', async () => {
    const { token } = await aTerminal(marina)
    const found = await resetLockedOut(env(), toEmail('Marina'))
    expect(found).toMatchObject({ name: 'Marina', active: true })
    expect((await comeWith(token)).error).toBe('ERR_SESSION_EXPIRED')
    const person = createBrowser(url)
    const entered = await person.call<{ user: { mustChangePassword: boolean } }>('POST', '/auth/login', {
      email: toEmail('Marina'),
      password: found?.password,
    })
    expect([entered.status, entered.body.user.mustChangePassword]).toEqual([200, true])
    const [log] = await db.$client`select action, user_id, source from log_entry order by id desc limit 1`
    expect(log).toMatchObject({ action: 'user.resetPassword', user_id: null, source: 'auto' })
    expect(await resetLockedOut(env(), 'ninguem@saojose.example')).toBeNull()
    expect((await person.call('POST', '/auth/login', { email: toEmail('Marina'), password: PASSWORD })).status).toBe(
      401,
    )
  })

  test('`migrate` of a database that is up to date applies nothing', async () => {
    const { applied, migrations } = await migrateInstallation(env())
    expect(applied).toBe(0)
    expect(migrations).toBeGreaterThan(50)
  })
})
