// Whatever comes, in whatever wrapping: nothing throws, no message vanishes, nobody gets two conversations.
import { expect, test } from 'bun:test'
import { proto } from '@whiskeysockets/baileys'
import { toChannelEvents } from '../../src/messaging/channels/baileys/message.ts'
import { toNotificationEvents } from '../../src/messaging/channels/cloud-api/inbound.ts'
import type { ChannelEvent } from '../../src/platform/channel/driver.ts'
import { createTestDatabase } from '../database.ts'
import { makeInbox } from '../inbox-world.ts'
import { createSeededRandom, type SeededRandom } from '../seeded-random.ts'

const { db } = await createTestDatabase()
const sql = db.$client
const SEED = Number(process.env.SEED ?? 20261122)
const CUSTOMER = '5531998762210'
const NUMBER = '106540352242922'

/** What nobody would write, and what everybody does. */
const TEXTS = [
  'oi',
  '',
  ' ',
  '<script>alert(1)</script>',
  '\u0000',
  '\ud83d',
  'a'.repeat(9000),
  '😀'.repeat(300),
  'R$ 1,00\n\n',
]
const NUMBERS = [0, 1, -1, 2 ** 31 - 1, 0.1, 1e15, 90]
const bytes = (random: SeededRandom) => Uint8Array.from({ length: random.upTo(40) }, () => random.upTo(256))

/** Forms in which a person's words, files and cards travel. */
function aLeaf(random: SeededRandom): proto.IMessage {
  const text = () => random.pick(TEXTS)
  const number = () => Math.trunc(random.pick(NUMBERS))
  const file = () => ({
    caption: text(),
    mimetype: text(),
    fileLength: Math.abs(number()),
    mediaKey: bytes(random),
    jpegThumbnail: bytes(random),
  })
  const leaves: (() => proto.IMessage)[] = [
    () => ({ conversation: random.pick(TEXTS.filter(words => words !== '')) }),
    () => ({
      extendedTextMessage: {
        text: text(),
        contextInfo: { stanzaId: text(), participant: text(), externalAdReply: { title: text(), sourceUrl: text() } },
      },
    }),
    () => ({ imageMessage: file() }),
    () => ({ videoMessage: { ...file(), seconds: Math.abs(number()) } }),
    () => ({ audioMessage: { ...file(), ptt: random.chance(0.5), waveform: bytes(random) } }),
    () => ({ documentMessage: { ...file(), fileName: text() } }),
    () => ({ stickerMessage: file() }),
    () => ({ locationMessage: { degreesLatitude: number(), degreesLongitude: number(), name: text() } }),
    () => ({ contactMessage: { displayName: text(), vcard: text() } }),
    () => ({ contactsArrayMessage: { contacts: Array.from({ length: random.upTo(9) }, () => ({ vcard: text() })) } }),
    () => ({
      orderMessage: { itemCount: number(), totalAmount1000: number(), totalCurrencyCode: text(), orderTitle: text() },
    }),
    () => ({
      productMessage: { product: { title: text(), priceAmount1000: number(), currencyCode: text() }, body: text() },
    }),
    () => ({ pollCreationMessageV3: { name: text(), options: [{ optionName: text() }, {}] } }),
    () => ({ eventMessage: { name: text(), startTime: number(), location: { name: text() } } }),
    () => ({ listMessage: { title: text(), description: text(), sections: [{ rows: [{ title: text() }] }] } }),
    () => ({ buttonsMessage: { contentText: text(), buttons: [{ buttonText: { displayText: text() } }] } }),
    () => ({
      templateMessage: {
        hydratedTemplate: { hydratedContentText: text(), hydratedButtons: [{ urlButton: { url: text() } }] },
      },
    }),
    () => ({
      interactiveMessage: {
        body: { text: text() },
        nativeFlowMessage: {
          buttons: [
            { name: text(), buttonParamsJson: text() },
            { name: 'payment_info', buttonParamsJson: '{"payment_settings":[{"pix_static_code":7}]}' },
          ],
        },
      },
    }),
    () => ({
      interactiveResponseMessage: {
        nativeFlowResponseMessage: {
          name: text(),
          paramsJson: random.pick([text(), '{"a":[{"b":{"c":[]}}],"d":null}', '[1,2']),
        },
      },
    }),
    () => ({ groupInviteMessage: { groupName: text(), inviteCode: text() } }),
    () => ({ requestPaymentMessage: { amount1000: number(), currencyCodeIso4217: text() } }),
    () => ({ stickerPackMessage: { name: text() } }),
    () => ({ newsletterAdminInviteMessage: { newsletterName: text(), caption: text() } }),
  ]
  return random.pick(leaves)()
}

const WRAPPERS = [
  'ephemeralMessage',
  'viewOnceMessage',
  'viewOnceMessageV2',
  'documentWithCaptionMessage',
  'groupMentionedMessage',
  'botForwardedMessage',
  'questionMessage',
] as const

function wrapped(random: SeededRandom, message: proto.IMessage, depth: number): proto.IMessage {
  if (depth === 0) return message
  const inside = wrapped(random, message, depth - 1)
  const info = random.chance(0.5) ? { messageContextInfo: { messageSecret: bytes(random) } } : {}
  return { ...info, [random.pick(WRAPPERS)]: { message: inside } }
}

