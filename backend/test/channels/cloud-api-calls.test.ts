// What only the official API knows: signatures, people without a phone, limits, templates.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import { Graph } from '../../src/messaging/channels/cloud-api/graph.ts'
import { toNotificationEvents } from '../../src/messaging/channels/cloud-api/inbound.ts'
import { createDriver } from '../../src/messaging/channels/registry.ts'
import { isSigned } from '../../src/messaging/channels/shared/signed.ts'
import type { Outgoing } from '../../src/platform/channel/driver.ts'
import { isOwnId } from '../../src/platform/channel/ids.ts'
import { createTestDatabase } from '../database.ts'
import { type CloudApiStandIn, startCloudApiStandIn, TOKEN } from './cloud-api-stand-in.ts'

const { db } = await createTestDatabase()
const FOR_US = { phoneNumberId: '5501', wabaId: '9901' }
let it: CloudApiStandIn

beforeEach(async () => {
  it = await startCloudApiStandIn(db)
  await it.connect()
})
afterEach(async () => {
  await it.close()
})

const send = (message: Outgoing, to = it.address) => it.driver.send(to, null, message)
const messageOf = (id: string) => it.desk.next('message', event => event.ref.id === id)

describe('webhooks', () => {
  const post = (raw: string, signature?: string) =>
    it.driver.handleWebhook?.({
      headers: new Headers(signature ? { 'x-hub-signature-256': signature } : {}),
      raw: Buffer.from(raw),
    })
  const sign = (raw: string) =>
    `sha256=${createHmac('sha256', it.graph.env.GRAPH_APP_SECRET).update(raw).digest('hex')}`

  test('the challenge is answered only to who knows the token', async () => {
    expect(await it.graph.verify(it.webhookUrl)).toBe(true)
    const wrong = await fetch(`${it.webhookUrl}?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1`)
    expect(wrong.status).toBe(403)
  })

  test('without the right signature over exactly these bytes nothing is taken', async () => {
    const raw = '{"entry":[]}'
    expect(await post(raw)).toEqual({ status: 401, events: 0 })
    expect(await post(raw, 'sha256=00')).toEqual({ status: 401, events: 0 })
    expect(await post(`${raw} `, sign(raw))).toEqual({ status: 401, events: 0 })
    expect(await post(raw, sign(raw))).toEqual({ status: 200, events: 0 })
    expect(await post('not json', sign('not json'))).toEqual({ status: 400, events: 0 })
  })

  test('signed are the bytes as they came: escaped letters are not written anew', () => {
    const raw = Buffer.from('{"body":"\\u00e7\\u00e3o"}')
    const header = `sha256=${createHmac('sha256', 's').update(raw).digest('hex')}`
    expect(isSigned(raw, header, 's')).toBe(true)
    expect(isSigned(Buffer.from(JSON.stringify(JSON.parse(raw.toString()))), header, 's')).toBe(false)
  })

  test('200 only when it is stored: until then Meta repeats it', async () => {
    it.desk.refusing = new Error('The database is away')
    const id = await it.says({ type: 'text', text: 'Guarde' })
    await it.desk.until('a refusal', () => it.answers.includes(503))
    it.desk.refusing = null
    await messageOf(id)
    await it.graph.idle()
    expect(it.answers.at(-1)).toBe(200)
  })

  test('many messages and statuses in one notification', async () => {
    const ids: string[] = []
    await it.business.lane.together(async () => {
      for (const text of ['um', 'dois', 'três']) ids.push(await it.says({ type: 'text', text }))
    })
    for (const id of ids) await messageOf(id)
    expect(it.answers).toHaveLength(1)
  })

  test('every status tells back what went out with its send; what is not ours is no trace', async () => {
    const trace = crypto.randomUUID()
    await messageOf(await it.says({ type: 'text', text: 'Oi' }))
    const sent = await it.driver.send(it.address, null, { type: 'text', text: 'Pois não' }, trace)
    const id = sent.ok ? sent.id : ''
    await it.desk.next('ack', event => event.ref.id === id && event.ack === 'delivered')
    it.customer.read(it.business)
    await it.desk.next('ack', event => event.ref.id === id && event.ack === 'read')
    const acks = it.desk.all('ack').filter(event => event.ref.id === id)
    expect(acks.map(({ ack, trace: told }) => [ack, told])).toEqual([
      ['sent', trace],
      ['delivered', trace],
      ['read', trace],
    ])
    for (const biz_opaque_callback_data of ['campaign-7', `${trace}'; --`, '', 7, { id: trace }, null]) {
      const status = { id: 'wamid.x', status: 'sent', recipient_id: '5531987650001', biz_opaque_callback_data }
      const value = { metadata: { phone_number_id: '5501' }, statuses: [status] }
      const [event] = toNotificationEvents({ entry: [{ changes: [{ field: 'messages', value }] }] }, FOR_US)
      expect(event).toMatchObject({ type: 'ack', ack: 'sent' })
      expect(event).not.toHaveProperty('trace')
    }
  })

  test('what became of a payment is told by the provider, and is no word of the customer', () => {
    const payment = { reference_id: 'PEDIDO7', amount: { value: 4990, offset: 100 }, currency: 'BRL' }
    const status = { id: 'wamid.x', type: 'payment', status: 'captured', recipient_id: '5531987650001', payment }
    const value = { metadata: { phone_number_id: '5501' }, statuses: [status] }
    const [event] = toNotificationEvents({ entry: [{ changes: [{ field: 'messages', value }] }] }, FOR_US)
    expect(event).toMatchObject({ type: 'message', mediaType: 'payment', byProvider: true })
    expect(event?.type === 'message' && isOwnId(event.ref.id)).toBe(true)
  })

  test('other numbers of the same account, and other fields, are not ours', () => {
    const value = { metadata: { phone_number_id: 'other' }, messages: [{ id: 'x', from: '5531', type: 'text' }] }
    const body = (field: string) => ({ entry: [{ changes: [{ field, value }] }] })
    expect(toNotificationEvents(body('messages'), FOR_US)).toEqual([])
    expect(toNotificationEvents(body('stories'), { phoneNumberId: 'other', wabaId: '' })).toEqual([])
    expect(toNotificationEvents('nonsense', FOR_US)).toEqual([])
  })
})

