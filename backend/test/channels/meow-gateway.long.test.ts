// What only a gateway does: it signs, forgets, lies, hangs, and tells nobody how its devices are.
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { readQr } from '@balcao/formats/qr/read'
import { drawDetailedQrPicture, drawQrPicture, encodePng } from '@balcao/simulator/gowa/picture'
import { storeMedia } from '../../src/desk/media/store.ts'
import { deriveDeviceId } from '../../src/messaging/channels/meow/device.ts'
import { createMeowDriver } from '../../src/messaging/channels/meow/driver.ts'
import { Gateway, GatewayError, GatewayUnreachable } from '../../src/messaging/channels/meow/gateway.ts'
import { rereadMessage, toChannelEvents } from '../../src/messaging/channels/meow/inbound.ts'
import { ChatTimers } from '../../src/messaging/channels/meow/timers.ts'
import type { Outgoing } from '../../src/platform/channel/driver.ts'
import { createTestDatabase } from '../database.ts'
import { waitUntil } from '../until.ts'
import { type MeowStandIn, SECRET, startMeowStandIn } from './meow-stand-in.ts'

const { db } = await createTestDatabase()
let it: MeowStandIn
let shared: MeowStandIn | undefined

afterEach(async () => {
  if (it !== shared) await it?.close()
})
afterAll(() => shared?.close())

type Made = Parameters<typeof startMeowStandIn> extends [unknown, ...infer Rest] ? Rest : never

/** A paired one; the same for every test that asks for nothing of its own. */
async function paired(...given: Made): Promise<void> {
  const known = given.length === 0 ? shared : undefined
  it = known ?? (await startMeowStandIn(db, ...given))
  it.desk.forget()
  if (known) return
  await it.driver.start()
  for (const made of it.gowa.devices.values()) made.link(it.company)
  await status('CONNECTED')
  if (given.length === 0) shared = it
}

const send = (message: Outgoing) => it.driver.send(it.address, null, message)
const status = (name: string) => it.desk.next('status', event => event.status === name)
const troubled = (reason: string) => it.desk.next('status', event => event.trouble?.reason === reason)
const device = () => {
  const [found] = it.company.gateways
  if (!found) throw new Error('Nothing is linked')
  return found
}

describe('pairing', () => {
  test('a device under an id of ours, with a secret of its own that posts to this connection alone', async () => {
    await paired()
    expect(device().id).toBe(deriveDeviceId(SECRET))
    expect(device().id).not.toContain(SECRET)
    expect(device().webhook?.secret).toBe(SECRET)
    expect(device().webhook?.url).toEndWith(`/webhooks/meow/${it.desk.connection.id}`)
  })

  test('while the gateway is away it says so and asks again: the code is shown when it is back', async () => {
    it = await startMeowStandIn(db)
    it.gowa.knobs.fail = 1000
    await it.driver.pair({ qr: true })
    expect((await troubled('gateway_down')).trouble).toMatchObject({ next: 'retry' })
    it.gowa.knobs.fail = 0
    expect((await status('qrcode')).trouble).toBeNull()
    expect(it.desk.all('status').some(event => event.trouble?.reason === 'qr_not_read')).toBe(false)
  })

  test('by the characters typed on the phone', async () => {
    it = await startMeowStandIn(db)
    const { code = '' } = await it.driver.pair({ phone: '5531 3222-4010' })
    expect(await status('PAIRING')).toMatchObject({ code })
    await it.company.enterCode(code)
    expect((await status('CONNECTED')).me?.pn).toBe(it.company.user)
  })

  test('the gateway is asked for a code once; a code that has run out is a timeout unless somebody asks for the next', async () => {
    it = await startMeowStandIn(db, { qrSeconds: 5 }, { graceMs: -4900 })
    await it.driver.pair({ qr: true })
    const { qr: first } = await status('qrcode')
    const logins = () => it.gowa.calls.filter(call => call.endsWith('/login')).length
    expect(logins()).toBe(1)
    expect((await status('TIMEOUT')).trouble).toMatchObject({ reason: 'qr_not_read', next: 'read_qr' })
    it.desk.forget()
    await it.driver.pair({ qr: true })
    expect((await status('qrcode')).qr).not.toBe(first)
    expect(logins()).toBe(2)
  })

  test('begun anew the old device is taken away at the gateway, and its pairing with it', async () => {
    await paired({})
    await it.driver.remove?.()
    expect(it.gowa.devices.size).toBe(0)
    expect(it.company.linked).toEqual([])
    await it.driver.stop()
    it.desk.forget()
    const next = createMeowDriver(it.desk.connection, it.desk.host)
    await next.start()
    expect(
      (await it.desk.next('status', one => one.status === 'DISCONNECTED' && one.trouble !== null)).trouble?.next,
    ).toBe('read_qr')
    await next.stop()
  })

  test('a code is read from a picture of one bit a point as from one of four bytes', async () => {
    const text = `2@${'aB3'.repeat(40)},c,d,e`
    expect(await readQr(await drawDetailedQrPicture(text))).toBe(text)
    expect(await readQr(drawQrPicture(text))).toBe(text)
    // A small file that would be a large picture.
    const bomb = encodePng(1024, { depth: 8, type: 6 }, [['IDAT', deflateSync(Buffer.alloc(64 * 1024 * 1024))]])
    for (const odd of [Buffer.from('no picture'), bomb]) await expect(readQr(odd)).rejects.toThrow()
  })
})

