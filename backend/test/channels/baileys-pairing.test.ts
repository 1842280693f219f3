// Pairing and unpairing of a linked device, and what lies in the database meanwhile.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { connect, createServer } from 'node:net'
import { createBaileysDriver } from '../../src/messaging/channels/baileys/driver.ts'
import { getSql } from '../../src/platform/database/raw.ts'
import { createTestDatabase } from '../database.ts'
import { type BaileysStandIn, GRAPH_UNUSED, QUICK, startBaileysStandIn } from './baileys-stand-in.ts'
import { ChannelDesk } from './desk.ts'

const { db } = await createTestDatabase()
let it: BaileysStandIn

beforeEach(async () => {
  it = await startBaileysStandIn(db, { qrMs: 400, codeMs: 3000 })
})
afterEach(async () => {
  await it.close()
})

const stored = async (type: string) => {
  const rows = await getSql(db)<{ key_id: string; value: string }[]>`
    select key_id, value::text as value from whatsapp_auth where whatsapp_id = ${it.desk.connection.id} and type = ${type}`
  return rows
}
const lastStatus = () => it.desk.status()?.status

describe('pairing without a way to WhatsApp', () => {
  test('is the network, says so, and is tried again: the code is shown when the way is back', async () => {
    const way = aWay()
    const desk = await ChannelDesk.open(db, 'baileys', { whatsappWebUrl: way.url, graph: GRAPH_UNUSED })
    const driver = createBaileysDriver(desk.host, { ...QUICK, connectMs: 250 })
    await driver.pair({ qr: true })
    for (const _ of [1, 2]) {
      const status = await desk.next('status', event => event.status === 'DISCONNECTED')
      expect(status.trouble).toMatchObject({ code: '408', reason: 'network', next: 'retry' })
      expect(status.trouble?.nextTryAt).not.toBeNull()
    }
    expect(desk.all('status').some(event => event.status === 'TIMEOUT')).toBe(false)
    way.open(it.world.url)
    await desk.next('status', event => event.qr !== undefined)
    await driver.stop()
    way.close()
    await desk.close()
  })

  test('by a code as well: who asked is told, and the code is shown when the way is back', async () => {
    const way = aWay()
    const desk = await ChannelDesk.open(db, 'baileys', { whatsappWebUrl: way.url, graph: GRAPH_UNUSED })
    const driver = createBaileysDriver(desk.host, { ...QUICK, connectMs: 250 })
    await expect(driver.pair({ phone: it.company.user })).rejects.toMatchObject({ code: 'timeout' })
    const status = await desk.next('status', event => event.status === 'DISCONNECTED')
    expect(status.trouble).toMatchObject({ reason: 'network', next: 'retry' })
    way.open(it.world.url)
    const shown = await desk.next('status', event => event.code !== undefined)
    expect([shown.status, shown.code]).toEqual(['PAIRING', expect.stringMatching(/^\w{8}$/)])
    await driver.stop()
    way.close()
    await desk.close()
  })
})

