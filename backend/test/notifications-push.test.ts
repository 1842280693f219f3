// Notices on devices by web push (spec 1 §4, §7).
import { describe, expect, test } from 'bun:test'
import type { PushPayload } from '@balcao/contract'
import type { PushBrowser } from '@balcao/simulator/push/service'
import webpush from 'web-push'
import { deliverPush } from '../src/operations/push/deliver.ts'
import { sweepPages } from '../src/operations/push/open-pages.ts'
import { type Name, startNotificationsDesk } from './notifications-desk.ts'
import { waitUntil } from './until.ts'

const { service, server, db, sql, devices, finance, waiting, writes, chatWith, say, register, line, person, idOf } =
  await startNotificationsDesk()

describe('spec 1 §4 "Notifications": web push', () => {
  test('goes to every device of who is to be told, once, without what was said', async () => {
    const second = await service.device()
    await register(person('Bruna'), second, 'es')
    const id = await waiting({ queueId: finance, unread: 2, text: 'Meu CPF é 123' })
    await writes(id)
    for (const device of [deviceOf('Bruna'), second])
      await waitUntil('it arrived', () => payloadsOf(device, id).length > 0)
    expect(payloadsOf(second, id)).toEqual([
      { about: 'ticket', id, reason: 'message', name: 'Cliente', unread: 2, language: 'es' },
    ])
    const message = deviceOf('Bruna').messages.findLast(({ topic }) => topic === `ticket-${id}`)
    expect(message?.text).not.toContain('CPF')
    expect(message).toMatchObject({ urgency: 'high', sender: { aud: service.url } })
    await waitUntil('the manager’s too', () => payloadsOf(deviceOf('Rafael'), id).length > 0)
    expect(payloadsOf(deviceOf('Marina'), id)).toEqual([])
    await person('Bruna').call('POST', '/push/unregister', { key: second.subscription.endpoint })
  })

  test('does not go to who sees the desk, and goes again once the tab is hidden', async () => {
    const tab = await line('Bruna')
    tab.send({ type: 'page', visible: true })
    await waitUntil('it is known', async () => (await sql`select 1 from open_page`).length === 1)
    const seen = await waiting({ queueId: finance, unread: 1 })
    await writes(seen)
    await tab.until(seen)
    await waitUntil('Carlos was told', () => payloadsOf(deviceOf('Carlos'), seen).length > 0)
    expect(payloadsOf(deviceOf('Bruna'), seen)).toEqual([])
    tab.send({ type: 'page', visible: false })
    await waitUntil('it is hidden', async () => (await sql`select 1 from open_page`).length === 0)
    await writes(seen)
    await waitUntil('she is told', () => payloadsOf(deviceOf('Bruna'), seen).length === 1)
    tab.close()
  })

  test('a device that is gone is forgotten, one whose service is busy is tried again', async () => {
    const gone = await service.device()
    const busy = await service.device()
    await register(person('Bruna'), gone)
    await register(person('Bruna'), busy)
    gone.refuse(410)
    busy.refuse(429, 2)
    const id = await waiting({ queueId: finance, unread: 1 })
    await writes(id)
    await waitUntil('the busy one got it', () => payloadsOf(busy, id).length === 1)
    expect(busy.requests).toBe(3)
    await waitUntil('the other is forgotten', async () => (await known(gone)) === 0)
    expect(await known(busy)).toBe(1)
    await person('Bruna').call('POST', '/push/unregister', {
      userId: idOf('Bruna'),
      key: busy.subscription.keys.p256dh,
    })
    expect(await known(busy)).toBe(0)
  })

  test('tells of an internal message with the colleague’s name, and nothing after it was read', async () => {
    const chatId = await chatWith('Rafael', 'Carlos')
    await say('Rafael', chatId, 'Segredo da casa')
    await waitUntil('it arrived', () => chatPayloads('Carlos', chatId).length === 1)
    expect(chatPayloads('Carlos', chatId)[0]).toMatchObject({ about: 'chat', name: 'Rafael', unread: 1 })
    expect(
      deviceOf('Carlos')
        .messages.map(message => message.text)
        .join(),
    ).not.toContain('Segredo')
    expect(chatPayloads('Rafael', chatId)).toEqual([])
  })

  test('ends with the session of one device, and goes on to the others of the same person', async () => {
    const [ended, second] = [await service.device(), await server.as('Bruna')]
    await register(second, ended)
    await second.call('DELETE', '/auth/logout')
    const id = await waiting({ queueId: finance, unread: 1 })
    await writes(id)
    await waitUntil('the other device was told', () => payloadsOf(deviceOf('Bruna'), id).length > 0)
    expect([await known(ended), payloadsOf(ended, id)]).toEqual([1, []])
    await sweepPages(db)
    expect(await known(ended)).toBe(0)
  })

  test('goes to nobody out of hours, and on when the hours are back', async () => {
    const setDays = (works: boolean) =>
      sql`update "user" set weekdays = ${works}, saturday = ${works}, sunday = ${works} where name = 'Bruna'`
    await setDays(false)
    const id = await waiting({ queueId: finance, unread: 1 })
    await writes(id)
    await waitUntil('the manager was told', () => payloadsOf(deviceOf('Rafael'), id).length > 0)
    expect(payloadsOf(deviceOf('Bruna'), id)).toEqual([])
    await setDays(true)
    await writes(id)
    await waitUntil('she is told', () => payloadsOf(deviceOf('Bruna'), id).length > 0)
  })

  test('ends with the session that registered the device', async () => {
    await person('Carlos').call('DELETE', '/auth/logout')
    const id = await waiting({ queueId: finance, unread: 1 })
    await writes(id)
    await waitUntil('the others were told', () => payloadsOf(deviceOf('Bruna'), id).length > 0)
    expect(payloadsOf(deviceOf('Carlos'), id)).toEqual([])
    await sweepPages(db)
    expect([await known(deviceOf('Carlos')), await known(deviceOf('Bruna'))]).toEqual([0, 1])
  })
})

