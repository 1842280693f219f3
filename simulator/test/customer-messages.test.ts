import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { downloadMediaMessage, proto } from '@whiskeysockets/baileys'
import {
  type CompanyPhone,
  type CustomerPhone,
  type OutgoingMessage,
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
  world = await startWhatsApp({ ackDelayMs: 0 })
  company = world.company({ number: '553132224010', name: 'Loja Centro' })
  lucia = world.customer({ number: '5531998762210', name: 'Dona Lúcia' })
  joao = world.customer({ number: '5511987654321', name: 'João', addressing: 'pn' })
  client = await pairClient(world, company)
})

afterAll(async () => {
  client?.end()
  await world.stop()
})

async function receiveMessage(from: CustomerPhone, message: OutgoingMessage) {
  const id = await from.send(company, message)
  return client.until(`the ${message.type}`, () => client.message(id))
}

const file = Buffer.from('the bytes of a file, longer than one block of the cipher')
const kinds = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const

describe('a customer sends', () => {
  for (const type of kinds) {
    test(`a ${type}, which the desk downloads and decrypts`, async () => {
      const message = await receiveMessage(lucia, { type, data: file, fileName: 'lista.pdf', seconds: 3 })
      expect((await downloadMediaMessage(message, 'buffer', {})).toString()).toBe(file.toString())
      if (type === 'voice') expect(message.message?.audioMessage?.ptt).toBe(true)
    })
  }

  test('a document with a caption', async () => {
    const message = await receiveMessage(lucia, { type: 'document', data: file, fileName: 'a.pdf', caption: 'Veja' })
    const document = message.message?.documentWithCaptionMessage?.message?.documentMessage
    expect(document).toMatchObject({ fileName: 'a.pdf', caption: 'Veja' })
  })

  test('a location', async () => {
    const message = await receiveMessage(lucia, { type: 'location', latitude: -19.9, longitude: -43.9, name: 'Casa' })
    expect(message.message?.locationMessage).toMatchObject({ degreesLatitude: -19.9, name: 'Casa' })
  })

  test('a contact card', async () => {
    const message = await receiveMessage(lucia, { type: 'contact', name: 'Zé', number: '5531911112222' })
    expect(message.message?.contactMessage?.vcard).toContain('waid=5531911112222')
  })

  test('several contact cards', async () => {
    const contacts = [
      { name: 'Zé', number: '5531911112222' },
      { name: 'Bia', number: '5531911113333' },
    ]
    const message = await receiveMessage(lucia, { type: 'contacts', contacts })
    expect(message.message?.contactsArrayMessage?.contacts).toHaveLength(2)
  })

  test('a poll', async () => {
    const message = await receiveMessage(lucia, { type: 'poll', name: 'Cor?', options: ['Azul', 'Verde'] })
    expect(message.message?.pollCreationMessage?.options).toHaveLength(2)
  })

  test('a kind nobody here has a word for', async () => {
    const raw = { buttonsResponseMessage: { selectedButtonId: 'b1', selectedDisplayText: 'Sim' } }
    const message = await receiveMessage(lucia, { type: 'raw', message: proto.Message.create(raw) })
    expect(message.message?.buttonsResponseMessage?.selectedButtonId).toBe('b1')
  })

  test('an answer that quotes', async () => {
    const first = await receiveMessage(lucia, { type: 'text', text: 'Primeira' })
    const message = await receiveMessage(lucia, { type: 'text', text: 'Segunda', quote: first.key.id ?? '' })
    expect(message.message?.extendedTextMessage?.contextInfo?.stanzaId).toBe(first.key.id)
  })

  test('a message with its own time', async () => {
    const at = new Date('2026-11-20T12:00:00Z')
    const id = await lucia.send(company, { type: 'text', text: 'Ontem' }, { at })
    const message = await client.until('it', () => client.message(id))
    expect(Number(message.messageTimestamp)).toBe(at.getTime() / 1000)
  })

  test('from a phone number instead of a hidden id', async () => {
    const message = await receiveMessage(joao, { type: 'text', text: 'Oi' })
    expect(message.key).toMatchObject({ remoteJid: joao.jid, remoteJidAlt: joao.lid })
  })

  test('without the other address', async () => {
    const ana = world.customer({ number: '5521999990000', name: 'Ana', withoutAlternate: true })
    const message = await receiveMessage(ana, { type: 'text', text: 'Oi' })
    expect(message.key.remoteJid).toBe(ana.lid)
    expect(message.key.remoteJidAlt).toBeUndefined()
  })
})