describe('people', () => {
  test('somebody with a username may have no phone, and can be answered', async () => {
    const ana = it.graph.customer({
      number: '+55 31 98888-0000',
      name: 'Ana',
      userId: 'BR.1234',
      username: 'ana.bh',
      phoneHidden: true,
    })
    const message = await messageOf(await ana.send(it.business, { type: 'text', text: 'Oi' }))
    expect(message.chat).toEqual({ jid: 'BR.1234', bsuid: 'BR.1234', group: false })
    const result = await send({ type: 'text', text: 'Olá, Ana' }, message.chat.jid)
    expect(result).toMatchObject({ ok: true, jid: 'BR.1234' })
    await it.desk.until('the answer', () => ana.chat(it.business).length > 1)
  })

  test('phone and id of one person are told to belong together', async () => {
    const rui = it.graph.customer({ number: '+55 31 97777-0000', name: 'Rui', userId: 'BR.77' })
    await messageOf(await rui.send(it.business, { type: 'text', text: 'Oi' }))
    expect(it.desk.all('identity')).toContainEqual({ type: 'identity', pn: '5531977770000', bsuid: 'BR.77' })
  })

  test('who wrote from two addresses sees all of it read, also where Meta does not know one of the messages', async () => {
    const ana = it.graph.customer({ number: '+55 31 97777-1111', name: 'Ana' })
    const says = async (customer: typeof ana, text: string) =>
      (await messageOf(await customer.send(it.business, { type: 'text', text }))).ref
    const refs = [
      await says(ana, 'Um'),
      await says(it.customer, 'Dois'),
      await says(ana, 'Três'),
      await says(it.customer, 'Quatro'),
    ]
    const statuses = () => [...ana.chat(it.business), ...it.customer.chat(it.business)].map(({ status }) => status)
    const unknown = { chat: '5531900000000', id: 'wamid.unknown', fromMe: false }
    const own = { chat: '553198762210', id: 'wamid.own', fromMe: true }
    expect(await send({ type: 'read', refs: [unknown, ...refs, own] })).toMatchObject({ ok: true })
    expect(statuses()).toEqual(['read', 'read', 'read', 'read'])
    expect(await send({ type: 'read', refs: [unknown] })).toMatchObject({ ok: false, outcome: 'refused' })
    expect(await send({ type: 'read', refs: [own] })).toMatchObject({ ok: true })
  })

  test('the address Meta answers with counts: it may lack the ninth digit', async () => {
    await messageOf(await it.says({ type: 'text', text: 'Oi' }))
    expect(await send({ type: 'text', text: 'Oi' }, '5531998762210')).toMatchObject({ ok: true, jid: '553198762210' })
  })
})

