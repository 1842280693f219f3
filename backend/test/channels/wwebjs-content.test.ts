// What a message of WhatsApp Web becomes at the desk, kind by kind, also where its fields are not what they should be.
import { describe, expect, test } from 'bun:test'
import { toContent } from '../../src/messaging/channels/wwebjs/content.ts'
import { rereadMessage, toAck, toMessageEvent } from '../../src/messaging/channels/wwebjs/message.ts'
import { parseMessage } from '../../src/messaging/channels/wwebjs/parse-message.ts'
import type { WebMessage } from '../../src/messaging/channels/wwebjs/protocol.ts'
import { planReconnect } from '../../src/messaging/channels/wwebjs/reconnect.ts'

const LUCIA = '553198762210@c.us'
const HIDDEN = '104405855962164@lid'
const SELF = { pn: '553132224010', lid: '101@lid' }

function cut(fields: Record<string, unknown>, id: Record<string, unknown> = {}): WebMessage {
  const message = parseMessage({
    id: { fromMe: false, remote: LUCIA, id: '3EB0A', ...id },
    t: 1_790_000_000,
    ...fields,
  })
  if (!message) throw new Error('This is no message')
  return message
}

function read(fields: Record<string, unknown>) {
  return toContent(cut(fields))
}

const KINDS: readonly [
  what: string,
  fields: Record<string, unknown>,
  mediaType: string | null,
  body: string | RegExp,
][] = [
  ['words', { type: 'chat', body: 'Oi' }, 'chat', 'Oi'],
  ['a photo with words', { type: 'image', directPath: '/x', caption: 'Veja', body: '/9j/4AAQ' }, 'image', 'Veja'],
  ['a round film', { type: 'ptv', directPath: '/x' }, 'video', ''],
  ['a photo to be seen once', { type: 'image', isViewOnce: true }, 'unknown', ''],
  [
    'a cart',
    { type: 'order', itemCount: 3, totalAmount1000: 159_900, totalCurrencyCode: 'BRL', message: 'Hoje?' },
    'order',
    'Hoje?',
  ],
  ['a product', { type: 'product', title: 'Sal grosso', description: '25 kg' }, 'product', 'Sal grosso\n25 kg'],
  [
    'a poll',
    { type: 'poll_creation', pollName: 'Quando?', pollOptions: [{ name: 'Hoje' }, { name: 'Amanhã' }] },
    'poll',
    /Quando\?/,
  ],
  ['an event', { type: 'event_creation', eventName: 'Feira', eventStartTime: 1_790_000_000 }, 'event', /Feira/],
  ['a chosen row', { type: 'list_response', listResponse: { title: 'Segunda via' } }, 'chat', 'Segunda via'],
  ['a pressed button', { type: 'buttons_response', body: 'Sim' }, 'chat', 'Sim'],
  ["a company's card", { type: 'interactive', title: 'Oferta', body: 'Só hoje', footer: 'Loja' }, 'actions', /Só hoje/],
  [
    'an invitation',
    { type: 'groups_v4_invite', inviteGrpName: 'Vizinhos', inviteCode: 'abc' },
    'chat',
    /chat\.whatsapp\.com\/abc/,
  ],
  ['a kind nobody knows', { type: 'hologram' }, 'unknown', ''],
  ['a notice of the phone', { type: 'e2e_notification' }, null, ''],
  ['a pinned message', { type: 'pinned_message' }, null, ''],
]

describe('kinds', () => {
  for (const [label, fields, mediaType, body] of KINDS)
    test(`${label} is ${mediaType ?? 'nothing'}`, () => {
      const found = read(fields)
      expect(found?.mediaType ?? null).toBe(mediaType as never)
      if (found && typeof body === 'string') expect(found.body).toBe(body)
      else if (found) expect(found.body).toMatch(body)
    })

  test('a cart tells its sum, an event its day', () => {
    const order = read({ type: 'order', itemCount: 3, totalAmount1000: 159_900, totalCurrencyCode: 'BRL' })
    expect(order?.details?.card).toMatchObject({ kind: 'order', count: 3, total: { amount: 159.9, currency: 'BRL' } })
    const event = read({ type: 'event_creation', eventName: 'Feira', eventStartTime: 1_790_000_000 })
    expect(event?.details?.card).toMatchObject({ kind: 'event', startsAt: '2026-09-21T14:13:20.000Z', endsAt: null })
  })

  test('its chat’s timer comes along; no timer says that it stays, what cannot be read says nothing', () => {
    const timer = (fields: Record<string, unknown>) =>
      toMessageEvent(cut(fields), { self: SELF, people: {}, replay: false })?.timer
    const chat = { type: 'chat', body: 'Oi' }
    expect(timer({ ...chat, ephemeralDuration: 604_800 })).toBe(604_800)
    for (const none of [undefined, null, 0, 'x', -1, Number.NaN, {}])
      expect(timer({ ...chat, ephemeralDuration: none })).toBe(0)
    expect(timer({ type: 'hologram' })).toBeUndefined()
  })

  test('of every kind, with fields that are something else, it is a message or nothing, and never an error', () => {
    for (const [, { type }] of KINDS)
      for (const odd of [null, 7, 'x', [], {}, [null], { _serialized: 5 }])
        for (const name of [
          'body',
          'caption',
          'pollOptions',
          'listResponse',
          'vcardList',
          'waveform',
          'eventLocation',
          'size',
          'quotedParticipant',
        ])
          expect(() =>
            toMessageEvent(cut({ type, directPath: '/x', [name]: odd }), { self: SELF, people: {}, replay: false }),
          ).not.toThrow()
    for (const odd of [null, 5, 'x', {}, { id: 'x' }, { id: { id: 5, remote: LUCIA } }])
      expect(parseMessage(odd)).toBeNull()
  })
})

