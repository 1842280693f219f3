// A page of another site can send forms with a browser's cookies. None of its forms signs anybody in or out.
import { beforeAll, describe, expect, test } from 'bun:test'
import { createSecureHeaders } from '../src/platform/http/headers.ts'
import { startDeskServer } from './desk-server.ts'
import { makePerson, PASSWORD, toEmail } from './desk-world.ts'

const { db, port } = await startDeskServer({ PUBLIC_URL: 'https://balcao.example' })
const url = `http://127.0.0.1:${port}`
const json = { 'content-type': 'application/json' }
const signIn = () => JSON.stringify({ email: toEmail('Bruna'), password: PASSWORD })

beforeAll(async () => {
  await makePerson(db, { name: 'Bruna', profile: 'user' })
})

async function send(path: string, body: string, headers: Record<string, string | undefined>, method = 'POST') {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  )
  const answer = await fetch(url + path, { method, body, headers: pairs })
  return [answer.status, answer.headers.getSetCookie().length > 0]
}

describe('signing in', () => {
  test('takes JSON that calls itself so, and no form', async () => {
    expect(await send('/auth/login', signIn(), json)).toEqual([200, true])
    expect(await send('/auth/login', signIn(), { 'content-type': 'application/json; charset=utf-8' })).toEqual([
      200,
      true,
    ])
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
      'text/json',
    ])
      expect([type, await send('/auth/login', signIn(), { 'content-type': type })]).toEqual([type, [400, false]])
    expect(await send('/auth/login', new TextDecoder().decode(new TextEncoder().encode(signIn())), {})).toEqual([
      400,
      false,
    ])
  })

  test('from a page of another site is refused, whatever it calls itself', async () => {
    for (const from of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.balcao.example' },
      { origin: url, 'sec-fetch-site': 'cross-site' },
    ])
      expect([from, await send('/auth/login', signIn(), { ...json, ...from })]).toEqual([from, [403, false]])
  })

  test('from a page of ours and from a program is taken', async () => {
    for (const from of [
      {},
      { origin: url, 'sec-fetch-site': 'same-origin' },
      { origin: url },
      { origin: 'https://balcao.example' },
      { origin: 'https://balcao.example', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ])
      expect([from, await send('/auth/login', signIn(), { ...json, ...from })]).toEqual([from, [200, true]])
  })
})

test('neither is a session renewed, nor ended, for a page of another site', async () => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect(await send('/auth/refresh_token', '', foreign)).toEqual([403, false])
  expect(await send('/auth/logout', '', foreign, 'DELETE')).toEqual([403, false])
})

describe('a desk that is reached over https', () => {
  test('says with every answer that it is asked over nothing else', async () => {
    for (const path of ['/health', '/system', '/nothing', '/tickets', '/media/x'])
      expect((await fetch(url + path)).headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('is the only one to say so', () => {
    for (const publicUrl of [null, 'http://balcao.example'])
      expect(createSecureHeaders(publicUrl)(new Response()).headers.has('strict-transport-security')).toBe(false)
  })
})