describe('what Meta tells of what was there before', () => {
  const toEvents = (message: object, field = 'messages', list = 'messages') => {
    const value = { metadata: { phone_number_id: '5501' }, [list]: [message] }
    return toNotificationEvents({ entry: [{ changes: [{ field, value }] }] }, FOR_US)
  }
  const from = { id: 'wamid.new', from: '5531987650001', timestamp: '1790000000' }
  const chat = { jid: '5531987650001', pn: '5531987650001', group: false }
  const at = 1_790_000_000_000

  test('an edit of a text or of a caption names the message and brings its words', () => {
    const edit = (message: object) =>
      toEvents({ ...from, type: 'edit', edit: { original_message_id: 'wamid.old', message } })
    const ref = { chat: chat.jid, id: 'wamid.old', fromMe: false }
    const event = { type: 'edit', ref, id: 'wamid.new', chat, at } as const
    expect(edit({ type: 'text', text: { body: 'Às 9' } })).toEqual([{ ...event, body: 'Às 9' }])
    const image = { id: '1', mime_type: 'image/jpeg', caption: 'A fachada' }
    expect(edit({ context: {}, type: 'image', image })).toEqual([{ ...event, body: 'A fachada' }])
  })

  test('a deletion names the message; neither leaves a card when it names none', () => {
    const ref = { chat: chat.jid, id: 'wamid.old', fromMe: false }
    const revoke = { original_message_id: 'wamid.old' }
    expect(toEvents({ ...from, type: 'revoke', revoke })).toEqual([{ type: 'revoke', ref, chat, at }])
    for (const rest of [{ revoke: {} }, { revoke: null }, {}])
      expect(toEvents({ ...from, type: 'revoke', ...rest })).toEqual([])
  })

  test('an edit of which WhatsApp tells nothing more is told as one that only the phone knows', () => {
    const ref = { chat: chat.jid, id: 'wamid.old', fromMe: false }
    for (const message of [undefined, { type: 'unsupported', errors: [{ code: 131051 }] }])
      expect(toEvents({ ...from, type: 'edit', edit: { original_message_id: 'wamid.old', message } })).toEqual([
        { type: 'edit', ref, id: 'wamid.new', chat, at, body: null },
      ])
  })

  test('what we take back in the app that shares our number is ours', () => {
    const echo = { id: 'wamid.new', from: '55319', to: '5531987650001', timestamp: '1790000000', type: 'revoke' }
    const revoke = { original_message_id: 'wamid.old' }
    expect(toEvents({ ...echo, revoke }, 'smb_message_echoes', 'message_echoes')).toEqual([
      { type: 'revoke', ref: { chat: chat.jid, id: 'wamid.old', fromMe: true }, chat, at },
    ])
  })

  test('a change of number, of which Meta may tell the ids or not, and of an id alone', () => {
    const system = { type: 'user_changed_number', body: 'User A changed', wa_id: '5531900001111' }
    const moved = {
      type: 'moved',
      id: 'wamid.new',
      at,
      from: { pn: '5531987650001' },
      to: { pn: '5531900001111' },
    } as const
    expect(toEvents({ ...from, type: 'system', system })).toEqual([moved])
    expect(
      toEvents({ ...from, type: 'system', system: { ...system, user_id: 'BR.2', previous_user_id: 'BR.1' } }),
    ).toEqual([{ ...moved, from: { ...moved.from, bsuid: 'BR.1' }, to: { ...moved.to, bsuid: 'BR.2' } }])
    const alone = { type: 'user_changed_user_id', user_id: 'BR.2', previous_user_id: 'BR.1' }
    expect(toEvents({ id: 'wamid.new', type: 'system', system: alone })).toEqual([
      { type: 'moved', id: 'wamid.new', from: { bsuid: 'BR.1' }, to: { bsuid: 'BR.2' } },
    ])
    expect(toEvents({ ...from, type: 'system', system: { type: 'customer_identity_changed' } })).toEqual([])
  })
})

