// WhatsApp's forms of a message → what the desk shows. Pure: no connection.
import { describe, expect, test } from 'bun:test'
import { proto } from '@whiskeysockets/baileys'
import { toContent } from '../../src/messaging/channels/baileys/content.ts'
import { toChannelEvents } from '../../src/messaging/channels/baileys/message.ts'
import { buildContent } from '../../src/messaging/channels/baileys/outgoing.ts'
import { toPlainMessage, toProtoMessage } from '../../src/messaging/channels/baileys/plain-message.ts'
import { replaceQrSecret } from '../../src/messaging/channels/baileys/qr-screen.ts'
import { toFoldedAckEvents } from '../../src/messaging/channels/baileys/receipts.ts'
import { toMoveEvents } from '../../src/messaging/channels/baileys/receiver.ts'

const self = { id: '553132224010:7@s.whatsapp.net', lid: '99@lid' }
const key = {
  remoteJid: '123@lid',
  remoteJidAlt: '5531998762210@s.whatsapp.net',
  fromMe: false,
  id: 'A1',
  participant: '',
}
const events = (message: proto.IMessage, more: object = {}) =>
  toChannelEvents({ key, message, messageTimestamp: 1_700_000_000, ...more }, { self, replay: false })

describe('an answer brings along what it answers', () => {
  const quote = (quotedMessage: proto.IMessage) =>
    events({
      extendedTextMessage: { text: 'essa', contextInfo: { stanzaId: 'B2', participant: self.lid, quotedMessage } },
    })
      .flatMap(event => (event.type === 'message' ? [event.quote] : []))
      .at(0)
  const jpegThumbnail = Buffer.from([0xff, 0xd8, 0xff, 0xe0])

  test('words, and pictures with what is written under them, in whatever envelope', () => {
    expect(quote({ conversation: 'R$ 1.250,00 à vista' })).toMatchObject({
      id: 'B2',
      fromMe: true,
      content: { mediaType: 'chat', body: 'R$ 1.250,00 à vista' },
    })
    const imageMessage = { caption: 'vestido', jpegThumbnail, url: 'https://x.br/1', mediaKey: jpegThumbnail }
    const picture = { mediaType: 'image', body: 'vestido', thumb: jpegThumbnail.toString('base64') }
    expect(quote({ imageMessage })?.content).toMatchObject(picture)
    expect(quote({ ephemeralMessage: { message: { imageMessage } } })?.content).toMatchObject(picture)
  })

  test('nothing of what the desk cannot show', () => {
    expect(quote({ placeholderMessage: {} })?.content).toBeUndefined()
    expect(quote({})?.content).toBeUndefined()
  })
})

