// What the composer sends besides words, over HTTP: voice notes, contact cards, templates (spec 1 §5, §7).
import { describe, expect, test } from 'bun:test'
import type { Chat, ChatMessage, Message } from '@balcao/contract'
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Output, WebMOutputFormat } from 'mediabunny'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

const queueId = await makeQueue(db, 'Financeiro')
const whatsappId = await makeConnection(db, 'Loja Centro')
const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
const strangerId = await makePerson(db, { name: 'Estranho', profile: 'user' })
const bruna = await server.as('Bruna')
const stranger = await server.as('Estranho')
const contactId = await makeContact(db, 'Dona Lúcia')
const ticketId = await makeTicket(db, { status: 'open', contactId, whatsappId, queueId, userId: brunaId })

describe('spec 1 §5: recorded audio', () => {
  const waveform = Array.from({ length: 64 }, (_, at) => at)

  test("what Chromium records becomes a voice note's Ogg with Opus, and goes out with its length and shape", async () => {
    const upload = await uploaded(`ticketId=${ticketId}&voice=true`)
    expect([upload.status, upload.body.mime, upload.body.mediaType, upload.body.name]).toEqual([
      201,
      'audio/ogg; codecs=opus',
      'audio',
      'audio.ogg',
    ])
    const { body } = await bruna.call<Message>('POST', `/messages/${ticketId}`, {
      body: '',
      uploadId: upload.body.uploadId,
      voice: true,
      seconds: 3,
      waveform,
    })
    expect(body).toMatchObject({ mediaType: 'audio', media: { voice: true, seconds: 3, waveform, name: 'audio.ogg' } })
    expect(await payloadOf(body.id)).toMatchObject({ type: 'media', media: 'audio', voice: true, seconds: 3, waveform })
    const file = await fetch(`${server.url}${body.mediaUrl}`, { headers: { authorization: `Bearer ${bruna.token}` } })
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('OggS')
  })

  test('the same sound as a plain file stays what it is', async () => {
    const upload = await uploaded(`ticketId=${ticketId}`)
    expect(upload.body.mime).toBe('video/webm')
  })

  test('a broken recording stays the file it is', async () => {
    const broken = (await webm()).slice(0, 300)
    const { status, body } = await bruna.call<{ mime: string }>(
      'PUT',
      `/uploads?name=audio.webm&ticketId=${ticketId}&voice=true`,
      broken,
    )
    expect([status, body.mime]).toEqual([201, 'video/webm'])
  })

  test('a shape out of bounds is refused', async () => {
    const { body: upload } = await uploaded(`ticketId=${ticketId}&voice=true`)
    const { status } = await bruna.call('POST', `/messages/${ticketId}`, {
      body: '',
      uploadId: upload.uploadId,
      voice: true,
      waveform: [101],
    })
    expect(status).toBe(422)
  })

  test('goes in internal chats too', async () => {
    const { body: chat } = await bruna.call<Chat>('POST', '/chats', { callingUserId: strangerId })
    const { body: upload } = await uploaded(`chatId=${chat.id}&voice=true`)
    const { body } = await bruna.call<ChatMessage>('POST', `/chats/messages/${chat.id}`, {
      body: '',
      uploadId: upload.uploadId,
      voice: true,
      seconds: 3,
      waveform,
    })
    expect(body).toMatchObject({ mediaType: 'audio', media: { voice: true, seconds: 3, waveform } })
  })
})

describe('spec 1 §7: POST /messages/vcard/{ticketId}', () => {
  test('sends a name and a number after waid=', async () => {
    const contactId = await withNumber('Padaria Estrela', '5531984507712')
    const { status, body } = await bruna.call<Message>('POST', `/messages/vcard/${ticketId}`, { contactId })
    expect([status, body.mediaType, body.state]).toEqual([201, 'vcard', 'queued'])
    expect(body.body).toContain('FN:Padaria Estrela')
    expect(body.body).toContain('waid=5531984507712')
    expect(await payloadOf(body.id)).toEqual({ type: 'contacts', vcards: [body.body] })
  })

  test('the same `clientId` again is the same card, another one another', async () => {
    const contactId = await withNumber('Padaria Lua', '5531984507713')
    const send = (clientId: string) =>
      bruna.call<Message>('POST', `/messages/vcard/${ticketId}`, { contactId, clientId })
    const [first, again, other] = [await send('cartao-1'), await send('cartao-1'), await send('cartao-2')]
    expect([first.status, again.status, first.body.clientId]).toEqual([201, 201, 'cartao-1'])
    expect(again.body.id).toBe(first.body.id)
    expect(other.body.id).not.toBe(first.body.id)
  })

  test('nobody without a number, no group, nobody unknown', async () => {
    const group = await makeContact(db, 'Grupo', true)
    const refused = async (contactId: number) =>
      (await bruna.call('POST', `/messages/vcard/${ticketId}`, { contactId })).body.error
    expect(await refused(group)).toBe('ERR_WAPP_INVALID_CONTACT')
    expect(await refused(999_999)).toBe('ERR_NO_CONTACT_FOUND')
  })

  test('only in an open ticket, and only by who may see it', async () => {
    const contactId = await withNumber('Mercearia do Zé', '5531971023345')
    const { body } = await stranger.call('POST', `/messages/vcard/${ticketId}`, { contactId })
    expect(body.error).toBe('ERR_NO_PERMISSION')
    await sql`update ticket set status = 'paused' where id = ${ticketId}`
    const paused = await bruna.call('POST', `/messages/vcard/${ticketId}`, { contactId })
    expect(paused.body.error).toBe('ERR_SENDING_WAPP_MSG')
    await sql`update ticket set status = 'open' where id = ${ticketId}`
  })
})

test('spec 1 §7: GET /meta/templates/{ticketId} says that other kinds of connection have none', async () => {
  const { body } = await bruna.call('GET', `/meta/templates/${ticketId}?searchParam=boleto&pageNumber=1`)
  expect(body).toEqual({ templates: [], hasMore: false, count: 0, reason: 'not_supported' })
})

async function withNumber(name: string, number: string): Promise<number> {
  const id = await makeContact(db, name)
  await sql`update contact set number = ${number} where id = ${id}`
  return id
}

async function payloadOf(messageId: number): Promise<unknown> {
  const [row] = await sql<{ payload: unknown }[]>`select payload from outbox where message_id = ${messageId}`
  return row?.payload
}

async function uploaded(query: string) {
  return bruna.call<{ uploadId: string; mime: string; mediaType: string; name: string }>(
    'PUT',
    `/uploads?name=audio.webm&${query}`,
    await webm(),
  )
}

/** Three seconds of Opus in WebM, as Chromium's recorder writes them; packets of silence. */
async function webm(): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new WebMOutputFormat(), target })
  const source = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(source)
  await output.start()
  const decoderConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000, description: opusHead() }
  for (let at = 0; at < 150; at++)
    await source.add(new EncodedPacket(new Uint8Array([0xf8, 0xff, 0xfe]), 'key', at * 0.02, 0.02), { decoderConfig })
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer())
}

/** The header of an Opus stream: version 1, one channel, 312 samples to skip, 48 kHz (RFC 7845). */
function opusHead(): Uint8Array {
  const head = new Uint8Array(19)
  const view = new DataView(head.buffer)
  head.set(new TextEncoder().encode('OpusHead'))
  view.setUint8(8, 1)
  view.setUint8(9, 1)
  view.setUint16(10, 312, true)
  view.setUint32(12, 48_000, true)
  return head
}