const post = (body: unknown, secret = SECRET) => {
  const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
  return it.driver.handleWebhook?.({ headers: new Headers({ 'x-hub-signature-256': signature }), raw })
}
const message = {
  event: 'message',
  device_id: '553132224010@s.whatsapp.net',
  session_id: deriveDeviceId(SECRET),
  payload: {
    id: 'A1',
    chat_id: '553198762210@s.whatsapp.net',
    from: '553198762210@s.whatsapp.net',
    timestamp: '2026-11-20T10:00:00Z',
    body: 'Oi',
  },
}

describe('webhooks', () => {
  test('unsigned, signed with the secret everybody has, no JSON, or of another device: nothing is taken', async () => {
    await paired()
    const unsigned = { headers: new Headers(), raw: Buffer.from(JSON.stringify(message)) }
    expect(await it.driver.handleWebhook?.(unsigned)).toEqual({ status: 401, events: 0 })
    expect(await post(message, 'secret')).toEqual({ status: 401, events: 0 })
    expect(await post('no json')).toEqual({ status: 400, events: 0 })
    expect(await post({ ...message, session_id: 'another' })).toEqual({ status: 400, events: 0 })
    expect(it.desk.all('message')).toEqual([])
    expect(await post(message)).toEqual({ status: 200, events: 1 })
  })

  test('one that is played again says the same under the same id', async () => {
    await paired()
    await post(message)
    await post(message)
    const [first, second] = it.desk.all('message')
    expect(second).toEqual(first)
  })

  test('what makes no sense in it is passed over, what is not known becomes a card', () => {
    const odd = [
      null,
      7,
      {},
      { event: 'message' },
      { event: 'constructor', payload: {} },
      { event: 'message.ack', payload: { ids: 3 } },
    ]
    for (const one of odd) expect(toChannelEvents(one)).toEqual([])
    const { body: _, ...nothing } = message.payload
    const [card] = toChannelEvents({ ...message, payload: { ...nothing, hologram: { id: 1 } } })
    expect(card).toMatchObject({ mediaType: 'unknown', details: { card: { kind: 'notice', name: 'hologram' } } })
    expect(rereadMessage(message.payload)).toMatchObject({ body: 'Oi', ref: { id: 'A1' } })
  })

  test('status updates, channels, the assistant and notes to oneself are no conversation, and no reaction to one is', () => {
    const chats = ['status@broadcast', '1203@newsletter', '0@s.whatsapp.net', '867@bot', message.device_id]
    for (const chat_id of chats)
      for (const event of ['message', 'message.reaction', 'message.edited'])
        expect(
          toChannelEvents({
            ...message,
            event,
            payload: {
              ...message.payload,
              chat_id,
              reacted_message_id: 'A1',
              reaction: '👍',
              original_message_id: 'A1',
            },
          }),
        ).toEqual([])
  })

  test('a call that the gateway refused by itself is missed; one of a group is nobody’s', () => {
    const call = { call_id: 'C1', from: '553198762210:3@s.whatsapp.net' }
    const toCallEvents = (payload: object) => toChannelEvents({ ...message, event: 'call.offer', payload })
    expect(toCallEvents({ ...call, auto_rejected: true })).toMatchObject([
      { type: 'call', id: 'C1', state: 'missed', from: { jid: '553198762210@s.whatsapp.net' } },
    ])
    expect(toCallEvents(call)).toMatchObject([{ state: 'offer' }])
    expect(toCallEvents({ ...call, group_jid: '1203@g.us' })).toEqual([])
  })

  test('that we are taken out of a group, or are in it again, is told; of others’ coming and going nothing', () => {
    const jid = '120363402106000001@g.us'
    const toCallEvents = (event: string, payload: object) =>
      toChannelEvents({ ...message, event, timestamp: '2026-11-28T10:30:00Z', payload: { chat_id: jid, ...payload } })
    const of = (isMember: boolean) => [
      { type: 'membership' as const, group: { jid, group: true }, isMember, at: Date.parse('2026-11-28T10:30:00Z') },
    ]
    const ours = { jids: ['5511987654321@s.whatsapp.net', message.device_id] }
    expect(toCallEvents('group.participants', { type: 'leave', ...ours })).toEqual(of(false))
    expect(toCallEvents('group.participants', { type: 'join', ...ours })).toEqual(of(true))
    expect(toCallEvents('group.joined', { reason: 'invite' })).toEqual(of(true))
    expect(toCallEvents('group.participants', { type: 'demote', ...ours })).toEqual([])
    expect(toCallEvents('group.participants', { type: 'leave', jids: ['5511987654321@s.whatsapp.net'] })).toEqual([])
  })

  test('an edit, a deletion and what was typed on the phone come in; our own phone’s reading is nobody’s tick', async () => {
    await paired()
    const id = await it.says({ type: 'text', text: 'Oi' })
    await it.customer.send(it.company, { type: 'edit', of: id, text: 'Olá' })
    expect(await it.desk.next('edit')).toMatchObject({ ref: { id, fromMe: false }, body: 'Olá' })
    await it.customer.send(it.company, { type: 'revoke', of: id })
    expect(await it.desk.next('revoke')).toMatchObject({ ref: { id } })
    const typed = await it.company.type({ to: it.customer, text: 'Do celular' })
    expect(await it.desk.next('message', one => one.ref.id === typed)).toMatchObject({
      ref: { fromMe: true },
      ack: 'sent',
    })
    const own = { ids: ['X'], chat_id: it.address, from: message.device_id, receipt_type: 'read' }
    expect(toChannelEvents({ ...message, event: 'message.ack', payload: own })).toEqual([])
    expect(
      toChannelEvents({ ...message, event: 'message.ack', payload: { ...own, receipt_type: 'read-self' } }),
    ).toEqual([])
  })

  test('a call rings, and is refused where calls are not taken', async () => {
    await paired()
    it.desk.acceptsCalls = false
    const refused = Promise.withResolvers<string>()
    it.gowa.on(event => event.type === 'call-rejected' && refused.resolve(event.callId))
    const id = it.customer.call(it.company)
    expect(await it.desk.next('call')).toMatchObject({ id, state: 'offer', from: { pn: it.phone } })
    expect(await refused.promise).toBe(id)
  })

  test('a call rings on where calls are taken', async () => {
    await paired()
    it.desk.acceptsCalls = true
    const rejected: string[] = []
    it.gowa.on(event => event.type === 'call-rejected' && rejected.push(event.callId))
    it.customer.call(it.company)
    await it.desk.next('call')
    // What comes after it is there, so the call was dealt with.
    await it.says({ type: 'text', text: 'Liguei' })
    await it.desk.next('message')
    expect(rejected).toEqual([])
  })

  test('in a group: who wrote, the group’s name, and its members', async () => {
    await paired()
    const rui = it.world.customer({ number: '5511987654321', name: 'Rui' })
    const group = it.world.group({ subject: 'Entregas', members: [it.company, it.customer, rui] })
    const id = await rui.send(group, { type: 'text', text: 'Saí' })
    const event = await it.desk.next('message', one => one.ref.id === id)
    expect(event).toMatchObject({
      chat: { jid: group.jid, group: true },
      chatName: 'Entregas',
      author: { pn: rui.user, lid: rui.lid },
    })
    const found = await it.driver.group(group.jid)
    expect(found?.subject).toBe('Entregas')
    expect(found?.members.map(one => one.pn)).toEqual([it.company.user, it.customer.user, rui.user])
    await it.driver.send(group.jid, null, { type: 'text', text: 'Boa' })
    expect(rui.chat(group).at(-1)?.content).toEqual({ type: 'text', text: 'Boa' })
  })
})

