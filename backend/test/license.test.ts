// The blocked system (decisions §2): a licence service on a local port, and the server that asks it.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { type License, type LicenseOptions, startLicense } from '../src/policy/license/license.ts'
import { createBrowser, startDeskServer } from './desk-server.ts'
import { makePerson, PASSWORD, toEmail } from './desk-world.ts'
import { makeTestFolder } from './test-folder.ts'
import { waitUntil } from './until.ts'

const home = makeTestFolder()

const HOUR = 3600_000
let status = 'OK'
const requests: string[] = []
const service = Bun.serve({
  port: 0,
  fetch(request) {
    requests.push(new URL(request.url).pathname)
    return status === 'down' ? new Response('gone', { status: 502 }) : Response.json({ status })
  },
})
const running: License[] = []
afterAll(async () => {
  await service.stop(true)
  for (const license of running) license.stop()
})

const server = await startDeskServer({
  LICENSE_URL: `${service.url.origin}/clientes`,
  COMPANY_TAX_ID: '12.345.678/0001-95',
})

describe('a licence service', () => {
  test('is asked for the tax id; OK lets everybody in', async () => {
    await makePerson(server.db, { name: 'Bruna', profile: 'user' })
    const bruna = await server.as('Bruna')
    expect((await bruna.call('GET', '/queue')).status).toBe(200)
    await waitUntil('the service is asked', () => requests.includes('/clientes/12345678000195'))
  })

  test('any other word blocks sign-in, renewal and running sessions, and says so before anybody signs in', async () => {
    const bruna = await server.as('Bruna')
    status = 'SUSPENDED'
    await server.license.check()
    expect((await createBrowser(server.url).call('GET', '/system')).body.blocked).toBe(true)
    const refused = [
      createBrowser(server.url).call('POST', '/auth/login', { email: toEmail('Bruna'), password: PASSWORD }),
      bruna.call('GET', '/queue'),
      bruna.call('POST', '/auth/refresh_token'),
      bruna.call('POST', '/auth/socket'),
    ]
    for (const call of refused) {
      const { status: code, body } = await call
      expect([code, body.error]).toEqual([403, 'ERR_SYSTEM_BLOCKED'])
    }
    status = 'OK'
    await server.license.check()
    expect((await bruna.call('GET', '/queue')).status).toBe(200)
  })

  test('that cannot be reached blocks nobody who was not blocked', async () => {
    status = 'down'
    const license = start(await folder())
    await license.check()
    expect(license.blocked()).toBe(false)
  })

  test('that cannot be reached leaves its last word standing for 72 hours, over a restart too', async () => {
    const dataDir = await folder()
    let now = Date.now()
    const clock = () => now
    status = 'SUSPENDED'
    const before = start(dataDir, { now: clock })
    await before.check()
    status = 'down'
    const after = start(dataDir, { now: clock })
    await after.check()
    now += 71 * HOUR
    expect([before.blocked(), after.blocked()]).toEqual([true, true])
    now += 2 * HOUR
    expect([before.blocked(), after.blocked()]).toEqual([false, false])
  })

  test('is told once that the system was blocked', async () => {
    let notices = 0
    status = 'OK'
    const license = start(await folder(), { onBlocked: () => notices++ })
    await license.check()
    status = 'SUSPENDED'
    await license.check()
    await license.check()
    expect(notices).toBe(1)
  })

  test('is not there unless LICENSE_URL is set: never blocked', () => {
    expect(start('/nowhere', { url: null }).blocked()).toBe(false)
  })
})

function start(dataDir: string, options: Partial<LicenseOptions> = {}): License {
  const log = { warn: () => {} }
  const license = startLicense({
    url: `${service.url.origin}/clientes`,
    taxId: '12345678000195',
    dataDir,
    onBlocked: () => {},
    log,
    ...options,
  })
  running.push(license)
  return license
}

function folder(): Promise<string> {
  return mkdtemp(join(home, 'license-'))
}
