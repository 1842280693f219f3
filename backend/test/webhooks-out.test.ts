// Addresses of other programs that are told what happens: over the real server, against a receiver that checks every signature.
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import type { Webhook, WebhookDelivery } from '@balcao/contract'
import { startWebhookReceiver } from '@balcao/simulator/webhooks/receiver'
import { showAnswer } from '../src/messaging/webhooks-out/answer.ts'
import { redact } from '../src/messaging/webhooks-out/body.ts'
import { signWebhook } from '../src/messaging/webhooks-out/signature.ts'
import { endTurn } from '../src/messaging/webhooks-out/turns.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { freePort } from './desk-process.ts'
import { startDeskServer } from './desk-server.ts'
import { makePerson, makeQueue } from './desk-world.ts'
import { makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'
import { waitUntil } from './until.ts'

const receiver = startWebhookReceiver()
afterAll(() => receiver.stop())
const silent = await freePort()
const server = await startDeskServer({ ALLOW_PRIVATE_HOSTS: `${receiver.host} 127.0.0.1:${silent}` })
const { db } = server
const sql = getSql(db)
await setPlainSettings(db)
const inbox = await makeInbox(db)
const queueId = await makeQueue(db, 'Vendas')
await makePerson(db, { name: 'Ana', profile: 'admin' })
await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
await makePerson(db, { name: 'Carla', profile: 'gerente', queueIds: [queueId] })
await sql`update "user" set del_contact = true`
const [ana, bruna, carla] = [await server.as('Ana'), await server.as('Bruna'), await server.as('Carla')]

afterEach(async () => {
  receiver.answer = undefined
  await sql`delete from webhook`
})

interface Form {
  readonly address?: string
  readonly events?: readonly string[]
  readonly fields?: readonly string[]
  readonly connectionIds?: readonly number[] | null
  readonly queueIds?: readonly number[] | null
}

/** Adds one whose calls come to a path of its own. */
async function addWebhook({ events = ['message.received'], ...form }: Form = {}) {
  const path = `/${crypto.randomUUID()}`
  const body = { name: 'n8n', address: receiver.url + path, events, ...form }
  const made = await ana.call<Webhook & { secret: string }>('POST', '/integrations', body)
  expect(made.status).toBe(201)
  receiver.secret = made.body.secret
  const calls = () => receiver.calls.filter(call => call.path === path)
  const expectCalls = (count: number) => waitUntil(`${count} calls came`, () => calls().length >= count)
  return { ...made.body, calls, expectCalls }
}

/** Nobody rings for what a test takes in by itself: the server looks within a second. */
const ring = () => {}
let phones = 5511990000000
const newPeer = () => makePeer({ pn: String(++phones) })
const say = (text: string, peer = newPeer()) => inbox.take(makeMessageEvent(peer, text)).then(ring)

async function read(id: number): Promise<Webhook | undefined> {
  const { body } = await ana.call<Webhook[]>('GET', '/integrations')
  return body.find(webhook => webhook.id === id)
}

async function listDeliveries(id: number): Promise<WebhookDelivery[]> {
  const { body } = await ana.call<{ deliveries: WebhookDelivery[] }>('GET', `/integrations/${id}/deliveries`)
  return body.deliveries
}

describe('signatures', () => {
  test('are those of the specification’s own example', () => {
    const headers = signWebhook(
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      new Date(1614265330_000),
      '{"test": 2432232314}',
    )
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('are two for a day after the secret was renewed', async () => {
    const webhook = await addWebhook()
    const renewed = await ana.call<{ secret: string }>('POST', `/integrations/${webhook.id}/secret`)
    expect(renewed.body.secret).not.toBe(webhook.secret)
    await say('Bom dia')
    await webhook.expectCalls(1)
    expect(webhook.calls()[0]?.isSigned).toBe(true)
    receiver.secret = renewed.body.secret
    await say('Boa tarde')
    await webhook.expectCalls(2)
    expect(webhook.calls()[1]?.isSigned).toBe(true)
  })

  test('need a secret that lies sealed in the database and is shown by no list', async () => {
    const webhook = await addWebhook()
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const [row] = await sql`select * from webhook where id = ${webhook.id}`
    expect(JSON.stringify(row)).not.toContain(webhook.secret.slice(6))
    expect(JSON.stringify(await read(webhook.id))).not.toContain('ecret')
  })
})

describe('what is told', () => {
  test('a message with the fields that were chosen, and no others', async () => {
    const plain = await addWebhook()
    const chosen = await addWebhook({ fields: ['messageText', 'contactNumber'] })
    await say('O pedido saiu?')
    await plain.expectCalls(1)
    await chosen.expectCalls(1)
    const [bare, full] = [plain.calls()[0], chosen.calls()[0]]
    expect(full).toMatchObject({ isSigned: true, type: 'message.received' })
    expect(full?.data).toMatchObject({ messageText: 'O pedido saiu?', contactNumber: String(phones), fromMe: false })
    expect(bare?.data).not.toHaveProperty('messageText')
    expect(bare?.body).not.toContain(String(phones))
    expect(full?.data).not.toHaveProperty('contactName')
  })

  test('a ticket from its opening to its end', async () => {
    const events = ['ticket.opened', 'ticket.accepted', 'ticket.transferred', 'ticket.paused', 'ticket.resolved']
    const webhook = await addWebhook({ events, fields: ['agentName'] })
    await say('Bom dia')
    await webhook.expectCalls(1)
    const id = Number(webhook.calls()[0]?.data.ticketId)
    expect((await ana.call('PUT', `/tickets/${id}`, { status: 'open', queueId })).status).toBe(200)
    expect((await ana.call('PUT', `/tickets/${id}`, { status: 'paused', pauseTag: 'Almoço' })).status).toBe(200)
    expect((await ana.call('PUT', `/tickets/${id}`, { status: 'open' })).status).toBe(200)
    expect((await ana.call('PUT', `/tickets/${id}`, { status: 'closed', onlyClose: true })).status).toBe(200)
    await webhook.expectCalls(4)
    expect(webhook.calls().map(({ type }) => type)).toEqual([
      'ticket.opened',
      'ticket.accepted',
      'ticket.paused',
      'ticket.resolved',
    ])
    expect(webhook.calls()[1]?.data).toMatchObject({ status: 'open', queueId, agentName: 'Ana' })
  })

  test('our own message, written and on its way, without comments', async () => {
    const webhook = await addWebhook({ events: ['message.sent', 'message.status'] })
    const peer = newPeer()
    await say('Oi', peer)
    await inbox.take(makeMessageEvent(peer, 'Do celular', { fromMe: true }))
    ring()
    await webhook.expectCalls(1)
    expect(webhook.calls()[0]).toMatchObject({ type: 'message.sent', data: { fromMe: true } })
  })

  test('contacts', async () => {
    const webhook = await addWebhook({ events: ['contact.created', 'contact.changed', 'contact.deleted'] })
    const made = await ana.call<{ id: number }>('POST', '/contacts', { name: 'Rui', number: '5511988887777' })
    const contact = { name: 'Rui Alves', number: '5511988887777' }
    expect((await ana.call('PUT', `/contacts/${made.body.id}`, contact)).status).toBe(200)
    expect((await ana.call('DELETE', `/contacts/${made.body.id}`)).status).toBe(204)
    await webhook.expectCalls(3)
    const types = webhook.calls().map(({ type }) => type)
    expect([types[0], types.at(-1)]).toEqual(['contact.created', 'contact.deleted'])
    expect(webhook.calls()[0]?.body).not.toContain('Rui')
  })

  test('only of the chosen connections and queues, and of nothing once they are gone', async () => {
    const other = await makeInbox(db, 'cloud_api')
    const gone = await makeQueue(db, 'Some')
    const [own, ofOther, ofGone] = [
      await addWebhook({ connectionIds: [inbox.whatsappId] }),
      await addWebhook({ connectionIds: [other.whatsappId] }),
      await addWebhook({ queueIds: [gone] }),
    ]
    expect((await ana.call('DELETE', `/queue/${gone}`)).status).toBe(204)
    expect(await read(ofGone.id)).toMatchObject({ queueIds: [] })
    // A form that does not touch the filter leaves it as it is.
    await ana.call('PUT', `/integrations/${ofGone.id}`, { name: 'ERP' })
    await say('Bom dia')
    await own.expectCalls(1)
    await other.take(makeMessageEvent(newPeer(), 'Olá'))
    ring()
    await ofOther.expectCalls(1)
    expect([own.calls().length, ofOther.calls().length, ofGone.calls().length]).toEqual([1, 1, 0])
  })

  test('nothing of what was before, and nothing while it is switched off', async () => {
    await say('Antes')
    const webhook = await addWebhook({ fields: ['messageText'] })
    await ana.call('PUT', `/integrations/${webhook.id}`, { active: false })
    await say('Entre')
    await ana.call('PUT', `/integrations/${webhook.id}`, { active: true })
    await say('Depois')
    await webhook.expectCalls(1)
    expect(webhook.calls().map(({ data }) => data.messageText)).toEqual(['Depois'])
  })
})

describe('delivery', () => {
  test('keeps the order of each conversation, whatever fails in between', async () => {
    const webhook = await addWebhook({ fields: ['messageText'] })
    const peers = [newPeer(), newPeer(), newPeer()]
    let failures = 2
    receiver.answer = () => (failures-- > 0 ? new Response('later', { status: 503 }) : new Response('ok'))
    for (let n = 1; n <= 5; n++) for (const peer of peers) await say(`${peer.pn} ${n}`, peer)
    for (let end = Date.now() + 15_000; Date.now() < end; await Bun.sleep(50)) {
      await sql`update webhook set retry_at = null where id = ${webhook.id}`
      await sql`update webhook_delivery set next_at = now() where webhook_id = ${webhook.id} and state = 'pending' and attempts > 0`
      const [left] =
        await sql`select count(*)::int as n from webhook_delivery where webhook_id = ${webhook.id} and state = 'done'`
      if (left?.n === 15) break
    }
    const heard = [...new Map(webhook.calls().map(call => [call.id, call])).values()]
    expect(heard).toHaveLength(15)
    const done = webhook.calls().slice(2)
    for (const { pn } of peers) {
      const own = done.map(({ data }) => String(data.messageText)).filter(text => text.startsWith(`${pn} `))
      expect([...new Set(own)]).toEqual([1, 2, 3, 4, 5].map(n => `${pn} ${n}`))
    }
  })

  test('repeats a call under the same id, and says when it is tried again', async () => {
    const webhook = await addWebhook()
    receiver.answer = () => new Response('broken', { status: 500 })
    await say('Bom dia')
    await waitUntil('it is known to fail', async () => (await read(webhook.id))?.failingSince !== null)
    expect(await read(webhook.id)).toMatchObject({ active: true, retryAt: expect.any(String) })
    const [failed] = await listDeliveries(webhook.id)
    expect(failed).toMatchObject({ state: 'pending', status: 500, attempts: 1, answer: 'broken' })
    receiver.answer = undefined
    const replayed = await ana.call('POST', `/integrations/${webhook.id}/deliveries/${failed?.id}/replay`)
    expect(replayed.status).toBe(200)
    await webhook.expectCalls(2)
    expect(webhook.calls()[1]?.id).toBe(webhook.calls()[0]?.id ?? '')
    await waitUntil('it is well again', async () => (await read(webhook.id))?.failingSince === null)
  })

  test('one that was given up is sent again by hand, with the same text under the same id', async () => {
    const webhook = await addWebhook({ fields: ['messageText'] })
    receiver.answer = () => new Response('broken', { status: 500 })
    await say('Bom dia')
    await waitUntil('it failed', async () => (await listDeliveries(webhook.id))[0]?.attempts === 1)
    await sql`update webhook_delivery set created_at = now() - interval '4 days', next_at = now() where webhook_id = ${webhook.id}`
    await sql`update webhook set retry_at = null where id = ${webhook.id}`
    await waitUntil('it is given up', async () => (await listDeliveries(webhook.id))[0]?.state === 'failed')
    receiver.answer = undefined
    const [delivery] = await listDeliveries(webhook.id)
    expect(
      (await ana.call('POST', `/integrations/${webhook.id}/deliveries/${delivery?.id}/replay`)).body,
    ).toMatchObject({ state: 'pending', test: false })
    await waitUntil('it is delivered', async () => (await listDeliveries(webhook.id))[0]?.state === 'done')
    const calls = webhook.calls()
    expect(calls.at(-1)).toMatchObject({ isSigned: true, data: { messageText: 'Bom dia' } })
    expect(new Set(calls.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
  })

  test('is not held up by one that hangs, answers without an end, or points inside', async () => {
    const dead = await addWebhook()
    const well = await addWebhook({ fields: ['messageText'] })
    const inside = await addWebhook({ address: 'http://127.0.0.1:9/x' })
    const absent = await addWebhook({ address: `http://127.0.0.1:${silent}/` })
    const hangs = Promise.withResolvers<void>()
    receiver.answer = async (_, { path }) => {
      if (dead.address.endsWith(path)) await hangs.promise
      return new Response('ok')
    }
    await say('Um')
    await say('Dois')
    await well.expectCalls(2)
    await dead.expectCalls(1)
    hangs.resolve()
    await waitUntil('both failed', async () => {
      const faults = [await listDeliveries(inside.id), await listDeliveries(absent.id)].map(list => list.at(-1)?.fault)
      return faults.join() === 'private,unsent'
    })
  })

  test('takes no more than the beginning of ten megabytes, and follows no redirect', async () => {
    const webhook = await addWebhook()
    receiver.answer = () => new Response('x'.repeat(10_000_000))
    const large = await ana.call<WebhookDelivery>('POST', `/integrations/${webhook.id}/test`, { type: 'ticket.opened' })
    expect(large.body).toMatchObject({ state: 'done', status: 200, test: true })
    expect(large.body.answer.length).toBe(1000)
    receiver.answer = () => new Response(null, { status: 307, headers: { location: 'http://169.254.169.254/' } })
    const moved = await ana.call<WebhookDelivery>('POST', `/integrations/${webhook.id}/test`, { type: 'ticket.opened' })
    expect(moved.body).toMatchObject({ state: 'failed', status: 307, fault: 'redirect' })
  })

  test('leaves one alone that takes nothing more until something is due', async () => {
    const webhook = await addWebhook()
    receiver.answer = () => new Response('broken', { status: 500 })
    await say('Bom dia')
    await waitUntil('it is known to fail', async () => (await read(webhook.id))?.failingSince !== null)
    const soon = async () => {
      const [row] = await sql<{ is: boolean }[]>`select retry_at > now() as is from webhook where id = ${webhook.id}`
      return row?.is === true
    }
    await sql`insert into webhook_delivery (webhook_id, event_id, lane, next_at)
      select webhook_id, event_id, lane, now() + interval '1 hour' from webhook_delivery, generate_series(1, 30) where webhook_id = ${webhook.id}`
    await sql`update webhook_delivery set next_at = now() + interval '1 hour' where webhook_id = ${webhook.id}`
    await sql`update webhook set retry_at = now(), position = position - 1 where id = ${webhook.id}`
    await waitUntil('it is looked at later', soon)
    expect(webhook.calls()).toHaveLength(1)
  })

  test('ends where the other side says that it is gone, and administrators hear of it', async () => {
    const webhook = await addWebhook()
    receiver.answer = () => new Response(null, { status: 410 })
    await say('Bom dia')
    await waitUntil('it is off', async () => (await read(webhook.id))?.active === false)
    expect(await read(webhook.id)).toMatchObject({ stopReason: 'gone' })
    const { body } = await ana.call<{ alarms: unknown[] }>('GET', '/notifications')
    expect(body.alarms).toContainEqual(
      expect.objectContaining({ code: 'webhook_off', webhook: { id: webhook.id, name: 'n8n' } }),
    )
    const [delivery] = await listDeliveries(webhook.id)
    const replayed = await ana.call('POST', `/integrations/${webhook.id}/deliveries/${delivery?.id}/replay`)
    expect(replayed).toMatchObject({ status: 409, body: { error: 'ERR_WEBHOOK_OFF' } })
  })

  test('ends after three days in which nothing came through', async () => {
    const webhook = await addWebhook()
    await sql`update webhook set failing_since = now() - interval '73 hours', failures = 9 where id = ${webhook.id}`
    const [row] = await sql<{ turn: number }[]>`select turn::float8 as turn from webhook where id = ${webhook.id}`
    const turn = { ...webhook, turn: row?.turn ?? 0, secretSealed: '', oldSecretSealed: null, failures: 9 }
    await endTurn(db, turn, 'failed')
    expect(await read(webhook.id)).toMatchObject({ active: false, stopReason: 'failing' })
    const logged = await sql`select 1 from log_entry where action = 'webhook.stop' and entity_id = ${webhook.id}`
    expect(logged.length).toBe(1)
  })
})

describe('a test by hand', () => {
  test('sends the sample of an event once, to this address alone', async () => {
    const [webhook, other] = [await addWebhook({ fields: ['messageText'] }), await addWebhook()]
    receiver.secret = webhook.secret
    const { body, status } = await ana.call<WebhookDelivery>('POST', `/integrations/${webhook.id}/test`, {
      type: 'message.received',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'done', status: 200, test: true, type: 'message.received' })
    expect(webhook.calls()).toHaveLength(1)
    expect(webhook.calls()[0]).toMatchObject({ isSigned: true, data: { test: true, messageText: expect.any(String) } })
    await say('Bom dia')
    await other.expectCalls(1)
    expect(other.calls().map(({ data }) => data.test)).toEqual([undefined])
    // Once more, it is the same text under the same id.
    await webhook.expectCalls(2)
    await ana.call('POST', `/integrations/${webhook.id}/deliveries/${body.id}/replay`)
    await webhook.expectCalls(3)
    const [first, again] = [webhook.calls()[0], webhook.calls()[2]]
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body])
  })
})

describe('rights and rules', () => {
  test('are those of administrators alone', async () => {
    const { id } = await addWebhook()
    for (const person of [bruna, carla])
      for (const [method, path, body] of [
        ['GET', '/integrations', undefined],
        ['POST', '/integrations', { name: 'X', address: 'https://x.example', events: ['message.sent'] }],
        ['PUT', `/integrations/${id}`, { name: 'X' }],
        ['DELETE', `/integrations/${id}`, undefined],
        ['POST', `/integrations/${id}/secret`, undefined],
        ['POST', `/integrations/${id}/test`, { type: 'message.sent' }],
        ['GET', `/integrations/${id}/deliveries`, undefined],
      ] as const)
        expect((await person.call(method, path, body)).status).toBe(403)
    const heard = await sql<{ audience: { to: string } }[]>`
      select audience from live_event where payload like '{"event":"webhook"%'`
    expect(new Set(heard.map(({ audience }) => audience.to))).toEqual(new Set(['admins']))
  })

  test('refuse what is no address, no event, and an empty filter', async () => {
    const form = { name: 'n8n', address: 'https://n8n.example/x', events: ['message.sent'] }
    for (const [path, wrong] of [
      ['name', { name: 'x' }],
      ['address', { address: 'ftp://n8n.example' }],
      ['address', { address: 'https://eu:senha@n8n.example' }],
      ['events', { events: [] }],
      ['queueIds', { queueIds: [] }],
      ['queueIds', { queueIds: [987_654] }],
      ['connectionIds', { connectionIds: [987_654] }],
    ] as const) {
      const { status, body } = await ana.call('POST', '/integrations', { ...form, ...wrong })
      expect(status).toBe(422)
      expect(body.details).toEqual([expect.objectContaining({ path })])
    }
  })

  test('the list of deliveries names nobody', async () => {
    const webhook = await addWebhook({ fields: ['messageText', 'contactNumber', 'contactName'] })
    receiver.answer = request => new Response(`echo ${phones} O pedido saiu? ana@loja.example ${request.method}`)
    await say('O pedido saiu?')
    await waitUntil('it came', async () => (await listDeliveries(webhook.id))[0]?.state === 'done')
    const [delivery] = await listDeliveries(webhook.id)
    expect(`${delivery?.request} ${delivery?.answer}`).not.toMatch(new RegExp(`${phones}|pedido|ana@`))
    expect(delivery?.answer).toBe('echo … … … POST')
  })

  test('an answer that repeats what was sent shows nothing of it, cut or not', async () => {
    const webhook = await addWebhook({ fields: ['messageText'] })
    receiver.answer = (_, call) => new Response(call.body)
    await say('O remédio da Lúcia acabou, ela precisa de mais. '.repeat(40))
    await waitUntil('it came', async () => (await listDeliveries(webhook.id))[0]?.state === 'done')
    const [delivery] = await listDeliveries(webhook.id)
    expect(delivery?.answer).not.toMatch(/remédio|precisa/)
    expect(delivery?.answer).toContain('message.received')
  })

  test.each([
    ['as Python and PHP write it', String.raw`{"n":"Jo\u00e3o Sim\u00f5es"}`],
    ['in a page', 'Ol&aacute;, Jo&atilde;o Sim&#245;es!'],
    ['in an address', 'to=Jo%C3%A3o+Sim%C3%B5es&x=1'],
    ['in capitals without accents', 'CLIENTE: JOAO SIMOES'],
    ['with the number as people write it', 'Cliente (11) 98765-4321'],
    ['with a part of the text', 'erro perto de "remédio para a pressão'],
    ['with the beginning of a name at its end', 'cliente: João S'],
  ])('an answer that names somebody %s is not shown', (_, answer) => {
    const data = {
      ...{ contactName: 'João Simões', contactNumber: '5511987654321' },
      messageText: 'Preciso de mais remédio para a pressão da minha mãe',
    }
    expect(showAnswer(answer, data)).toBe('…')
  })

  test('an answer that names nobody is shown', () => {
    const data = { contactName: 'João Simões', contactNumber: '5511987654321', messageText: 'ok', contactTags: ['VIP'] }
    const answer = '{"message":"Workflow was started","id":"a1b2"}'
    expect(showAnswer(answer, data)).toBe(answer)
    expect(showAnswer('x'.repeat(5000), data)).toHaveLength(1000)
  })

  test('a text is shown without values of an event, whatever they are', () => {
    expect(redact('"a\\"b" x', { messageText: 'a"b' })).toBe('"…" x')
  })
})
