import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type CompanyPhone, type CustomerPhone, startWhatsApp, type WhatsAppNetwork } from '../src/whatsapp'
import { Client, pairClient, reconnect } from './client'

let world: WhatsAppNetwork
let company: CompanyPhone
let lucia: CustomerPhone
let client: Client

beforeAll(async () => {
  world = await startWhatsApp({ ackDelayMs: 0 })
  company = world.company({ number: '553132224010', name: 'Loja Centro' })
  lucia = world.customer({ number: '5531998762210', name: 'Dona Lúcia' })
  client = await pairClient(world, company)
})

afterAll(async () => {
  client?.end()
  await world.stop()
})

describe('the server ends the connection with', () => {
  for (const code of [515, 428, 408, 500, 503, 403, 405, 440, 411]) {
    test(`${code}, and the device can log in again`, async () => {
      world.disconnect(company, code)
      expect(await client.closed()).toBe(code)
      client = await reconnect(world, client)
      const id = await lucia.send(company, { type: 'text', text: `Depois de ${code}` })
      await client.until('a message', () => client.message(id))
    })
  }

  test('440 when a second process uses the same device', async () => {
    const second = await reconnect(world, client)
    expect(await client.closed()).toBe(440)
    client = second
  })

  test('405 at every login until the version is right', async () => {
    company.refuseLogin = 405
    world.disconnect(company, 428)
    await client.closed()
    const refused = new Client(world, client.auth)
    expect(await refused.closed()).toBe(405)
    company.refuseLogin = undefined
    client = await reconnect(world, refused)
  })
})

describe('messages sent while the desk is away', () => {
  test('come at the next login, marked as replayed, once each and in order', async () => {
    client.end()
    await client.until('the device is off', () => !company.devices[0]?.online)
    const ids: string[] = []
    for (let i = 0; i < 25; i++) ids.push(await lucia.send(company, { type: 'text', text: `Mensagem ${i}` }))
    expect(lucia.message(company.user, ids[0] ?? '')?.tick).toBe('sent')
    client = await reconnect(world, client)
    await client.until('all of them', () => ids.every(id => client.message(id)))
    const upserts = client
      .all('messages.upsert')
      .filter(upsert => upsert.messages.some(each => ids.includes(each.key.id ?? '')))
    expect(new Set(upserts.map(upsert => upsert.type))).toEqual(new Set(['append']))
    const arrived = client.messages.map(each => each.key.id ?? '').filter(id => ids.includes(id))
    expect(arrived).toEqual(ids)
    await client.until('ticks', () => lucia.message(company.user, ids.at(-1) ?? '')?.tick === 'delivered')
    expect(company.devices[0]?.waiting).toBe(0)
  })

  test('receipts and calls wait too', async () => {
    const sent = await client.sock.sendMessage(lucia.lid, { text: 'Leia depois' })
    const id = sent?.key.id ?? ''
    await client.until('delivered', () => client.status(id) === 3)
    client.end()
    await client.until('the device is off', () => !company.devices[0]?.online)
    lucia.read(company)
    const call = lucia.call(company)
    client = await reconnect(world, client)
    await client.until('the read receipt', () => client.status(id) === 4)
    await client.until('the call', () =>
      client
        .all('call')
        .flat()
        .some(each => each.id === call),
    )
  })
})

describe('with trouble', () => {
  test('a repeated message arrives twice under one id', async () => {
    world.knobs.repeat = 1
    const id = await lucia.send(company, { type: 'text', text: 'Duas vezes' })
    world.knobs.repeat = 0
    await client.until('two', () => client.messages.filter(each => each.key.id === id).length === 2)
  })

  test('a dropped message comes at the next login', async () => {
    world.knobs.drop = 1
    const id = await lucia.send(company, { type: 'text', text: 'Perdida' })
    world.knobs.drop = 0
    world.disconnect(company, 428)
    await client.closed()
    expect(client.message(id)).toBeUndefined()
    client = await reconnect(world, client)
    await client.until('it', () => client.message(id))
  })

  test('reordered messages all arrive', async () => {
    world.knobs.reorder = 0.7
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, i) => lucia.send(company, { type: 'text', text: String(i) })),
    )
    world.knobs.reorder = 0
    await client.until('all', () => ids.every(id => client.message(id)?.message))
    const arrived = client.messages.map(each => each.key.id ?? '').filter(id => ids.includes(id))
    expect(arrived).not.toEqual(ids)
  })

  test('a delayed message is late', async () => {
    world.knobs.delayMs = 120
    const before = Date.now()
    const id = await lucia.send(company, { type: 'text', text: 'Devagar' })
    world.knobs.delayMs = 0
    await client.until('it', () => client.message(id))
    expect(Date.now() - before).toBeGreaterThanOrEqual(110)
  })
})

test('a frozen connection stays open and silent; what was sent meanwhile comes at the next login', async () => {
  world.freeze(company)
  const id = await lucia.send(company, { type: 'text', text: 'Alguém aí?' })
  const second = await reconnect(world, client)
  expect(client.message(id)).toBeUndefined()
  expect(client.close).toBeUndefined()
  await second.until('the message', () => second.message(id))
  client.end()
  client = second
})

describe('the link is removed', () => {
  test('on the phone: 401 now and at the next login', async () => {
    const [device] = company.devices
    if (!device) throw new Error('no device')
    company.logOut(device)
    expect(await client.closed()).toBe(401)
    expect(company.devices).toHaveLength(0)
    const again = new Client(world, client.auth)
    expect(await again.closed()).toBe(401)
  })

  test('at the desk: the phone no longer lists the device', async () => {
    client = await pairClient(world, company)
    const gone = world.timeline.next(event => event.type === 'logged-out' && event.by === 'device')
    await client.sock.logout()
    await gone
    expect(company.devices).toHaveLength(0)
  })
})