describe('nothing is lost', () => {
  test('a webhook that was given up is found in the chats, with the file it named', async () => {
    await paired({}, { againMs: 50, settledMs: 0 })
    device().lane.drop = 1
    const id = await it.says({ type: 'image', bytes: Buffer.from('pixels'), caption: 'Veja' })
    const event = await it.desk.next('message', one => one.ref.id === id)
    expect(event).toMatchObject({ body: 'Veja', mediaType: 'image', replay: true })
    if (!event.media) throw new Error('There is no file')
    expect(await new Response(await it.driver.download(event.media)).text()).toBe('pixels')
  })

  test('what was said before the number was paired is nobody’s here', async () => {
    it = await startMeowStandIn(db)
    await it.customer.send(it.company, { type: 'text', text: 'Antes' }, { at: new Date(Date.now() - 60_000) })
    await it.connect()
    await it.restart()
    await waitUntil('the chats were read', () => it.gowa.calls.filter(call => call === 'GET /chats').length > 1)
    expect(it.desk.all('message')).toEqual([])
  })

  test('an answer that is lost: nobody knows, and the chat tells', async () => {
    await paired()
    it.gowa.knobs.loseAnswers = 1
    const since = Date.now()
    const text = { type: 'text', text: 'Chegou?' } as const
    expect(await send(text)).toMatchObject({ ok: false, outcome: 'unknown' })
    const [id] = (await it.driver.sentLike?.(it.address, text, since)) ?? []
    expect((await it.seen(id ?? ''))?.text).toBe('Chegou?')
    expect(await it.driver.sentLike?.(it.address, { type: 'text', text: 'Outra' }, since)).toEqual([])
  })
})

