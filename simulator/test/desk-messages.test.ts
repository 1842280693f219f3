import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AnyMessageContent, downloadMediaMessage } from '@whiskeysockets/baileys'
import {
  type CompanyPhone,
  type CustomerPhone,
  type PhoneMessage,
  startWhatsApp,
  type WhatsAppNetwork,
} from '../src/whatsapp'
import { type Client, pairClient } from './client'

let world: WhatsAppNetwork
let company: CompanyPhone
let lucia: CustomerPhone
let joao: CustomerPhone
let client: Client

beforeAll(async () => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  world = await startWhatsApp({ ackDelayMs: 0 })
  company = world.company({ number: '553132224010', name: 'Loja Centro' })
  lucia = world.customer({ number: '5531998762210', name: 'Dona Lúcia', onWhatsAppAs: '553198762210' })
  joao = world.customer({ number: '5511987654321', name: 'João', addressing: 'pn' })
  client = await pairClient(world, company)
})

afterAll(async () => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  client?.end()
  await world.stop()
})

async function sendMessage(to: CustomerPhone, content: AnyMessageContent): Promise<PhoneMessage> {
  const message = await client.sock.sendMessage(to.address, content)
  return client.until('the phone has it', () => to.message(company.user, message?.key.id ?? ''))
}

const file = Buffer.from('the bytes of a file, longer than one block of the cipher')
const makeKey = (id: string) => ({ remoteJid: lucia.lid, fromMe: true, id })

describe('the desk sends', () => {
  const contents: [string, AnyMessageContent][] = [
    ['image', { image: file, caption: 'Foto', jpegThumbnail: '' }],
    ['video', { video: file, jpegThumbnail: '' }],
    ['audio', { audio: file, mimetype: 'audio/mpeg', seconds: 2 }],
    ['voice', { audio: file, ptt: true, seconds: 2, mimetype: 'audio/ogg; codecs=opus' }],
    ['document', { document: file, fileName: 'nota.pdf', mimetype: 'application/pdf' }],
    ['sticker', { sticker: file }],
  ]
  for (const [type, content] of contents) {
    test(`a ${type}, which the customer downloads and decrypts`, async () => {
      const message = await sendMessage(lucia, content)
      expect(String(message.content.type)).toBe(type)
      expect(Buffer.from(await lucia.download(message)).toString()).toBe(file.toString())
    })
  }

  test('a text to a phone number', async () => {
    expect((await sendMessage(joao, { text: 'Oi, João' })).content).toEqual({ type: 'text', text: 'Oi, João' })
  })

  test('a text to the phone number of somebody with a hidden id', async () => {
    const message = await client.sock.sendMessage(lucia.jid, { text: 'Pelo número' })
    const id = message?.key.id ?? ''
    await client.until('the phone has it', () => lucia.message(company.user, id))
    await client.until('delivered', () => client.status(id) === 3)
    const answer = await lucia.send(company, { type: 'text', text: 'Recebi' })
    expect((await client.until('the answer', () => client.message(answer))).key.remoteJid).toBe(lucia.lid)
  })

  test('a location', async () => {
    const location = { degreesLatitude: -19.9, degreesLongitude: -43.9, name: 'Loja' }
    expect((await sendMessage(lucia, { location })).content).toMatchObject({ type: 'location', name: 'Loja' })
  })

  test('a contact card', async () => {
    const contacts = { displayName: 'Zé', contacts: [{ vcard: 'BEGIN:VCARD\nEND:VCARD' }] }
    expect((await sendMessage(lucia, { contacts })).content).toMatchObject({ type: 'contacts' })
  })

  test('an edit', async () => {
    const { id } = await sendMessage(lucia, { text: 'Bom da' })
    await client.sock.sendMessage(lucia.lid, { text: 'Bom dia', edit: makeKey(id) })
    await client.until('edited', () => lucia.message(company.user, id)?.edited)
    expect(lucia.message(company.user, id)?.content).toEqual({ type: 'text', text: 'Bom dia' })
    expect(company.message(lucia.user, id)?.content).toEqual({ type: 'text', text: 'Bom dia' })
  })

  test('a deletion for everybody', async () => {
    const { id } = await sendMessage(lucia, { text: 'Ops' })
    await client.sock.sendMessage(lucia.lid, { delete: makeKey(id) })
    await client.until('deleted', () => lucia.message(company.user, id)?.revoked)
  })

  test('a reaction, and takes it back', async () => {
    const id = await lucia.send(company, { type: 'text', text: 'Chegou!' })
    const message = await client.until('the message', () => client.message(id))
    await client.sock.sendMessage(lucia.lid, { react: { text: '👍', key: message.key } })
    await client.until('reaction', () => lucia.message(company.user, id)?.reactions?.[company.user] === '👍')
    await client.sock.sendMessage(lucia.lid, { react: { text: '', key: message.key } })
    await client.until('taken back', () => !lucia.message(company.user, id)?.reactions?.[company.user])
  })
})