describe('pairing by QR', () => {
  test('a connection that was never paired waits and says what to do', async () => {
    await it.driver.start()
    const status = await it.desk.next('status', event => event.status === 'DISCONNECTED')
    expect(status.trouble).toMatchObject({ reason: 'qr_not_read', next: 'read_qr', nextTryAt: null })
  })

  test('told to renew its secret, it shows a new code, and only that one pairs', async () => {
    it.world.knobs.companionRegRefresh = 'scan'
    await it.driver.pair({ qr: true })
    const first = await it.desk.next('status', event => event.qr !== undefined)
    await it.company.scan(() => it.desk.all('status').findLast(event => event.qr)?.qr ?? '')
    const codes = it.desk.all('status').flatMap(event => (event.qr ? [event.qr] : []))
    expect(codes.at(-1)).not.toBe(first.qr)
    expect(first.qrExpiresAt).toBeGreaterThan(Date.now() - 1000)
    await it.desk.next('status', event => event.status === 'CONNECTED')
  })

  test('read off a screen that was behind, it does not pair; the next code does', async () => {
    await it.driver.pair({ qr: true })
    const shown = () => it.desk.all('status').findLast(event => event.qr)?.qr ?? ''
    await it.desk.next('status', event => event.qr !== undefined)
    let looks = 0
    await it.company.scan(() => (looks++ === 0 ? shown().replace(/,[^,]*,([^,]*)$/, ',AAAA,$1') : shown()))
    expect(looks).toBeGreaterThan(1)
    await it.desk.next('status', event => event.status === 'CONNECTED')
    const after = it.desk.all('status').slice(-2)
    expect(after.map(event => event.status)).toEqual(['PAIRING', 'CONNECTED'])
  })

  test('later codes of the same attempt carry the renewed secret', async () => {
    await it.driver.pair({ qr: true })
    const refs = () => new Set(it.desk.all('status').flatMap(event => event.qr?.split(',')[0] ?? []))
    await it.desk.until('a second code', () => refs().size > 1)
    const secrets = it.desk.all('status').flatMap(event => event.qr?.split(',')[3] ?? [])
    expect(new Set(secrets.slice(1)).size).toBe(1)
  })

  test('read, and WhatsApp is slow to go on: no other code is shown, and the pairing counts', async () => {
    it.world.knobs.restartMs = 60_000
    await it.driver.pair({ qr: true })
    const shown = () => it.desk.all('status').findLast(event => event.qr)?.qr ?? ''
    await it.desk.next('status', event => event.qr !== undefined)
    await it.company.scan(shown)
    await it.desk.next('status', event => event.status === 'PAIRING')
    await it.desk.next('status', event => event.status === 'CONNECTED')
    const since = it.desk.all('status').slice(it.desk.all('status').findIndex(event => event.status === 'PAIRING'))
    expect(since.map(event => event.status)).toEqual(['PAIRING', 'DISCONNECTED', 'OPENING', 'CONNECTED'])
    expect(since[1]?.trouble).toMatchObject({ reason: 'network', next: 'retry' })
  })

  test('read, and asked for anew before the line opened: another code is shown', async () => {
    it.world.knobs.restartMs = 60_000
    await it.driver.pair({ qr: true })
    await it.desk.next('status', event => event.qr !== undefined)
    await it.company.scan(() => it.desk.all('status').findLast(event => event.qr)?.qr ?? '')
    await it.desk.next('status', event => event.status === 'PAIRING')
    it.desk.forget()
    await it.driver.pair({ qr: true })
    await it.desk.next('status', event => event.qr !== undefined)
    expect(it.desk.all('status').map(event => event.status)[0]).toBe('OPENING')
  })

  test('codes nobody reads run out: TIMEOUT, and somebody has to read one', async () => {
    await it.driver.pair({ qr: true })
    const status = await it.desk.next('status', event => event.status === 'TIMEOUT')
    expect(status.trouble).toMatchObject({ code: '408', reason: 'qr_not_read', next: 'read_qr', nextTryAt: null })
    await it.connect()
  })
})

test('a server that takes the line and says nothing is given up and tried again', async () => {
  const silent = Bun.serve({
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response()),
    websocket: { message() {} },
  })
  const config = { ...it.desk.config, whatsappWebUrl: `ws://127.0.0.1:${silent.port}/` }
  const driver = createBaileysDriver({ ...it.desk.host, config }, { ...QUICK, watchdogMs: 150 })
  await driver.pair({ qr: true })
  await it.desk.until('tries', () => (it.desk.status()?.trouble?.attempt ?? 0) >= 2)
  expect(it.desk.status()?.trouble).toMatchObject({ reason: 'network', next: 'retry' })
  await driver.stop()
  await silent.stop(true)
})

