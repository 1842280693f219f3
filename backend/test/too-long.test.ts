// A text that is longer than its connection takes, and a file that cannot be sent by it, are refused where they are written, by every way out, and nothing of them is left.
import { beforeAll, describe, expect, test } from 'bun:test'
import { KIND_TABLE, LIMITS, type Message } from '@balcao/contract'
import { MOV } from './channels/films.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db, url } = server
const sql = db.$client
const { most } = KIND_TABLE.cloud_api
const FITS = 'x'.repeat(most.text)
const LONG = 'x'.repeat(most.text + 1)

let bruna: SignedInPerson
let [official, phone, queueId, brunaId] = [0, 0, 0, 0]

beforeAll(async () => {
  queueId = await makeQueue(db, 'Financeiro')
  official = await makeConnection(db, 'Oficial', 'cloud_api')
  phone = await makeConnection(db, 'Loja Centro')
  brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queueId] })
  bruna = await server.as('Bruna')
})

describe('over the official API', () => {
  test('an answer: 422 with how much fits, and nothing is stored; what just fits goes', async () => {
    const ticketId = await inService(official)
    const refused = await bruna.call('POST', `/messages/${ticketId}`, { body: LONG })
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { error: 'ERR_TEXT_TOO_LONG', details: { most: most.text, length: most.text + 1 } },
    ])
    expect(await leftIn(ticketId)).toEqual({ messages: 0, outbox: 0 })
    expect((await bruna.call('POST', `/messages/${ticketId}`, { body: FITS })).status).toBe(201)
    expect((await bruna.call('POST', `/messages/${ticketId}`, { body: `--${LONG}` })).status).toBe(201)
  })

  test('the words under a file, in a form and with one uploaded before', async () => {
    const ticketId = await inService(official)
    const caption = 'x'.repeat(most.caption + 1)
    const form = new FormData()
    form.append('medias', new File(['oi'], 'nota.txt', { type: 'text/plain' }))
    form.append('body', caption)
    expect(await refusalOf(bruna.call('POST', `/messages/${ticketId}`, form))).toEqual(TOO_LONG)
    const bytes = new TextEncoder().encode('oi')
    const upload = await bruna.call<{ uploadId: string }>('PUT', `/uploads?name=nota.txt&ticketId=${ticketId}`, bytes)
    const sending = { body: caption, uploadId: upload.body.uploadId }
    expect(await refusalOf(bruna.call('POST', `/messages/${ticketId}`, sending))).toEqual(TOO_LONG)
    expect(await leftIn(ticketId)).toEqual({ messages: 0, outbox: 0 })
  })

  test('the words that follow a voice: neither goes out', async () => {
    const ticketId = await inService(official)
    const form = new FormData()
    form.append('medias', new File([aVoice()], 'voz.ogg', { type: 'audio/ogg' }))
    form.append('body', LONG)
    expect(await refusalOf(bruna.call('POST', `/messages/${ticketId}`, form))).toEqual(TOO_LONG)
    expect(await leftIn(ticketId)).toEqual({ messages: 0, outbox: 0 })
  })

  test('the change of a message that still waits: it goes out as it was', async () => {
    const ticketId = await inService(official)
    const { body } = await bruna.call<Message>('POST', `/messages/${ticketId}`, { body: 'Bom dia' })
    const change = { messageId: body.id, body: LONG }
    expect(await refusalOf(bruna.call('PUT', `/messages/${ticketId}`, change))).toEqual(TOO_LONG)
    const [row] = await sql`select payload->>'text' as text from outbox where message_id = ${body.id}`
    expect(row?.text).toBe('Bom dia')
  })

  test('a forward: who cannot get it is named with the reason', async () => {
    const ticketId = await inService(official)
    const source = await makeMessage(db, ticketId, LONG)
    const other = await inService(official)
    const [row] = await sql<{ contact_id: number }[]>`select contact_id from ticket where id = ${other}`
    const forward = { contacts: [row?.contact_id ?? 0] }
    expect(await refusalOf(bruna.call('POST', `/messages/forward/${source}`, forward))).toEqual(TOO_LONG)
    expect(await leftIn(other)).toEqual({ messages: 0, outbox: 0 })
  })

  test('a field of a template', async () => {
    const ticketId = await inService(official)
    const text = 'x'.repeat(LIMITS.templateField + 1)
    const parameters = [{ type: 'body', parameters: [{ type: 'text', text }] }]
    const sending = { ticketId, template: { name: 'pedido', language: 'pt_BR', parameters } }
    expect(await refusalOf(bruna.call('POST', '/meta/templates', sending))).toEqual(TOO_LONG)
    expect(await leftIn(ticketId)).toEqual({ messages: 0, outbox: 0 })
  })

  test('what another program sends', async () => {
    const dono = await server.as('Dono')
    const { body } = await dono.call<{ value: string }>('PUT', '/settings/userApiToken', { value: 'new' })
    const contactId = await makeContact(db, 'Seu Zé')
    await sql`insert into contact_identity (contact_id, kind, value) values (${contactId}, 'pn', '5531998762210')`
    await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
      values (${contactId}, ${official}, '5531998762210', now())`
    const send = async (words: string) => {
      const answer = await fetch(`${url}/api/messages/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${body.value}`, 'content-type': 'application/json' },
        body: JSON.stringify({ number: '5531998762210', whatsappId: official, body: words }),
      })
      const { error }: { error?: string } = await answer.json()
      return [answer.status, error]
    }
    expect(await send(LONG)).toEqual(TOO_LONG)
    expect((await send(FITS))[0]).toBe(201)
  })
})

describe('a film whose bytes nobody can read', () => {
  const broken = new File([Buffer.concat([MOV.subarray(0, 32), Buffer.alloc(300, 7)])], 'video.mov', {
    type: 'video/quicktime',
  })
  const refused = [422, 'ERR_FILE_TYPE']

  test('is refused by the official API in a form and uploaded before', async () => {
    const ticketId = await inService(official)
    const form = new FormData()
    form.append('medias', broken)
    expect(await refusalOf(bruna.call('POST', `/messages/${ticketId}`, form))).toEqual(refused)
    const path = `/uploads?name=video.mov&ticketId=${ticketId}`
    const upload = await bruna.call<{ uploadId: string }>('PUT', path, await broken.bytes())
    const sending = { body: '', uploadId: upload.body.uploadId }
    expect(await refusalOf(bruna.call('POST', `/messages/${ticketId}`, sending))).toEqual(refused)
    expect(await leftIn(ticketId)).toEqual({ messages: 0, outbox: 0 })
  })

  test('goes by a phone as the document it is', async () => {
    const ticketId = await inService(phone)
    const form = new FormData()
    form.append('medias', broken)
    expect((await bruna.call('POST', `/messages/${ticketId}`, form)).status).toBe(201)
    expect(await leftIn(ticketId)).toEqual({ messages: 1, outbox: 1 })
  })
})

test('over a phone the same text goes', async () => {
  const ticketId = await inService(phone)
  expect((await bruna.call('POST', `/messages/${ticketId}`, { body: LONG })).status).toBe(201)
})

/** The first page of an Opus file: enough to be told by its bytes. */
function aVoice(): Uint8Array<ArrayBuffer> {
  const page = Buffer.alloc(64)
  page.write('OggS')
  page.write('OpusHead', 28)
  return new Uint8Array(page)
}

const TOO_LONG = [422, 'ERR_TEXT_TOO_LONG']

async function refusalOf(call: Promise<{ status: number; body: { error?: unknown } }>): Promise<unknown[]> {
  const { status, body } = await call
  return [status, body.error]
}

async function inService(whatsappId: number): Promise<number> {
  const contactId = await makeContact(db, 'Dona Lúcia')
  await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
    values (${contactId}, ${whatsappId}, ${`5531${contactId}`}, now())`
  return makeTicket(db, { contactId, whatsappId, status: 'open', queueId, userId: brunaId })
}

async function leftIn(ticketId: number) {
  const [row] = await sql<{ messages: number; outbox: number }[]>`
    select count(*)::int as messages, count(o.id)::int as outbox
    from message m left join outbox o on o.message_id = m.id where m.ticket_id = ${ticketId} and m.from_me`
  return row
}