describe('answers of people', () => {
  const contents = [
    [{ type: 'button', text: 'Já paguei', payload: 'p1' }, 'Já paguei'],
    [{ type: 'button_reply', id: 'b1', title: 'Sim' }, 'Sim'],
    [{ type: 'list_reply', id: 'l1', title: 'Segunda via' }, 'Segunda via'],
    [{ type: 'nfm_reply', name: 'flow', body: 'Enviado', response: { nome: 'Ana' } }, 'Enviado\nnome: Ana'],
  ] as const
  for (const [content, body] of contents)
    test(`${content.type} reads as what was chosen`, async () => {
      const id = await it.customer.send(it.business, content)
      expect(await messageOf(id)).toMatchObject({ mediaType: content.type === 'nfm_reply' ? 'form' : 'chat', body })
    })

  test('photos in a form answer come behind it as messages of their own, and are fetched', async () => {
    const { GRAPH_URL, GRAPH_VERSION } = it.graph.env
    const graph = new Graph({ url: GRAPH_URL, version: GRAPH_VERSION, appSecret: null, verifyToken: '' }, TOKEN, 5000)
    const photos = []
    for (const name of ['frente', 'verso']) {
      const bytes = Buffer.from(`os bytes da foto ${name}`)
      const file = new FormData()
      file.set('messaging_product', 'whatsapp')
      file.set('type', 'image/jpeg')
      file.set('file', new Blob([bytes], { type: 'image/jpeg' }), `${name}.jpg`)
      const { id } = await graph.upload([FOR_US.phoneNumberId, 'media'], file)
      const sha256 = createHash('sha256').update(bytes).digest('base64')
      photos.push({ bytes, told: { id, file_name: `${name}.jpg`, mime_type: 'image/jpeg', sha256 } })
    }
    const response = { nome: 'Ana', fotos: photos.map(({ told }) => told) }
    const id = await it.customer.send(it.business, { type: 'nfm_reply', name: 'flow', body: 'Enviado', response })
    expect(await messageOf(id)).toMatchObject({ mediaType: 'form', body: expect.not.stringContaining('sha256') })
    for (const [at, { bytes }] of photos.entries()) {
      const { media, mediaType } = await messageOf(`${id}:${at + 1}`)
      expect([mediaType, media?.mime]).toEqual(['image', 'image/jpeg'])
      if (!media) throw new Error('There is no file')
      expect(Buffer.from(await new Response(await it.driver.download(media)).bytes()).toString()).toBe(bytes.toString())
    }
  })

  test('what Meta does not support is shown as a card', async () => {
    const id = await it.customer.send(it.business, { type: 'unsupported' })
    expect((await messageOf(id)).mediaType).toBe('unknown')
  })
})

describe('refusals', () => {
  beforeEach(async () => {
    await messageOf(await it.says({ type: 'text', text: 'Oi' }))
  })

  test('too many to one person: later, and each time four times later', async () => {
    const pauses: (number | undefined)[] = []
    for (let n = 0; n < 3; n++) {
      it.business.refuse(131056)
      const result = await send({ type: 'text', text: 'Oi' })
      pauses.push(result.ok ? undefined : result.afterMs)
    }
    expect(pauses).toEqual([4000, 16_000, 64_000])
    expect((await send({ type: 'text', text: 'Oi' })).ok).toBe(true)
    it.business.refuse(131056)
    expect(await send({ type: 'text', text: 'Oi' })).toMatchObject({ outcome: 'retry', afterMs: 4000 })
  })

  for (const code of [130429, 80007, 4, 131000] as const)
    test(`${code} may work later`, async () => {
      it.business.refuse(code)
      expect(await send({ type: 'text', text: 'Oi' })).toMatchObject({ outcome: 'retry', code: String(code) })
    })

  for (const code of [131026, 131047, 131051, 132001, 133010] as const)
    test(`${code} never will`, async () => {
      it.business.refuse(code)
      const result = await send({ type: 'text', text: 'Oi' })
      expect(result).toMatchObject({ outcome: 'refused', code: String(code), details: expect.any(String) })
    })

  test('accepted first and refused afterwards: more than 24 hours since the last word', async () => {
    it.customer.closeWindow(it.business)
    const result = await send({ type: 'text', text: 'Oi' })
    if (!result.ok) throw new Error(result.text)
    const ack = await it.desk.next('ack', event => event.ref.id === result.id && event.ack === 'error')
    expect(ack).toMatchObject({ code: '131047', details: expect.stringContaining('24 hours') })
  })

  test('a token withdrawn is seen at the next send', async () => {
    await it.unlink()
    const status = await it.desk.next('status', event => event.trouble?.reason === 'token_refused')
    expect(status).toMatchObject({ status: 'DISCONNECTED', trouble: { code: '190', next: 'new_token' } })
  })

  test('without an answer nobody knows, and it is not repeated by itself', async () => {
    expect(it.driver.capabilities.resendSafe).toBe(false)
    await it.graph.stop()
    const result = await send({ type: 'text', text: 'Oi' })
    expect(result).toMatchObject({ ok: false, outcome: 'retry', code: 'unreachable' })
  })
})