describe('a customer changes a message', () => {
  test('by editing it', async () => {
    const first = await receiveMessage(lucia, { type: 'text', text: 'Bom da' })
    const id = first.key.id ?? ''
    await lucia.send(company, { type: 'edit', of: id, text: 'Bom dia' })
    const update = await client.until('the edit', () =>
      client
        .all('messages.update')
        .flat()
        .find(each => each.key.id === id && each.update.message?.editedMessage),
    )
    expect(update.update.message?.editedMessage?.message?.conversation).toBe('Bom dia')
    expect(lucia.message(company.user, id)).toMatchObject({ edited: true, content: { text: 'Bom dia' } })
  })

  test('by deleting it for everybody', async () => {
    const first = await receiveMessage(lucia, { type: 'text', text: 'Ops' })
    const id = first.key.id ?? ''
    await lucia.send(company, { type: 'revoke', of: id })
    const REVOKE = 1
    await client.until('the revoke', () =>
      client
        .all('messages.update')
        .flat()
        .find(each => each.key.id === id && each.update.messageStubType === REVOKE),
    )
    expect(company.message(lucia.user, id)?.revoked).toBe(true)
  })

  test('by reacting to one of the desk', async () => {
    const sent = await client.sock.sendMessage(lucia.lid, { text: 'Pronto!' })
    const id = sent?.key.id ?? ''
    await client.until('it arrived', () => lucia.message(company.user, id))
    await lucia.send(company, { type: 'reaction', of: id, emoji: '❤️' })
    const [reaction] = await client.until('the reaction', () => client.all('messages.reaction').at(-1))
    expect(reaction?.reaction.text).toBe('❤️')
    expect(reaction?.key).toMatchObject({ id, fromMe: true })
  })
})

describe('a customer', () => {
  test('calls and is missed', async () => {
    const id = lucia.call(company, { video: true })
    const call = await client.until('the call', () =>
      client
        .all('call')
        .flat()
        .find(each => each.id === id && each.status === 'timeout'),
    )
    expect(call).toMatchObject({ callerPn: lucia.jid, isVideo: true })
    await client.until('the missed call in the chat', () => client.message(id)?.messageStubType)
  })

  test('is seen typing, and sees the desk type', async () => {
    lucia.typing(company)
    await client.until('typing', () =>
      client.all('presence.update').find(each => each.presences[lucia.lid]?.lastKnownPresence === 'composing'),
    )
    const seen = world.timeline.next(event => event.type === 'typing' && event.phone === lucia.user)
    await client.sock.sendPresenceUpdate('composing', lucia.lid)
    expect(await seen).toMatchObject({ by: company.user, state: 'composing' })
  })

  test('is seen online, and offline', async () => {
    for (const [online, state] of [
      [true, 'available'],
      [false, 'unavailable'],
    ] as const) {
      joao.online = online
      await client.sock.presenceSubscribe(joao.jid)
      await client.until(state, () =>
        client.all('presence.update').find(each => each.presences[joao.jid]?.lastKnownPresence === state),
      )
    }
    joao.online = true
  })

  test('with a new phone and new keys still talks both ways', async () => {
    await receiveMessage(lucia, { type: 'text', text: 'Do velho' })
    lucia.reinstall()
    await receiveMessage(lucia, { type: 'text', text: 'Do novo' })
    lucia.reinstall()
    const sent = await client.sock.sendMessage(lucia.lid, { text: 'Para o novo' })
    await client.until('the answer', () => lucia.message(company.user, sent?.key.id ?? ''))
  })
})

