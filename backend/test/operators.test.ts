// /metrics and the details of /ready are for who may see them; everybody learns whether the server is ready, in one word.
import { expect, test } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../src/platform/config.ts'
import { isOperatorRequest } from '../src/platform/http/operators.ts'
import { startDeskServer } from './desk-server.ts'
import { makeTestFolder } from './test-folder.ts'

const home = makeTestFolder()

const server = await startDeskServer({
  METRICS_TOKEN: 'um-segredo-dos-operadores',
  METRICS_FROM: '127.0.0.1, 203.0.113.0/24',
  TRUSTED_PROXIES: '10.0.0.0/8',
})

test('unless a token or an address was configured nobody sees figures, from this machine neither', async () => {
  const config = readConfig({ DATA_DIR: await mkdtemp(join(home, 'config-')) })
  const request = new Request(`${server.url}/metrics`, { headers: { authorization: 'Bearer null' } })
  expect(isOperatorRequest(config, { request, direct: '127.0.0.1' })).toBe(false)
})

test('who may not see them learns whether the server is ready, in one word', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  const metrics = await fetch(`${server.url}/metrics`, { headers })
  expect([metrics.status, await metrics.json()]).toMatchObject([403, { error: 'ERR_NO_PERMISSION' }])
  const ready = await fetch(`${server.url}/ready`, { headers })
  expect([ready.status, await ready.text()]).toEqual([200, 'ready'])
})

test('the token shows them, a wrong one does not', async () => {
  const withToken = (token: string) => ({ authorization: `Bearer ${token}`, 'x-forwarded-for': '198.51.100.7' })
  expect(await seen(withToken('um-segredo-dos-operadores'))).toBe(true)
  expect(await seen(withToken('um-segredo-dos-operadorez'))).toBe(false)
  expect(await seen(withToken(''))).toBe(false)
})

test('so does an address, as a trusted proxy names it', async () => {
  expect(await seen({})).toBe(true)
  expect(await seen({ 'x-forwarded-for': '203.0.113.9' })).toBe(true)
  expect(await seen({ 'x-forwarded-for': '203.0.113.9, 10.1.2.3' })).toBe(true)
  expect(await seen({ 'x-forwarded-for': '198.51.100.7' })).toBe(false)
  expect(await seen({ 'x-forwarded-for': '203.0.113.9, 198.51.100.7' })).toBe(false)
})

test('a proxy on this machine opens them to nobody, whatever a stranger claims through it', async () => {
  for (const headers of [
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '127.0.0.1, 198.51.100.7' },
    { 'x-forwarded-for': '127.0.0.1, 10.1.2.3' },
    { 'x-real-ip': '198.51.100.7' },
    { forwarded: 'for=198.51.100.7' },
  ] as Record<string, string>[])
    expect([headers, await seen(headers)]).toEqual([headers, false])
})

async function seen(headers: Record<string, string>): Promise<boolean> {
  const metrics = await fetch(`${server.url}/metrics`, { headers })
  const ready = await fetch(`${server.url}/ready`, { headers })
  const [figures, details] = [await metrics.text(), await ready.text()]
  expect(ready.status).toBe(200)
  const both = [figures.includes('balcao_http_request_duration_seconds'), details.includes('"connections"')]
  expect(both[0]).toBe(both[1])
  expect(both[0] || details === 'ready').toBe(true)
  return both[0] === true
}