describe('start', () => {
  test('without a token it says that one is missing', async () => {
    const driver = await createDriver(
      'cloud_api',
      { id: it.desk.connection.id, config: { phoneNumberId: '5501', wabaId: '9901' } },
      it.desk.host,
    )
    it.desk.forget()
    await driver.start()
    expect((await it.desk.next('status', event => event.trouble != null)).trouble).toMatchObject({
      reason: 'token_refused',
      next: 'new_token',
    })
  })

  test('while Meta cannot be reached it tries again', async () => {
    await it.graph.stop()
    it.desk.forget()
    await it.driver.start()
    await it.desk.until('tries', () => (it.desk.status()?.trouble?.attempt ?? 0) >= 3)
    expect(it.desk.status()?.trouble).toMatchObject({ reason: 'network', next: 'retry' })
  })
})

test('templates: all pages, only the approved', async () => {
  const [one] = it.business.templates
  if (!one) throw new Error('no template')
  it.business.templates = Array.from({ length: 230 }, (_, n) => ({
    ...one,
    id: String(n),
    name: `modelo_${n}`,
    status: n % 23 === 0 ? 'PAUSED' : 'APPROVED',
  }))
  const found = (await it.driver.templates?.()) ?? []
  expect(found).toHaveLength(220)
  expect(found[0]).toMatchObject({ name: 'modelo_1', language: 'pt_BR', parameterFormat: 'POSITIONAL' })
})

test('a template with its parameters reaches the customer also after 24 hours', async () => {
  const components = [
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Lúcia' },
        { type: 'text', text: 'Loja' },
      ],
    },
  ]
  const result = await send({ type: 'template', name: 'boas_vindas', lang: 'pt_BR', components })
  if (!result.ok) throw new Error(result.text)
  await it.desk.next('ack', event => event.ref.id === result.id && event.ack === 'delivered')
  expect((await it.seen(result.id))?.text).toContain('Olá, Lúcia!')
})

test('a file Meta does not take is refused with its reason', async () => {
  await messageOf(await it.says({ type: 'text', text: 'Oi' }))
  const empty = await it.desk.file(new Uint8Array(), 'application/pdf', 'nota.pdf')
  const pdf = { media: 'application', mediaId: empty, mime: 'application/pdf', name: 'nota.pdf' } as const
  const result = await send({ type: 'media', ...pdf })
  expect(result).toMatchObject({ ok: false, outcome: 'refused', code: '131053', details: expect.any(String) })
})

test('a picture Meta does not take arrives as one that it takes', async () => {
  await messageOf(await it.says({ type: 'text', text: 'Oi' }))
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  const mediaId = await it.desk.file(gif, 'image/gif', 'foto.gif')
  const result = await send({ type: 'media', media: 'image', mediaId, mime: 'image/gif', name: 'foto.gif' })
  if (!result.ok) throw new Error(result.text)
  await it.graph.idle()
  expect((await it.seen(result.id))?.type).toBe('image')
})

test('an answer by a recording that cannot be made a voice note goes as plain audio', async () => {
  await messageOf(await it.says({ type: 'text', text: 'Oi' }))
  const mediaId = await it.desk.file(Buffer.from('mp3'), 'audio/mpeg', 'voz.mp3')
  const audio = { media: 'audio', mediaId, mime: 'audio/mpeg', name: 'voz.mp3', voice: true } as const
  const result = await send({ type: 'media', ...audio })
  if (!result.ok) throw new Error(result.text)
  await it.graph.idle()
  expect((await it.seen(result.id))?.type).toBe('audio')
})
