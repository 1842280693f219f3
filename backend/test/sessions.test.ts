// Signing in, staying in and being shut out (spec 1 §4 "Authentication", decisions §2).
import { beforeAll, describe, expect, test } from 'bun:test'
import { sealWire } from '@balcao/contract'
import { storeRefreshToken } from '../src/policy/sessions/families.ts'
import { consumeSocketToken } from '../src/policy/sessions/socket-token.ts'
import { clearCookies, createAccessToken, setCookies } from '../src/policy/sessions/tokens.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { createBrowser, startDeskServer } from './desk-server.ts'
import { makePerson, PASSWORD, toEmail } from './desk-world.ts'

const server = await startDeskServer()
const { db, url, config } = server

beforeAll(async () => {
  for (const name of ['Marina', 'Bruna', 'Carlos', 'Davi']) await makePerson(db, { name, profile: 'user' })
  await makePerson(db, { name: 'Inativa', profile: 'user', active: false })
})

describe('signing in', () => {
  test('takes e-mail and password plain or in the wire format', async () => {
    const plain = await createBrowser(url).call('POST', '/auth/login', { email: toEmail('Marina'), password: PASSWORD })
    const sealed = await createBrowser(url).call('POST', '/auth/login', {
      email: await sealWire(config.sharedSecret, toEmail('Marina')),
      password: await sealWire(config.sharedSecret, PASSWORD),
    })
    expect([plain.status, sealed.status]).toEqual([200, 200])
  })

  test('never says whether the account or the password is wrong', async () => {
    const wrong = await createBrowser(url).call('POST', '/auth/login', { email: toEmail('Carlos'), password: 'x' })
    const nobody = await createBrowser(url).call('POST', '/auth/login', { email: 'ninguem@x.example', password: 'x' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual(nobody.body)
  })

  test('refuses an inactive person by name of the reason', async () => {
    const { status, body } = await createBrowser(url).call('POST', '/auth/login', {
      email: toEmail('Inativa'),
      password: PASSWORD,
    })
    expect([status, body.error]).toEqual([401, 'ERR_USER_NO_ACTIVE'])
  })

  test('refuses a person outside working hours', async () => {
    await db.$client`update "user" set weekdays = false, saturday = false, sunday = false where name = 'Davi'`
    const { body } = await createBrowser(url).call('POST', '/auth/login', {
      email: toEmail('Davi'),
      password: PASSWORD,
    })
    expect(body.error).toBe('ERR_INVALID_WORKING_TIME')
  })

  test('refuses on a holiday who does not work on holidays, and renews no session', async () => {
    const id = await makePerson(db, { name: 'Feriada', profile: 'user' })
    const feriada = await server.as('Feriada')
    await db.$client`update "user" set holidays = false where id = ${id}`
    // Around midnight it is tomorrow before the answer comes.
    const days = [0, 86_400_000].map(away =>
      new Date(Date.now() + away).toLocaleDateString('en-CA', { timeZone: 'America/Sao_Paulo' }),
    )
    const dates = JSON.stringify(days.map(date => ({ date, name: 'Festa da padroeira', open: false })))
    await db.$client`insert into setting (key, value) values ('holidayDates', ${dates})`
    clearSettingsCache(db)
    const again = { email: toEmail('Feriada'), password: PASSWORD }
    const answers = [
      await createBrowser(url).call('POST', '/auth/login', again),
      await feriada.call('POST', '/auth/refresh_token'),
    ]
    await db.$client`delete from setting where key = 'holidayDates'`
    clearSettingsCache(db)
    expect(answers.map(({ body }) => body.error)).toEqual(['ERR_INVALID_WORKING_TIME', 'ERR_INVALID_WORKING_TIME'])
    expect((await createBrowser(url).call('POST', '/auth/login', again)).status).toBe(200)
  })

  test('makes somebody wait after five wrong passwords, and says how long', async () => {
    await makePerson(db, { name: 'Atacada', profile: 'user' })
    const attempt = { email: toEmail('Atacada'), password: 'errada' }
    for (let n = 0; n < 5; n++) await createBrowser(url).call('POST', '/auth/login', attempt)
    const { status, body, headers } = await createBrowser(url).call('POST', '/auth/login', {
      ...attempt,
      password: PASSWORD,
    })
    expect([status, body.error]).toEqual([429, 'ERR_TOO_MANY_ATTEMPTS'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('a session', () => {
  test('is renewed by its cookie, which is good once', async () => {
    const bruna = await server.as('Bruna')
    const old = new Map(bruna.cookies)
    const renewed = await bruna.call<{ token: string }>('POST', '/auth/refresh_token')
    expect(renewed.status).toBe(200)
    expect(bruna.cookies.get('balcao_refresh')).not.toBe(old.get('balcao_refresh'))

    const thief = createBrowser(url)
    thief.cookies = old
    expect((await thief.call('POST', '/auth/refresh_token')).body.error).toBe('ERR_SESSION_EXPIRED')
    bruna.token = renewed.body.token
    expect((await bruna.call('GET', '/queue')).status).toBe(401)
    expect((await bruna.call('POST', '/auth/refresh_token')).status).toBe(401)
  })

  test('is renewed by the same attempt again, for who got no answer to it, and by no other', async () => {
    const bruna = await server.as('Bruna')
    const old = new Map(bruna.cookies)
    const renew = (attempt: string) => {
      bruna.cookies = new Map(old)
      return bruna.call<{ token: string; error?: string }>('POST', '/auth/refresh_token', { attempt })
    }
    expect((await renew('first')).status).toBe(200)
    const again = await renew('first')
    expect(again.status).toBe(200)
    bruna.token = again.body.token
    expect((await bruna.call('POST', '/auth/refresh_token', { attempt: 'first' })).status).toBe(200)
    expect((await renew('second')).body.error).toBe('ERR_SESSION_EXPIRED')
    expect((await bruna.call('GET', '/queue')).status).toBe(401)
  })

  test('survives two tabs that renew it at the same moment', async () => {
    const bruna = await server.as('Bruna')
    const other = createBrowser(url)
    other.cookies = new Map(bruna.cookies)
    const both = await Promise.all([
      bruna.call('POST', '/auth/refresh_token'),
      other.call('POST', '/auth/refresh_token'),
    ])
    expect(both.map(answer => answer.status)).toEqual([200, 200])
  })

  test('tells an access token that ran out from one that never was', async () => {
    const bruna = await server.as('Bruna')
    const [row] = await db.$client<{ user_id: number; family: string }[]>`
      select user_id, family from refresh_token order by id desc limit 1`
    bruna.token = await createAccessToken(config, { userId: row?.user_id ?? 0, family: row?.family ?? '' }, -1)
    expect(await errorOf(bruna)).toEqual([403, 'ERR_TOKEN_EXPIRED'])
    bruna.token = `${bruna.token}x`
    expect(await errorOf(bruna)).toEqual([401, 'ERR_SESSION_EXPIRED'])
    bruna.token = await createAccessToken(
      { ...config, jwtSecret: 'de outra pessoa qualquer' },
      { userId: 1, family: 'x' },
    )
    expect(await errorOf(bruna)).toEqual([401, 'ERR_SESSION_EXPIRED'])
  })

  test('ends with the log-out, for the access token too', async () => {
    const bruna = await server.as('Bruna')
    const goodbye = await bruna.call('DELETE', '/auth/logout')
    expect([goodbye.status, goodbye.headers.get('clear-site-data')]).toEqual([204, '"cache"'])
    // That Bruna was here the browser may go on saying: it opens nothing.
    expect([...bruna.cookies.keys()].filter(name => !name.startsWith('balcao_device_'))).toEqual([])
    expect(await errorOf(bruna)).toEqual([401, 'ERR_SESSION_EXPIRED'])
  })

  test('ends with the next sign-in at the same browser, and its renewal that comes late leaves the new one alone', async () => {
    const browser = await server.as('Marina')
    const late = createBrowser(url)
    late.cookies = new Map(browser.cookies)
    const wrong = await browser.call('POST', '/auth/login', { email: toEmail('Bruna'), password: 'errada' })
    expect([wrong.status, (await browser.call('GET', '/queue')).status]).toEqual([401, 200])

    const { body, headers } = await browser.call<{ token: string }>('POST', '/auth/login', {
      email: toEmail('Bruna'),
      password: PASSWORD,
    })
    expect(headers.get('clear-site-data')).toBe('"cache"')
    expect(await errorOf(browser)).toEqual([401, 'ERR_SESSION_EXPIRED'])
    const renewal = await late.call('POST', '/auth/refresh_token')
    expect([renewal.status, renewal.headers.getSetCookie()]).toEqual([401, []])
    browser.token = body.token
    expect((await browser.call('GET', '/queue')).status).toBe(200)
    expect((await browser.call('POST', '/auth/refresh_token')).status).toBe(200)
  })

  test('is worth nothing once the person is deactivated', async () => {
    const carlos = await server.as('Carlos')
    await db.$client`update "user" set active = false where name = 'Carlos'`
    expect(await errorOf(carlos)).toEqual([401, 'ERR_USER_NO_ACTIVE'])
  })

  test('opens one socket per socket token', async () => {
    const bruna = await server.as('Bruna')
    const { token } = (await bruna.call<{ token: string }>('POST', '/auth/socket')).body
    expect(await welcomed(token)).toBe(true)
    expect(await welcomed(token)).toBe(false)
    expect(await welcomed('invented')).toBe(false)
  })

  test('refuses a socket to pages of other sites', async () => {
    const bruna = await server.as('Bruna')
    const { token } = (await bruna.call<{ token: string }>('POST', '/auth/socket')).body
    const answer = await fetch(`${url}/socket?token=${token}`, {
      headers: {
        origin: 'https://evil.example',
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    })
    expect(answer.status).toBe(403)
  })
})

async function errorOf(person: Awaited<ReturnType<typeof server.as>>): Promise<[number, unknown]> {
  const { status, body } = await person.call('GET', '/queue')
  return [status, body.error]
}

/** Whether a socket with this token is welcomed after its hello. */
function welcomed(token: string): Promise<boolean> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket?token=${token}`)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', cursor: null }))
  socket.onmessage = ({ data }) => {
    if (JSON.parse(String(data)).type !== 'welcome') return
    resolve(true)
    socket.close()
  }
  socket.onclose = () => resolve(false)
  return promise
}

test('behind https the cookies of a session go over https alone, to no other site, and scripts read only the one that opens nothing', async () => {
  const config = { ...server.config, publicUrl: 'https://desk.example.com' }
  const headers = new Headers()
  await setCookies(headers, config, 'x', { userId: 1, family: 'y' })
  clearCookies(headers, config)
  const cookies = headers.getSetCookie()
  expect(cookies).toHaveLength(6)
  for (const cookie of cookies) {
    expect(cookie).toEndWith('; SameSite=Strict; Secure')
    expect(cookie.includes('; HttpOnly')).toBe(!cookie.startsWith('balcao_renewal='))
  }
})

test('who proved a password that was changed meanwhile is not let in', async () => {
  const [davi] = await db.$client<{ id: number }[]>`select id from "user" where name = 'Davi'`
  const claims = { userId: davi?.id ?? 0, family: crypto.randomUUID(), token: 'x' }
  const refused = await storeRefreshToken(db, claims, { passwordHash: 'the one before' }).catch(String)
  expect(refused).toContain('ERR_INVALID_CREDENTIALS')
})

test('a token for a socket opens none after its minute', async () => {
  const marina = await server.as('Marina')
  const { body } = await marina.call<{ token: string }>('POST', '/auth/socket')
  await db.$client`update socket_token set expires_at = now() - interval '1 second'`
  expect(await consumeSocketToken({ db }, body.token)).toBeNull()
})
