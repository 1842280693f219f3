// What people and companies really send over WhatsApp → what the desk makes of it. One row a message: its kind, its words, its file,
// what stands on its card, or that it is no message. Pure: no connection.
import { describe, expect, test } from 'bun:test'
import { MESSAGE_KINDS, type MessageCard } from '@balcao/contract'
import { proto } from '@whiskeysockets/baileys'
import { createUnreadableCard, rereadMessage, toChannelEvents } from '../../src/messaging/channels/baileys/message.ts'
import { toPlainMessage } from '../../src/messaging/channels/baileys/plain-message.ts'
import type { ChannelEvent } from '../../src/platform/channel/driver.ts'
import { answer, flow, json, key, key32, picture, self, text } from './baileys-pieces.ts'
import { COMPANIES, PAYMENTS } from './baileys-rows-business.ts'
import { FORMS, NO_MESSAGE, OTHERS } from './baileys-rows-others.ts'
import { CONTACTS, FILES, SHOP, WORDS } from './baileys-rows-plain.ts'

const ALL = [...WORDS, ...FILES, ...CONTACTS, ...SHOP, ...PAYMENTS, ...COMPANIES, ...FORMS, ...OTHERS, ...NO_MESSAGE]
const eventsFor = (message: proto.IMessage, around: object = {}, bytes?: Uint8Array): ChannelEvent[] =>
  toChannelEvents({ key, message, messageTimestamp: 1_700_000_000, ...around }, { self, replay: false, bytes })

test('a change of how long messages stay is no message, and told of the chat', () => {
  for (const ephemeralExpiration of [86_400, 0])
    expect(eventsFor({ protocolMessage: { type: 3, ephemeralExpiration } })).toMatchObject([
      { type: 'timer', seconds: ephemeralExpiration },
    ])
})

describe('one row a message', () => {
  for (const [name, message, shown, around] of ALL)
    test(name, () => {
      // Once as a test writes it, once as it comes off the wire, and once as it lies in the database.
      const wire = proto.Message.decode(proto.Message.encode(message).finish())
      for (const variant of around ? [message] : [message, wire]) {
        const events = eventsFor(variant, around)
        if (shown === 'none') {
          expect(events).toEqual([])
          continue
        }
        expect(events).toHaveLength(1)
        const [event] = events
        if (event?.type !== 'message') throw new Error('There is no message')
        const { kind, body, file, card, origin } = shown
        expect(event.mediaType).toBe(kind)
        expect(MESSAGE_KINDS[event.mediaType].opensTicket).toBe(true)
        if (body !== undefined) expect(event.body).toBe(body)
        expect(event.media?.mime).toBe(file)
        if (card) expect(event.details?.card).toMatchObject(card)
        else
          expect(event.details?.card?.kind).toBe(
            kind === 'actions' ||
              kind === 'order' ||
              kind === 'product' ||
              kind === 'payment' ||
              kind === 'event' ||
              kind === 'poll' ||
              kind === 'form'
              ? kind
              : undefined,
          )
        expect<object | undefined>(event.details?.origin).toEqual(origin)
        if (!around)
          expect(rereadMessage(JSON.parse(JSON.stringify(event.raw)))).toMatchObject({
            mediaType: kind,
            body: event.body,
          })
      }
    })

  test('there are at least 90, and each has its own name', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(90)
    expect(new Set(ALL.map(([name]) => name)).size).toBe(ALL.length)
  })
})

/** Fields as a newer WhatsApp may add them: length-delimited, with this number. */
function fieldOf(number: number, content: Uint8Array): Uint8Array {
  const tag = number * 8 + 2
  return Buffer.concat([Buffer.from([(tag & 127) | 128, tag >> 7, content.length]), content])
}
const secretOnly = proto.Message.encode({ messageContextInfo: { messageSecret: key32 } }).finish()

describe('what cannot be read says nothing of how long the messages of its chat stay', () => {
  const timerOf = (event: object | null | undefined) => (event && 'timer' in event ? event.timer : null)

  test('not one that could not be decrypted, nor a photo that may be seen once', () => {
    const lost = { key, message: null, messageTimestamp: 1_700_000_000 }
    expect(timerOf(createUnreadableCard(lost, self, false))).toBeNull()
    const once = toChannelEvents({ ...lost, key: { ...key, isViewOnce: true } }, { self, replay: false })
    expect(once.map(timerOf)).toEqual([null])
  })

  test('nor a kind that only the phone or a newer version shows', () => {
    const inner = fieldOf(131, Buffer.from('algo novo'))
    expect(eventsFor(proto.Message.decode(inner), {}, inner).map(timerOf)).toEqual([null])
  })

  test('what can be read does: that it stays, too', () => {
    expect(eventsFor({ conversation: 'Oi' }).map(timerOf)).toEqual([0])
    const contextInfo = { expiration: 86_400 }
    expect(eventsFor({ extendedTextMessage: { text: 'Oi', contextInfo } }).map(timerOf)).toEqual([86_400])
  })
})