let count = 0
function overBaileys(message: proto.IMessage): ChannelEvent[] {
  return toChannelEvents(
    {
      key: { remoteJid: `${CUSTOMER}@s.whatsapp.net`, id: `ODD${++count}`, fromMe: false },
      message,
      messageTimestamp: 1_790_000_000 + count,
    },
    { self: { id: '5531900000000@s.whatsapp.net' }, replay: false },
  )
}

/** As it stands after its way over the wire. */
const sent = (message: proto.IMessage) =>
  proto.Message.decode(proto.Message.encode(proto.Message.fromObject(message)).finish())

test(`over Baileys 1,000 messages in up to 20 wrappers are each a message (SEED=${SEED})`, () => {
  const random = createSeededRandom(SEED)
  for (let n = 0; n < 1000; n++) {
    const message = sent(wrapped(random, aLeaf(random), random.upTo(21)))
    const events = overBaileys(message)
    if (!events.some(event => event.type === 'message'))
      throw new Error(`vanished: ${JSON.stringify(message).slice(0, 600)}`)
  }
})

test(`over Baileys random bytes are refused by the library or become events (SEED=${SEED})`, () => {
  const random = createSeededRandom(SEED + 1)
  let read = 0
  for (let n = 0; n < 3000; n++) {
    const whole = proto.Message.encode(
      proto.Message.fromObject(wrapped(random, aLeaf(random), random.upTo(4))),
    ).finish()
    for (let flips = random.upTo(6); flips >= 0; flips--) whole[random.upTo(whole.length)] = random.upTo(256)
    const message = decoded(whole)
    if (message) {
      read++
      overBaileys(message)
    }
  }
  expect(read).toBeGreaterThan(300)
})

function decoded(whole: Uint8Array): proto.Message | null {
  try {
    return proto.Message.decode(whole)
  } catch {
    return null
  }
}

/** JSON of any form, a few levels deep. */
function anything(random: SeededRandom, depth: number): unknown {
  const names = [
    'id',
    'type',
    'text',
    'body',
    'title',
    'response_json',
    'product_items',
    'item_price',
    'currency',
    'message',
    'amount',
    'nfm_reply',
    'referral',
    'errors',
  ]
  const kinds: (() => unknown)[] = [
    () => random.pick(TEXTS),
    () => random.pick(NUMBERS),
    () => null,
    () => random.chance(0.5),
    () => (depth === 0 ? '' : Array.from({ length: random.upTo(4) }, () => anything(random, depth - 1))),
    () =>
      depth === 0
        ? ''
        : Object.fromEntries(
            Array.from({ length: random.upTo(5) }, () => [random.pick(names), anything(random, depth - 1)]),
          ),
  ]
  return random.pick(kinds)()
}

const CLOUD_TYPES = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'button',
  'interactive',
  'order',
  'unsupported',
  'errors',
  'hologram',
]

function overGraph(message: object): ChannelEvent[] {
  const value = {
    metadata: { phone_number_id: NUMBER },
    contacts: [{ wa_id: CUSTOMER, profile: { name: 'Lúcia' } }],
    messages: [message],
  }
  return toNotificationEvents(
    { entry: [{ changes: [{ field: 'messages', value }] }] },
    { phoneNumberId: NUMBER, wabaId: '' },
  )
}

function anOddWebhook(random: SeededRandom): Record<string, unknown> {
  const type = random.pick(CLOUD_TYPES)
  const extra = { context: anything(random, 2), referral: anything(random, 2), errors: anything(random, 2) }
  return {
    id: `wamid.ODD${++count}`,
    from: CUSTOMER,
    timestamp: '1790000000',
    type,
    [type]: anything(random, 4),
    ...(random.chance(0.4) ? extra : {}),
  }
}

function hasContent(part: unknown): boolean {
  return (
    typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string' && part.type !== ''
  )
}

test(`over Meta 3,000 webhooks with any content are each a message (SEED=${SEED})`, () => {
  const random = createSeededRandom(SEED + 2)
  for (let n = 0; n < 3000; n++) {
    const webhook = anOddWebhook(random)
    const events = overGraph(webhook)
    // What offers nothing to press or read is nothing.
    if (webhook.type === 'interactive' && !hasContent(webhook.interactive)) continue
    if (!events.some(event => event.type === 'message'))
      throw new Error(`vanished: ${JSON.stringify(webhook).slice(0, 600)}`)
  }
})

for (const [kind, odd] of [
  ['baileys', (random: SeededRandom) => overBaileys(sent(wrapped(random, aLeaf(random), random.upTo(6))))],
  ['cloud_api', (random: SeededRandom) => overGraph(anOddWebhook(random))],
] as const)
  test(`300 of them over ${kind} stand in one conversation, each once, none undigested (SEED=${SEED})`, async () => {
    const random = createSeededRandom(SEED + 3)
    const inbox = await makeInbox(db, kind)
    await inbox.empty()
    const events = Array.from({ length: 300 }, () => odd(random)).flat()
    const results = []
    for (let at = 0; at < events.length; at += 25)
      results.push(await inbox.take(...events.slice(at, at + 25), ...events.slice(at, at + 5)))
    expect(results.map(result => result.undigested).filter(n => n > 0)).toEqual([])
    const messages = new Set(events.flatMap(event => (event.type === 'message' ? event.ref.id : [])))
    const [shown] = await sql`
      select count(*)::int as messages, count(distinct ticket_id)::int as shown, (select count(*)::int from ticket) as tickets from message`
    expect({ ...shown }).toEqual({ messages: messages.size, shown: 1, tickets: 1 })
  })