describe('after how long a chat’s messages vanish', () => {
  const WEEK = 604_800
  const MINUTE = 60_000

  /** A gateway that answers each question with the next of these, and with the last from then on. */
  function openTimers(timerMs: number, ...answers: readonly (object | Error)[]) {
    const questions: string[] = []
    const get = async (path: readonly string[], _query?: object, timeoutMs?: number) => {
      questions.push(`${path.join('/')} within ${timeoutMs}`)
      const answer = answers[Math.min(questions.length, answers.length) - 1]
      if (answer instanceof Error) throw answer
      return answer
    }
    return { timers: new ChatTimers({ get }, it.desk.host, timerMs), questions }
  }
  const says = (ephemeral_expiration: unknown) => ({ data: [], chat_info: { ephemeral_expiration } })
  const stored = () => it.desk.all('timer').map(({ chat, seconds }) => [chat.pn ?? chat.jid, seconds])

  test('the desk learns it with the message that asks, once', async () => {
    await paired()
    await it.says({ type: 'text', text: 'Isto some', timer: WEEK })
    await it.desk.next('message', one => one.body === 'Isto some')
    const sent = await send({ type: 'text', text: 'Some também' })
    expect((await it.seen(sent.ok ? sent.id : ''))?.timer).toBe(WEEK)
    expect(await it.desk.next('timer')).toMatchObject({ chat: { pn: it.phone, group: false }, seconds: WEEK })
    await send({ type: 'text', text: 'E isto', timer: WEEK })
    expect(stored()).toEqual([[it.phone, WEEK]])
  })

  test('a process that is not sure any more to run the connection hands nothing over', async () => {
    await paired()
    it.desk.isOwner = false
    const result = await send({ type: 'text', text: 'Duas vezes?' })
    it.desk.isOwner = true
    expect(result).toMatchObject({ ok: false, outcome: 'retry', code: 'not_handed_over' })
    expect(it.customer.chat(it.company).map(({ content }) => content)).not.toContainEqual({
      type: 'text',
      text: 'Duas vezes?',
    })
  })

  test('one question a minute and chat; what the gateway would not take is no time', async () => {
    await paired()
    const { timers, questions } = openTimers(MINUTE, says(WEEK), says(3600))
    const reads = [await timers.read('1@s.whatsapp.net', 0), await timers.read('1@s.whatsapp.net', 0)]
    reads.push(await timers.read('120363@g.us', 0))
    expect(reads).toEqual([WEEK, WEEK, 0])
    expect(questions).toEqual(['chat/1@s.whatsapp.net/messages within 3000', 'chat/120363@g.us/messages within 3000'])
    expect(stored()).toEqual([['1', WEEK]])
  })

  test('after a while it is asked again, and what changed is told', async () => {
    await paired()
    const { timers } = openTimers(0, says(WEEK), says(0))
    expect([await timers.read('1@s.whatsapp.net', 0), await timers.read('1@s.whatsapp.net', WEEK)]).toEqual([WEEK, 0])
    expect(stored()).toEqual([
      ['1', WEEK],
      ['1', 0],
    ])
  })

  test('in trouble nobody is asked for a while: what the desk knows counts, and one line says so without whose chat it is', async () => {
    await paired()
    const before = it.desk.logged.length
    const { timers, questions } = openTimers(MINUTE, new GatewayUnreachable(true))
    const chats = ['1@s.whatsapp.net', '2@s.whatsapp.net', '3@s.whatsapp.net']
    const [first, second] = await Promise.all(chats.slice(0, 2).map(chat => timers.read(chat, WEEK)))
    expect([first, second, await timers.read('3@s.whatsapp.net', 0)]).toEqual([WEEK, WEEK, 0])
    expect(questions).toHaveLength(2)
    expect(it.desk.logged.slice(before)).toEqual([
      'the gateway does not say when messages vanish: it is not asked for a while',
    ])
    expect(stored()).toEqual([])
  })

  test('a question that may not take long is given up', async () => {
    await using silent = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) })
    const address = { url: `http://127.0.0.1:${silent.port}`, user: 'u', password: 'p', webhookUrl: '' }
    const question = new Gateway(address, 'device', MINUTE).get(['chat', '1', 'messages'], {}, 20)
    expect(await question.catch(error => error)).toBeInstanceOf(GatewayUnreachable)
  })

  test('a chat that the gateway does not know is no trouble', async () => {
    await paired()
    const before = it.desk.logged.length
    const { timers } = openTimers(MINUTE, new GatewayError(404, 'NOT_FOUND', 'Chat not found'), says(WEEK))
    expect([await timers.read('1@lid', 0), await timers.read('2@lid', 0)]).toEqual([0, WEEK])
    expect(it.desk.logged.slice(before)).toEqual([])
  })
})