describe('kinds', () => {
  const texts: [string, proto.IMessage, string][] = [
    ['a text', { conversation: 'Oi' }, 'Oi'],
    ['a text with a link', { extendedTextMessage: { text: 'https://x.br' } }, 'https://x.br'],
    ['an answer to buttons', { buttonsResponseMessage: { selectedDisplayText: 'Sim' } }, 'Sim'],
    ['an answer to a list', { listResponseMessage: { title: 'Segunda via' } }, 'Segunda via'],
    ['an answer to a template', { templateButtonReplyMessage: { selectedDisplayText: 'Já paguei' } }, 'Já paguei'],
    ['an interactive answer', { interactiveResponseMessage: { body: { text: 'Enviado' } } }, 'Enviado'],
    [
      'an invitation to a group',
      { groupInviteMessage: { groupName: 'Obra', inviteCode: 'abc' } },
      'Obra\nhttps://chat.whatsapp.com/abc',
    ],
  ]
  for (const [name, message, body] of texts)
    test(`${name} is a chat`, () => expect(toContent(message)).toMatchObject({ mediaType: 'chat', body }))

  test('wrappers are opened: vanishing, to be seen once, edited, document with caption', () => {
    const inner = { conversation: 'dentro' }
    for (const wrapper of ['ephemeralMessage', 'viewOnceMessage', 'viewOnceMessageV2', 'editedMessage'])
      expect(toContent({ [wrapper]: { message: inner } })?.body).toBe('dentro')
    const document = { fileName: 'nota.pdf', mimetype: 'application/pdf', caption: 'A nota' }
    expect(toContent({ documentWithCaptionMessage: { message: { documentMessage: document } } })).toMatchObject({
      mediaType: 'application',
      body: 'A nota',
      media: { name: 'nota.pdf', mime: 'application/pdf' },
    })
  })

  test('packed deeper than any phone packs, it is told of and not looked for', () => {
    let message: proto.IMessage = { conversation: 'no fundo' }
    for (let depth = 0; depth < 60; depth++) message = { ephemeralMessage: { message } }
    expect(toContent(message)?.mediaType).toBe('unknown')
  })

  test('what comes first in the message does not hide what it is', () => {
    const message = { messageContextInfo: {}, senderKeyDistributionMessage: { groupId: 'g' }, conversation: 'Oi' }
    expect(toContent(message)?.body).toBe('Oi')
  })

  test('keys, votes, pins and settings are no messages', () => {
    for (const silent of [
      { senderKeyDistributionMessage: { groupId: 'g' } },
      { pinInChatMessage: {} },
      { keepInChatMessage: {} },
      { pollUpdateMessage: {} },
      { encReactionMessage: {} },
      {},
    ])
      expect(toContent(silent)).toBeNull()
  })

  test('a voice note keeps its length and its wave', () => {
    const audioMessage = { ptt: true, seconds: 7, mimetype: 'audio/ogg; codecs=opus', waveform: Buffer.from([0, 9, 3]) }
    expect(toContent({ audioMessage })?.media).toMatchObject({ voice: true, seconds: 7, waveform: [0, 9, 3] })
  })

  test('a location with its small map', () => {
    const locationMessage = {
      degreesLatitude: -19.9,
      degreesLongitude: -43.9,
      name: 'Bar|do Zé',
      jpegThumbnail: Buffer.from('jpg'),
    }
    expect(toContent({ locationMessage })?.body).toBe(
      'data:image/jpeg;base64,anBn|https://maps.google.com/maps?q=-19.9%2C-43.9&z=17|Bar/do Zé',
    )
  })
})