describe('ticks', () => {
  test('come one after the other, in time', async () => {
    const ana = world.customer({ number: '5521999990000', name: 'Ana', autoRead: true })
    ana.knobs.ackDelayMs = 150
    const message = await client.sock.sendMessage(ana.lid, { text: 'Oi' })
    const id = message?.key.id ?? ''
    await client.until('read', () => client.status(id) === 4)
    const states = client
      .all('messages.update')
      .flat()
      .filter(each => each.key.id === id)
    expect(states.map(each => each.update.status)).toEqual([3, 4])
  })

  test('turn to played when the customer listens', async () => {
    const { id } = await sendMessage(lucia, { audio: file, ptt: true, seconds: 2 })
    lucia.play(company, id)
    await client.until('played', () => client.status(id) === 5)
  })

  test('wait for a phone that is off', async () => {
    joao.offline()
    const message = await client.sock.sendMessage(joao.jid, { text: 'Está aí?' })
    const id = message?.key.id ?? ''
    await client.until('the company has its copy', () => company.message(joao.user, id))
    expect(joao.message(company.user, id)).toBeUndefined()
    expect(client.status(id)).toBeLessThan(3)
    joao.online = true
    await client.until('delivered', () => client.status(id) === 3)
  })

  test('are an error when the account may not write: 463', async () => {
    const stranger = world.customer({ number: '5585999990000', name: 'Estranho' })
    Object.assign(stranger.knobs, { refuse: 463, ackDelayMs: 150 })
    const message = await client.sock.sendMessage(stranger.lid, { text: 'Promoção!' })
    const failed = await client.until('the refusal', () =>
      client
        .all('messages.update')
        .flat()
        .find(each => each.key.id === message?.key.id),
    )
    expect(failed.update).toMatchObject({ status: 0, messageStubParameters: ['463', expect.any(String)] })
    expect(stranger.chat(company)).toHaveLength(0)
  })

  test('that come at once are folded into the own message', async () => {
    const message = await client.sock.sendMessage(lucia.lid, { text: 'Já' })
    const id = message?.key.id ?? ''
    await client.until('delivered', () => client.message(id)?.status === 3)
  })

  test('never come for a message that got lost', async () => {
    lucia.knobs.lose = 1
    const message = await client.sock.sendMessage(lucia.lid, { text: 'Sumiu' })
    await sendMessage(joao, { text: 'Depois' })
    lucia.knobs.lose = 0
    expect(lucia.message(company.user, message?.key.id ?? '')).toBeUndefined()
  })
})

describe('the desk asks', () => {
  test('for a file that is no longer on the media host', async () => {
    const id = await lucia.send(company, { type: 'image', data: file })
    const message = await client.until('the image', () => client.message(id))
    const content = lucia.message(company.user, id)?.content
    if (!content || !('media' in content)) throw new Error('no image')
    world.media.expire(content.media.path)
    expect(downloadMediaMessage(message, 'buffer', {})).rejects.toMatchObject({ output: { statusCode: 404 } })
    await client.sock.refreshMediaConn()
    const again = await client.sock.updateMediaMessage(message)
    expect((await downloadMediaMessage(again, 'buffer', {})).toString()).toBe(file.toString())
  })

  test('who is on WhatsApp, with and without the ninth digit', async () => {
    const [withNine] = (await client.sock.onWhatsApp('5531998762210')) ?? []
    expect(withNine).toEqual({ jid: '553198762210@s.whatsapp.net', exists: true })
    const [without] = (await client.sock.onWhatsApp('551187654321')) ?? []
    expect(without).toEqual({ jid: joao.jid, exists: true })
    const [nobody] = (await client.sock.onWhatsApp('5531900000000')) ?? []
    expect(nobody?.exists ?? false).toBe(false)
  })

  test('for a profile picture', async () => {
    lucia.picture = world.publish('/pictures/lucia.jpg', file)
    const url = await client.sock.profilePictureUrl(lucia.lid, 'image')
    expect(Buffer.from(await (await fetch(url ?? '')).arrayBuffer()).toString()).toBe(file.toString())
    expect(client.sock.profilePictureUrl(joao.jid)).rejects.toThrow('item-not-found')
  })
})