describe('the company reads on its own phone', () => {
  test('and the desk learns it, the customer sees blue ticks', async () => {
    const message = await receiveMessage(lucia, { type: 'text', text: 'Lida no celular' })
    const id = message.key.id ?? ''
    company.read(lucia)
    await client.until('read', () =>
      client
        .all('messages.update')
        .flat()
        .find(each => each.key.id === id && each.update.status === 4),
    )
    expect(lucia.message(company.user, id)?.tick).toBe('read')
  })
})

describe('the company types on its own phone', () => {
  for (const address of ['lid', 'pn'] as const) {
    test(`and the desk sees it as its own, ${address}`, async () => {
      const to = address === 'lid' ? lucia : joao
      const id = await company.type({ to, text: 'Digitado no celular' })
      const message = await client.until('the copy', () => client.message(id))
      expect(message.key).toMatchObject({ fromMe: true, remoteJid: to.address })
      expect(message.message?.conversation).toBe('Digitado no celular')
      expect(to.message(company.user, id)?.content).toEqual({ type: 'text', text: 'Digitado no celular' })
    })
  }
})

describe('a customer of today sends', () => {
  const cards: [OutgoingMessage, string][] = [
    [{ type: 'order', count: 3, total: 159.9 }, 'orderMessage'],
    [{ type: 'product', title: 'Caneca', price: 35, data: file }, 'productMessage'],
    [{ type: 'pix', holder: 'Ana', keyType: 'CPF', key: '12345678909' }, 'interactiveMessage'],
    [{ type: 'charge', total: 20, lines: [{ name: 'Bolo', quantity: 1, price: 20 }] }, 'interactiveMessage'],
    [{ type: 'interactive', text: 'Boleto', buttons: [{ text: 'Pagar', link: 'https://x.br' }] }, 'interactiveMessage'],
    [{ type: 'event', name: 'Visita', startsAt: new Date() }, 'eventMessage'],
    [{ type: 'ad', text: 'Vi o anúncio', title: 'Promoção', link: 'https://fb.me/1' }, 'extendedTextMessage'],
    [{ type: 'statusMention' }, 'statusMentionMessage'],
  ]
  for (const [outgoing, name] of cards)
    test(`${outgoing.type}: ${name}`, async () => {
      const message = await receiveMessage(lucia, outgoing)
      expect(Object.keys(message.message ?? {})).toContain(name)
      expect(message.message?.messageContextInfo?.messageSecret).toHaveLength(32)
    })

  test('a photo in the better quality, in two messages of which the phone shows one', async () => {
    const shown = lucia.chat(company).length
    const id = await lucia.sendHd(company, file, Buffer.from('the better file'))
    const better = await client.until('the better file', () =>
      client.messages.find(one => one.message?.messageContextInfo?.messageAssociation?.parentMessageKey?.id === id),
    )
    expect(better.message?.associatedChildMessage?.message?.imageMessage).toBeTruthy()
    expect(lucia.chat(company)).toHaveLength(shown + 1)
  })

  test('an edit that only who has the secret of the original can read', async () => {
    const of = await lucia.send(company, { type: 'text', text: 'As oito' })
    const message = await receiveMessage(lucia, { type: 'edit', of, text: 'Às oito', sealed: true })
    expect(message.message?.secretEncryptedMessage?.targetMessageKey?.id).toBe(of)
    expect(JSON.stringify(message)).not.toContain('Às oito')
    expect(lucia.chat(company).at(-1)?.content).toEqual({ type: 'text', text: 'Às oito' })
  })

  test('a message through a broadcast list', async () => {
    const id = await lucia.send(company, { type: 'text', text: 'Para todos' }, { list: true })
    const { key } = await client.until('the message', () => client.message(id))
    expect(key).toMatchObject({ participant: lucia.lid, remoteJidAlt: lucia.jid })
    expect(key.remoteJid).toEndWith('@broadcast')
  })
})