describe('events', () => {
  test('forwarded, and forwarded many times', () => {
    const forwarded = (forwardingScore: number) =>
      events({ extendedTextMessage: { text: 'Corrente', contextInfo: { isForwarded: true, forwardingScore } } })
    expect(forwarded(1)[0]).toMatchObject({ forward: 'true' })
    expect(forwarded(9)[0]).toMatchObject({ forward: 'frequently' })
  })

  test('a quote of ours, whichever of our addresses it names', () => {
    for (const participant of ['553132224010@s.whatsapp.net', '99@lid']) {
      const contextInfo = { stanzaId: 'B2', participant }
      expect(events({ extendedTextMessage: { text: 'Isto', contextInfo } })[0]).toMatchObject({
        quote: { id: 'B2', fromMe: true },
      })
    }
  })

  test('an edit and a deletion name the message they change', () => {
    const Type = proto.Message.ProtocolMessage.Type
    const target = { id: 'Z9', fromMe: true, remoteJid: 'x' }
    const edit = { type: Type.MESSAGE_EDIT, key: target, editedMessage: { conversation: 'Certo' }, timestampMs: 5 }
    expect(events({ protocolMessage: edit })).toMatchObject([
      { type: 'edit', ref: { id: 'Z9', fromMe: false }, body: 'Certo', at: 5 },
    ])
    expect(events({ protocolMessage: { type: Type.REVOKE, key: target } })).toMatchObject([
      { type: 'revoke', ref: { id: 'Z9', chat: '123@lid', fromMe: false } },
    ])
  })

  test('in a group the one who sends an edit or a deletion is told, whoever it says the message is from', () => {
    const Type = proto.Message.ProtocolMessage.Type
    const inGroup = {
      ...key,
      remoteJid: '120@g.us',
      participant: '777@lid',
      participantAlt: '5531911110000@s.whatsapp.net',
    }
    for (const participant of ['99@lid', '555@lid', undefined]) {
      const protocolMessage = {
        type: Type.REVOKE,
        key: { id: 'Z9', remoteJid: '120@g.us', fromMe: false, participant },
      }
      expect(toChannelEvents({ key: inGroup, message: { protocolMessage } }, { self, replay: false })).toMatchObject([
        { type: 'revoke', ref: { id: 'Z9', fromMe: false }, by: { lid: '777@lid', pn: '5531911110000' } },
      ])
    }
  })

  test('somebody’s change of number is read from the notification', () => {
    const attrs = {
      old: '5531987650001@s.whatsapp.net',
      new: '5531900001111@s.whatsapp.net',
      old_lid: '1@lid',
      new_lid: '2@lid',
    }
    const notification = {
      tag: 'notification',
      attrs: { id: 'N1', type: 'contacts' },
      content: [{ tag: 'modify', attrs }],
    }
    expect(toMoveEvents(notification)).toEqual([
      {
        type: 'moved',
        id: 'N1',
        from: { pn: '5531987650001', lid: '1@lid' },
        to: { pn: '5531900001111', lid: '2@lid' },
      },
    ])
    expect(toMoveEvents({ tag: 'notification', attrs: { id: 'N2' }, content: [{ tag: 'update', attrs: {} }] })).toEqual(
      [],
    )
  })

  test('status updates and channels are no conversations, nor is a list without who sends', () => {
    for (const remoteJid of ['status@broadcast', '12@broadcast', '12@newsletter'])
      expect(
        toChannelEvents({ key: { ...key, remoteJid }, message: { conversation: 'x' } }, { self, replay: false }),
      ).toEqual([])
  })

  test('ticks folded into an own message: of one person, and of a group', () => {
    const own = { ...key, fromMe: true }
    expect(toFoldedAckEvents({ key: own, status: 3 })).toMatchObject([
      { type: 'ack', ack: 'delivered', ref: { id: 'A1' } },
    ])
    expect(toFoldedAckEvents({ key: own, status: 5 })).toMatchObject([{ ack: 'read' }])
    expect(toFoldedAckEvents({ key: own, status: 1 })).toEqual([])
    expect(toFoldedAckEvents({ key: own, status: 0, messageStubParameters: ['463'] })).toMatchObject([
      { ack: 'error', code: '463' },
    ])
    const userReceipt = [
      { userJid: 'a@lid', receiptTimestamp: 9 },
      { userJid: 'b@lid', readTimestamp: 10 },
    ]
    expect(toFoldedAckEvents({ key: own, userReceipt })).toMatchObject([
      { ack: 'delivered' },
      { ack: 'read', at: 10_000 },
    ])
  })
})

test('a message survives the database: bytes, large numbers and nested kinds', () => {
  const imageMessage = {
    url: 'https://x',
    mediaKey: Buffer.from([1, 2, 255]),
    fileLength: 12_345_678_901,
    caption: 'é',
  }
  const message = proto.Message.decode(proto.Message.encode({ imageMessage }).finish())
  for (const variant of [message, { imageMessage }]) {
    const stored: unknown = JSON.parse(JSON.stringify(toPlainMessage({ key, message: variant })))
    const back = toProtoMessage(stored)
    expect(Buffer.from(back?.imageMessage?.mediaKey ?? [])).toEqual(Buffer.from([1, 2, 255]))
    expect(Number(back?.imageMessage?.fileLength)).toBe(12_345_678_901)
    expect(Buffer.from(proto.Message.encode(back ?? {}).finish())).toEqual(
      Buffer.from(proto.Message.encode({ imageMessage }).finish()),
    )
  }
})

test('the secret is the fourth field of a QR code, also behind an address', () => {
  expect(replaceQrSecret('https://wa.me/settings/linked_devices#r,n,i,old,1', 'new')).toBe(
    'https://wa.me/settings/linked_devices#r,n,i,new,1',
  )
})

describe('what is passed on', () => {
  test('carries the mark of a forwarded message, and of one forwarded many times', async () => {
    const host = { openMedia: () => Promise.reject(new Error('no file is needed')) }
    expect(await buildContent({ type: 'text', text: 'Promoção', forward: 'true' }, host)).toEqual({
      text: 'Promoção',
      contextInfo: { isForwarded: true, forwardingScore: 1 },
    })
    expect(await buildContent({ type: 'text', text: 'Corrente', forward: 'frequently' }, host)).toMatchObject({
      contextInfo: { isForwarded: true, forwardingScore: 5 },
    })
  })
})