describe('spec 1 §7: the calls of web push', () => {
  test('give the public key, the same to everybody', async () => {
    const { body } = await person('Bruna').call<{ publicKey: string }>('GET', '/push/public_key')
    expect(Buffer.from(body.publicKey, 'base64url')).toHaveLength(65)
    expect((await person('Marina').call('GET', '/push/public_key')).body).toEqual(body)
  })

  test('register and unregister nobody else’s device', async () => {
    const device = await service.device()
    const { subscription } = device
    const other = await person('Bruna').call('POST', '/push/register', { subscription, userId: idOf('Marina') })
    expect([other.status, other.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    const { endpoint } = deviceOf('Marina').subscription
    await person('Bruna').call('POST', '/push/unregister', { key: endpoint })
    expect(await known(deviceOf('Marina'))).toBe(1)
  })

  test('take no address inside the network and no broken key', async () => {
    const { keys } = (await service.device()).subscription
    const good = 'https://push.example.com/send/1'
    const wrong = [
      { endpoint: 'http://push.example.com/1', keys },
      { endpoint: 'https://127.0.0.1/1', keys },
      { endpoint: 'https://[::1]/1', keys },
      { endpoint: 'https://localhost/1', keys },
      { endpoint: 'https://metadata.internal/1', keys },
      { endpoint: good, keys: { ...keys, p256dh: 'abc' } },
      { endpoint: good, keys: { ...keys, auth: '' } },
    ]
    for (const subscription of wrong)
      expect((await person('Bruna').call('POST', '/push/register', { subscription })).status).toBe(422)
  })

  test('call no address inside the network either that a good name leads to, and do not try it again', async () => {
    const { keys } = (await service.device()).subscription
    const push = { ...webpush.generateVAPIDKeys(), subject: 'mailto:dono@saojose.example', origins: [] }
    const device = { endpoint: `https://push.example.com:${new URL(service.url).port}/1`, ...keys }
    const payload = { about: 'ticket', id: 1, reason: 'message', name: 'Cliente', unread: 1, language: 'pt' } as const
    let requests = 0
    const leads = async () => {
      requests++
      return ['127.0.0.1']
    }
    expect(await deliverPush(push, device, payload, leads)).toEqual({ outcome: 'failed', reason: 'private' })
    expect(requests).toBe(1)
  })
})

async function known({ subscription }: PushBrowser): Promise<number> {
  return (await sql`select 1 from push_subscription where endpoint = ${subscription.endpoint}`).length
}

function payloadsOf(device: PushBrowser, ticketId: number): PushPayload[] {
  const all = device.messages.map((message): PushPayload => JSON.parse(message.text))
  return all.filter(payload => payload.about === 'ticket' && payload.id === ticketId)
}

function chatPayloads(name: Name, chatId: number): PushPayload[] {
  const all = deviceOf(name).messages.map((message): PushPayload => JSON.parse(message.text))
  return all.filter(payload => payload.about === 'chat' && payload.id === chatId)
}

function deviceOf(name: Name): PushBrowser {
  const one = devices.get(name)
  if (!one) throw new Error(`no device of ${name}`)
  return one
}
