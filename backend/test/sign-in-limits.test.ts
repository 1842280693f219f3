// Guesses at passwords: counted before they are checked, by account and by address, and never so that a stranger locks the company out.
import { beforeAll, describe, expect, test } from 'bun:test'
import { parseNetworks, resolveClientAddress, toNetworkAddress } from '../src/platform/http/addresses.ts'
import { createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson, PASSWORD, toEmail } from './desk-world.ts'

const server = await startDeskServer({ TRUSTED_PROXIES: '10.0.0.0/8' })
const { db, url } = server

beforeAll(async () => {
  for (const name of ['Alvo', 'Bruna', 'Carla', 'Diego']) await makePerson(db, { name, profile: 'user' })
})

describe('many guesses at once', () => {
  test('of 300 at one account five are checked, all others are told to wait', async () => {
    const all = await Promise.all(Array.from({ length: 300 }, (_, n) => attempt('Alvo', `errada ${n}`, '198.51.100.1')))
    expect(tally(all.map(answer => answer.status))).toEqual({ 401: 5, 429: 295 })
    expect(all.every(({ status, headers }) => status === 401 || Number(headers.get('retry-after')) > 0)).toBe(true)
  })

  test('at many accounts from one address thirty are checked; of IPv6 a whole network is one address', async () => {
    for (const address of [() => '198.51.100.2', (n: number) => `2001:db8:0:7::${n.toString(16)}`]) {
      const all = Array.from({ length: 60 }, (_, n) => attempt(`ninguem${address(0)}${n}`, 'errada', address(n)))
      expect(tally((await Promise.all(all)).map(answer => answer.status))).toEqual({ 401: 30, 429: 30 })
    }
  })

  test('forty colleagues who come in together from one address all come in', async () => {
    const all = Array.from({ length: 40 }, () => attempt('Bruna', PASSWORD, '198.51.100.3'))
    expect(tally((await Promise.all(all)).map(answer => answer.status))).toEqual({ 200: 40 })
  })

  test('of 50 at the current password of an open desk five are checked', async () => {
    const diego = await server.as('Diego')
    const [row] = await db.$client<{ id: number }[]>`select id from "user" where name = 'Diego'`
    const change = { currentPassword: 'errada', password: 'Outra@1234' }
    const all = await Promise.all(Array.from({ length: 50 }, () => diego.call('PUT', `/users/${row?.id}`, change)))
    expect(tally(all.map(answer => answer.status))).toEqual({ 422: 5, 429: 45 })
  })
})

describe('a stranger who guesses', () => {
  test('locks nobody out of a device where that account was signed in; its own guesses are counted, too', async () => {
    const known = createBrowser(url)
    expect((await attempt('Carla', PASSWORD, '198.51.100.4', known)).status).toBe(200)
    for (let n = 0; n < 6; n++) await attempt('Carla', 'errada', '198.51.100.4')
    for (let n = 0; n < 30; n++) await attempt(`ninguem${n}`, 'errada', '198.51.100.4')
    expect((await attempt('Carla', PASSWORD, '198.51.100.4')).status).toBe(429)
    expect((await attempt('Carla', PASSWORD, '198.51.100.4', known)).status).toBe(200)
    const answers = []
    for (let n = 0; n < 7; n++) answers.push((await attempt('Carla', 'errada', '198.51.100.4', known)).status)
    expect(tally(answers)).toEqual({ 401: 5, 429: 2 })
    expect((await attempt('Bruna', 'errada', '198.51.100.5', known)).status).toBe(401)
  })

  test('keeps no program with the right token out, whatever address both have', async () => {
    const marina = await server.as('Dono')
    const { body } = await marina.call<{ value: string }>('PUT', '/settings/userApiToken', { value: 'new' })
    const send = (token: string) =>
      fetch(`${url}/api/messages/send`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    for (let n = 0; n < 6; n++) await send(`blc_${n}`)
    expect((await send('blc_x')).status).toBe(429)
    expect([401, 429]).not.toContain((await send(body.value)).status)
  })
})

describe('whose address it is', () => {
  test('is read from the right, only as far as the hops are trusted', () => {
    const { networks } = parseNetworks(['10.0.0.0/8', 'fd00::/8', '192.0.2.7'])
    const from = (direct: string, header?: string) =>
      resolveClientAddress(new Headers(header === undefined ? {} : { 'x-forwarded-for': header }), direct, networks)
    expect(from('198.51.100.7', '203.0.113.1')).toBe('198.51.100.7')
    expect(from('::ffff:127.0.0.1', '203.0.113.1')).toBe('203.0.113.1')
    expect(from('10.1.1.1', '6.6.6.6, 203.0.113.1, 192.0.2.7')).toBe('203.0.113.1')
    expect(from('fd00::5', '6.6.6.6, 203.0.113.1:4711')).toBe('203.0.113.1')
    expect(from('10.1.1.1', '[2001:db8::1]:4711')).toBe('2001:db8::1')
    expect(from('10.1.1.1', 'qualquer coisa')).toBe('10.1.1.1')
    expect(from('10.1.1.1')).toBe('10.1.1.1')
  })

  test('what is configured is an address or a network', () => {
    expect(parseNetworks(['10.0.0.0/33', 'proxy', '10.0.0.0/', '::1/64/2', '10.0.0.1']).wrong).toHaveLength(4)
    expect(toNetworkAddress('2001:db8::1')).toBe('2001:db8:0:0')
    expect(toNetworkAddress('2001:DB8:0:0:1:2:3:4')).toBe(toNetworkAddress('2001:db8::9'))
  })
})

function attempt(name: string, password: string, address: string, browser: SignedInPerson = createBrowser(url)) {
  return browser.call(
    'POST',
    '/auth/login',
    { email: toEmail(name), password },
    { 'x-forwarded-for': `${address}, 10.0.0.9` },
  )
}

function tally(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