describe('a gateway in trouble', () => {
  test('that is gone, answers 500, hangs, or is not one: said with its reason, and it comes back', async () => {
    await paired({}, { callMs: 150 })
    const cases = [
      ['gateway_down', () => (it.gowa.knobs.fail = 1000), () => (it.gowa.knobs.fail = 0)],
      ['gateway_down', () => (it.gowa.knobs.hang = true), () => (it.gowa.knobs.hang = false)],
      ['gateway_odd', () => (it.gowa.knobs.lie = 'page'), () => (it.gowa.knobs.lie = undefined)],
      ['gateway_odd', () => (it.gowa.knobs.lie = 'device'), () => (it.gowa.knobs.lie = undefined)],
      ['gateway_odd', () => (it.gowa.knobs.lie = 'state'), () => (it.gowa.knobs.lie = undefined)],
    ] as const
    for (const [reason, begin, end] of cases) {
      it.desk.forget()
      begin()
      expect((await troubled(reason)).trouble).toMatchObject({ next: 'retry' })
      expect(await send({ type: 'text', text: 'Espere' })).toMatchObject({ outcome: 'retry', code: 'not_connected' })
      end()
      await status('CONNECTED')
    }
  })

  test('that has another password, or that the server does not know, is said at once', async () => {
    it = await startMeowStandIn(db)
    const { gowa } = it.desk.config
    if (!gowa) throw new Error('There is a gateway')
    const host = (gateway: typeof gowa | null) => ({ ...it.desk.host, config: { ...it.desk.config, gowa: gateway } })
    const wrong = createMeowDriver(it.desk.connection, host({ ...gowa, password: 'wrong' }))
    await wrong.start()
    expect((await troubled('gateway_refused')).trouble?.code).toBe('401')
    await wrong.stop()
    const unset = createMeowDriver(it.desk.connection, host(null))
    await unset.start()
    expect((await troubled('gateway_unset')).trouble).toMatchObject({ next: 'ask_support', nextTryAt: null })
    expect(await unset.pair({ qr: true }).then(() => 'paired', String)).toContain('knows no gateway')
  })

  test('that serves a file without end fills neither memory nor disk', async () => {
    await paired()
    const id = await it.says({ type: 'image', bytes: Buffer.from('pixels') })
    const { media } = await it.desk.next('message', one => one.ref.id === id)
    if (!media) throw new Error('There is no file')
    it.gowa.knobs.enormous = 64 * 1024 * 1024
    const place = { db, dataDir: `/tmp/balcao-enormous-${crypto.randomUUID()}` }
    const storing = it.driver
      .download(media)
      .then(file => storeMedia(place, file, { most: 1024 * 1024, name: 'foto.jpg' }))
    expect(await storing.then(() => 'stored', String)).toContain('ERR_FILE_TOO_LARGE')
    it.gowa.knobs.enormous = 0
  })

  test('a link names a host that is not ours to ask: only its path counts, at the gateway’s own address', async () => {
    await paired()
    const { publicOrigin } = it.gowa
    expect(publicOrigin).not.toBe(it.gowa.url)
    const id = await it.says({ type: 'image', bytes: Buffer.from('pixels') })
    const { media } = await it.desk.next('message', one => one.ref.id === id)
    if (!media) throw new Error('There is no file')
    expect(await new Response(await it.driver.download(media)).text()).toBe('pixels')
  })

  test('an id that is a path stays one', async () => {
    await paired()
    const ref = { chat: it.address, id: '../../devices', fromMe: true }
    expect((await send({ type: 'revoke', ref })).ok).toBe(true)
    expect(it.gowa.calls).toContain('POST /message/..%2F..%2Fdevices/revoke')
  })
})

test('a number is checked by the spelling its area has at WhatsApp; contacts of the phone are told', async () => {
  it = await startMeowStandIn(db)
  it.world.customer({ number: '5511987654321', name: 'Rui' })
  it.gowa.book.push({ jid: it.address, name: 'Lúcia da Padaria' })
  await it.connect()
  expect((await it.driver.check('551187654321'))?.pn).toBe('5511987654321')
  expect((await it.driver.check('5531998762210'))?.pn).toBe('553198762210')
  expect(await it.desk.next('contact')).toMatchObject({
    name: 'Lúcia da Padaria',
    source: 'phone',
    peer: { pn: it.phone },
  })
})