describe('pairing by code', () => {
  test('eight characters, PAIRING until the phone has them, then CONNECTED', async () => {
    const codeEvent = it.world.timeline.next(event => event.type === 'pairing-code')
    const { code } = await it.driver.pair({ phone: '+55 31 3222-4010' })
    await codeEvent
    expect(code).toMatch(/^[0-9A-Z]{8}$/)
    expect(lastStatus()).toBe('PAIRING')
    const before = it.desk.all('status').length
    await it.company.enterCode(code ?? '')
    await it.desk.next('status', event => event.status === 'CONNECTED')
    // Typed: it is being linked, and no code waits any more.
    const since = it.desk.all('status').slice(before)
    expect(since.map(event => [event.status, event.code])).toEqual([
      ['PAIRING', undefined],
      ['CONNECTED', undefined],
    ])
  })

  test('given up, it leaves nothing with which the next start would log in', async () => {
    await it.driver.pair({ phone: '553132224010' })
    await it.desk.until('stored creds', () => lastStatus() === 'PAIRING')
    await it.driver.stop()
    const again = createBaileysDriver(it.desk.host, QUICK)
    it.desk.forget()
    await again.start()
    expect((await it.desk.next('status')).trouble?.reason).toBe('qr_not_read')
    await again.stop()
  })
})

describe('what is stored', () => {
  test('keys of every type, the pre-keys of the first login among them', async () => {
    await it.connect()
    await it.desk.until('settled', () => lastStatus() === 'CONNECTED')
    expect((await stored('creds')).length).toBe(1)
    expect((await stored('pre-key')).length).toBeGreaterThanOrEqual(800)
    await it.says({ type: 'text', text: 'Oi' })
    await it.desk.next('message')
    expect((await stored('session')).length).toBeGreaterThan(0)
    expect((await stored('lid-mapping')).length).toBeGreaterThan(0)
    expect((await stored('identity-key')).length).toBeGreaterThan(0)
  })

  test('unlinked on the phone: LOGGEDOUT, the keys are gone, nothing is tried', async () => {
    await it.connect()
    await it.unlink()
    const status = await it.desk.next('status', event => event.status === 'LOGGEDOUT')
    expect(status.trouble).toMatchObject({ code: '401', reason: 'logged_out', next: 'read_qr', nextTryAt: null })
    expect(await stored('creds')).toHaveLength(0)
    expect(await stored('session')).toHaveLength(0)
    it.desk.forget()
    await it.connect()
  })

  test('logged out at the desk: the phone no longer lists the device', async () => {
    await it.connect()
    const gone = it.world.timeline.next(event => event.type === 'logged-out' && event.by === 'device')
    await it.driver.logout()
    await gone
    expect(it.company.devices).toHaveLength(0)
    expect(lastStatus()).toBe('LOGGEDOUT')
    expect(await stored('creds')).toHaveLength(0)
  })

  test('an owner whose connection was taken over writes nothing and lets go', async () => {
    await it.connect()
    const before = await stored('session')
    await it.desk.takenOver()
    await it.says({ type: 'text', text: 'Quem me ouve?' })
    await it.desk.until('the line is closed', () => !it.company.devices[0]?.online)
    expect(await stored('session')).toEqual(before)
    expect(it.desk.logged).toContain('another process owns this connection: stopped')
  })
})

/** A line that takes whoever calls and leads nowhere until it is opened. */
function aWay() {
  let target: URL | null = null
  const ends = new Map<unknown, ReturnType<typeof connect>>()
  const listener = createServer(near => {
    near.on('error', () => {})
    if (!target) return
    const far = connect(Number(target.port), target.hostname)
    far.on('error', () => near.destroy())
    ends.set(near, far)
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  const address = listener.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `ws://127.0.0.1:${port}/ws/chat`,
    open(url: string) {
      target = new URL(url)
    },
    close() {
      listener.close()
      for (const far of ends.values()) far.destroy()
    },
  }
}