describe('who it is from', () => {
  const people = { [HIDDEN]: { pn: LUCIA, lid: HIDDEN } }
  const eventOf = (fields: Record<string, unknown>, id: Record<string, unknown> = {}) =>
    toMessageEvent(cut({ type: 'chat', body: 'Oi', ...fields }, id), { self: SELF, people, replay: false })

  test('somebody with a hidden address and the number behind it', () => {
    expect(eventOf({ notifyName: 'Dona Lúcia' }, { remote: HIDDEN })).toMatchObject({
      chat: { jid: HIDDEN, pn: '553198762210', lid: HIDDEN },
      name: 'Dona Lúcia',
    })
  })

  test('status updates, channels, broadcasts and notes to oneself are no conversation', () => {
    for (const remote of [
      'status@broadcast',
      '12@newsletter',
      '99@broadcast',
      '0@c.us',
      '553132224010@c.us',
      '101@lid',
    ])
      expect(eventOf({}, { remote })).toBeNull()
  })

  test('an answer says whether it answers us', () => {
    expect(
      eventOf({ quotedStanzaID: 'A', quotedParticipant: { _serialized: '553132224010@c.us' } })?.quote,
    ).toMatchObject({ id: 'A', fromMe: true })
    expect(eventOf({ quotedStanzaID: 'A', quotedParticipant: LUCIA })?.quote).toMatchObject({ fromMe: false })
  })

  test('an answer brings along what it answers: words, and a picture with the small one that stands for it', () => {
    const quote = (quotedMsg: object) =>
      eventOf({ quotedStanzaID: 'A', quotedParticipant: LUCIA, quotedMsg })?.quote?.content
    expect(quote({ type: 'chat', body: 'R$ 1.250,00' })).toEqual({ mediaType: 'chat', body: 'R$ 1.250,00' })
    const image = { type: 'image', body: '/9j/AAAA', caption: 'vestido', mimetype: 'image/jpeg' }
    expect(quote(image)).toEqual({ mediaType: 'image', body: 'vestido', thumb: '/9j/AAAA' })
    expect(quote({ type: 'revoked' })).toBeUndefined()
  })

  test('an advertisement that led here is told, of what we write it is not', () => {
    const ctwaContext = { sourceUrl: 'https://fb.me/x', sourceId: '77', title: 'Sal' }
    expect(eventOf({ ctwaContext })?.details?.origin).toMatchObject({ kind: 'ad', link: 'https://fb.me/x', code: '77' })
    expect(eventOf({ ctwaContext }, { fromMe: true })?.details).toBeUndefined()
  })

  test('an answer to our status says that it is one, and what stood there; of the chat’s own messages it is none', () => {
    const quoted = {
      quotedStanzaID: 'S',
      quotedParticipant: '553132224010@c.us',
      quotedMsg: { type: 'chat', body: 'Chegou bolo' },
    }
    const answer = eventOf({ ...quoted, quotedRemoteJid: { _serialized: 'status@broadcast' } })
    expect([answer?.details?.origin, answer?.quote?.content?.body]).toEqual([
      { kind: 'story', title: '' },
      'Chegou bolo',
    ])
    expect(eventOf(quoted)?.details).toBeUndefined()
  })

  test('what was kept is understood again, with its file', () => {
    const message = cut({
      type: 'document',
      directPath: '/x',
      filename: 'nota.pdf',
      mimetype: 'application/pdf',
      size: 9,
    })
    const restored = JSON.parse(JSON.stringify(message))
    expect(rereadMessage(restored)).toMatchObject({
      mediaType: 'application',
      media: { name: 'nota.pdf', handle: message.id },
    })
    expect(rereadMessage({ something: 'else' })).toBeNull()
  })
})

test('acks from -1 to 4 (spec 1 §4)', () => {
  expect([-1, 0, 1, 2, 3, 4].map(toAck)).toEqual(['error', undefined, 'sent', 'delivered', 'read', 'read'])
})

test('what follows each end of a browser', () => {
  const next = (end: Parameters<typeof planReconnect>[0], attempt = 1) =>
    planReconnect(end, attempt, undefined, () => 0.5)
  expect(next('logged_out')).toMatchObject({ status: 'LOGGEDOUT', next: 'read_qr', afterMs: null, forget: true })
  expect(next({ state: 'UNPAIRED' })).toEqual(next('logged_out'))
  expect(next('codes_shown')).toMatchObject({ status: 'TIMEOUT', reason: 'qr_not_read', afterMs: null })
  expect(next('no_browser')).toMatchObject({ reason: 'no_browser', next: 'ask_support', afterMs: null })
  expect([1, 2, 3, 4, 5, 9].map(attempt => next('died', attempt).afterMs)).toEqual([
    2000, 5000, 15_000, 30_000, 60_000, 60_000,
  ])
  expect(next({ state: 'CONFLICT' })).toMatchObject({ reason: 'replaced', next: 'retry', afterMs: 60_000 })
  expect(next({ state: 'CONFLICT' }, 3)).toMatchObject({ next: 'none', afterMs: null })
  expect(next({ state: 'SMB_TOS_BLOCK' })).toMatchObject({ reason: 'banned', afterMs: null })
})