describe('kinds newer than the library', () => {
  const inner = fieldOf(131, Buffer.from('algo novo'))
  const envelope = (content: Uint8Array) =>
    // `ephemeralMessage` is field 40, its message field 1.
    fieldOf(40, Buffer.concat([Buffer.from([10, content.length]), content]))
  const rows: [string, Uint8Array][] = [
    ['by itself', inner],
    ['beside what is known of every message', Buffer.concat([secretOnly, inner])],
    ['in an envelope', envelope(inner)],
    ['in an envelope in an envelope', envelope(envelope(inner))],
  ]
  for (const [name, bytes] of rows)
    test(`${name}: a card that says so, which keeps all its bytes`, () => {
      const [event] = eventsFor(proto.Message.decode(bytes), {}, bytes)
      expect(event).toMatchObject({
        type: 'message',
        ...{ mediaType: 'unknown', body: '' },
        details: { card: { code: 'new_kind', name: 'field 131' } },
      })
      expect(event?.type === 'message' && event.raw).toMatchObject({ bytes: Buffer.from(bytes).toString('base64') })
    })

  test('what is empty, or broken off, is none', () => {
    for (const bytes of [new Uint8Array(), secretOnly])
      expect(eventsFor(proto.Message.decode(bytes), {}, bytes)).toEqual([])
  })

  test('one that a version knows is read from its bytes again', () => {
    const bytes = proto.Message.encode({ conversation: 'agora sei' }).finish()
    const raw = toPlainMessage({ key, message: {}, messageTimestamp: 1 }, bytes)
    expect(rereadMessage(JSON.parse(JSON.stringify(raw)))).toMatchObject({ mediaType: 'chat', body: 'agora sei' })
  })
})

describe('around a message', () => {
  test('through somebody’s broadcast list it stands in the chat with who sent it', () => {
    const list = { ...key, remoteJid: '1711@broadcast', participant: '123@lid' }
    const [event] = eventsFor(text('A todos'), { key: list, broadcast: true })
    expect(event).toMatchObject({
      type: 'message',
      chat: { jid: '123@lid', pn: '5531998762210', group: false },
      ref: { chat: '123@lid', fromMe: false },
    })
    expect(event).not.toHaveProperty('author')
  })

  test('a better file names the small one it takes the place of', () => {
    for (const [associationType, inside] of [
      [10, { imageMessage: picture }],
      [5, { videoMessage: { mediaKey: key32 } }],
    ] as const) {
      const messageContextInfo = { messageAssociation: { associationType, parentMessageKey: { id: 'SD' } } }
      expect(eventsFor({ associatedChildMessage: { message: inside }, messageContextInfo })).toMatchObject([
        { ref: { id: 'A1' }, betterOf: 'SD' },
      ])
    }
  })

  test('on our own messages an advertisement says nothing', () => {
    const contextInfo = { externalAdReply: { title: 'Promoção', sourceType: 'ad' } }
    const [event] = eventsFor({ extendedTextMessage: { text: 'Olá', contextInfo } }, { key: { ...key, fromMe: true } })
    expect(event).not.toHaveProperty('details')
  })

  test('its secret is kept with it, whatever it is packed in', () => {
    const messageContextInfo = { messageSecret: key32 }
    const secret = Buffer.from(key32).toString('base64')
    expect(eventsFor({ ...text('x'), messageContextInfo })).toMatchObject([{ secret }])
    expect(eventsFor({ ephemeralMessage: { message: text('x') }, messageContextInfo })).toMatchObject([{ secret }])
    expect(eventsFor({ ephemeralMessage: { message: { ...text('x'), messageContextInfo } } })).toMatchObject([
      { secret },
    ])
  })

  test('a sealed change that was not opened says of its message that it was changed', () => {
    const secretEncryptedMessage = {
      targetMessageKey: { id: 'Z9', fromMe: true },
      encPayload: key32,
      encIv: key32,
      secretEncType: 2,
    }
    expect(eventsFor({ secretEncryptedMessage })).toMatchObject([
      { type: 'edit', ref: { id: 'Z9', fromMe: false }, body: null },
    ])
  })

  test('a card that was changed brings how it is now', () => {
    const editedMessage = { eventMessage: { name: 'Visita', startTime: 1_800_000_000 } }
    const protocolMessage = { type: 14, key: { id: 'Z9' }, editedMessage }
    expect(eventsFor({ protocolMessage })).toMatchObject([
      { type: 'edit', body: 'Visita', details: { card: { kind: 'event' } } },
    ])
  })

  test('more buttons, fields and letters than a card takes are cut', () => {
    const many = Array.from({ length: 99 }, (_, n) => json('quick_reply', { display_text: `b${n}` }))
    const cardIn = (message: proto.IMessage): MessageCard | undefined => {
      const [event] = eventsFor(message)
      return event?.type === 'message' ? event.details?.card : undefined
    }
    const actions = cardIn({ interactiveMessage: { body: { text: 'x'.repeat(9000) }, ...flow(...many) } })
    expect(actions?.kind === 'actions' && [actions.buttons.length, actions.text.length]).toEqual([30, 4001])
    const form = cardIn(answer(Object.fromEntries(Array.from({ length: 999 }, (_, n) => [`f${n}`, 'v']))))
    expect(form?.kind === 'form' && form.fields.length).toBe(200)
  })
})
