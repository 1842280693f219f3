// What a message carries, by WhatsApp Web's name of its kind. One row a kind.
import {
  type CardOf,
  type MediaType,
  type MessageCard,
  type MessageDetails,
  mediaTypeOf,
  moneyOf,
  type NoticeCode,
  wordsOfCard,
} from '@balcao/contract'
import type { MediaHandle } from '../../../platform/channel/driver.ts'
import { cardLink, cardText, MOST_BUTTONS, quantityOf } from '../shared/cards.ts'
import { isRecord, namedIn, records, text } from '../shared/json.ts'
import { locationBody } from '../shared/location.ts'
import type { WebMessage } from './protocol.ts'

export interface Content {
  readonly mediaType: MediaType
  readonly body: string
  readonly media?: Omit<MediaHandle, 'handle'>
  readonly details?: MessageDetails
}

/** The content of a message, or null for what no conversation shows. A kind nobody knows becomes a card, it is never dropped. */
export function contentOf(message: WebMessage): Content | null {
  if (SILENT.has(message.type)) return null
  const read = namedIn(KINDS, message.type)
  const content = read ? read(message) : noticed('new_kind', message.type)
  return content && withOrigin(message, content)
}

/** What stands for something that can't be shown. */
export function noticed(code: NoticeCode, name: string): Content {
  return carded({ kind: 'notice', code, name })
}

/** Travel as messages but never are one: notices of the phone, keys, votes, parts of other messages. */
const SILENT: ReadonlySet<string> = new Set([
  'album',
  'broadcast_notification',
  'call_log',
  'ciphertext',
  'debug',
  'e2e_notification',
  'event_response',
  'gp2',
  'group_notification',
  'keep_in_chat',
  'newsletter_notification',
  'notification',
  'notification_template',
  'pin_message',
  'pinned_message',
  'poll_update',
  'protocol',
  'reaction',
  'reaction_enc',
  'revoked',
])

type Read = (message: WebMessage) => Content | null

const KINDS: Readonly<Record<string, Read>> = {
  chat: message => chat(text(message.body)),
  image: message => file(message, 'image', 'image/jpeg'),
  video: message => file(message, 'video', 'video/mp4'),
  ptv: message => file(message, 'video', 'video/mp4'),
  audio: message => file(message, 'audio', 'audio/ogg'),
  ptt: message => file(message, 'audio', 'audio/ogg'),
  document: message => file(message, 'application', 'application/octet-stream'),
  sticker: message => file(message, 'sticker', 'image/webp'),
  location: place,
  vcard: message => ({ mediaType: 'vcard', body: text(message.body) ?? '' }),
  multi_vcard: message => ({
    mediaType: 'contact_array',
    body: records(message.vcardList)
      .map(card => text(card.vcard) ?? '')
      .join('\n'),
  }),

  poll_creation: message =>
    carded({
      kind: 'poll',
      question: cardText(message.pollName) ?? '',
      options: records(message.pollOptions).flatMap(option => cardText(option.name, 200) ?? []),
      isMultiple: message.pollSelectableOptionsCount !== 1,
    }),
  event_creation: eventOf,
  order: orderOf,
  product: productOf,
  payment: message => {
    const note = cardText(message.body)
    return carded({ kind: 'payment', state: 'paid', total: null, lines: [], ...(note && { text: note }) })
  },
  groups_v4_invite: message =>
    said(
      message.caption,
      message.inviteGrpName,
      message.inviteCode && `https://chat.whatsapp.com/${message.inviteCode}`,
    ),

  list_response: message => said(isRecord(message.listResponse) ? message.listResponse.title : undefined, message.body),
  buttons_response: message => said(message.selectedDisplayText ?? message.body),
  template_button_reply: message => said(message.body ?? message.selectedDisplayText),
  hsm: actionsOf,
  list: actionsOf,
  interactive: actionsOf,
  native_flow: actionsOf,
  interactive_response: message => said(message.body),

  oversized: () => noticed('only_on_phone', 'oversized'),
  unknown: message => noticed('new_kind', text(message.subtype) ?? 'unknown'),
}

function chat(body: string | undefined): Content {
  return { mediaType: 'chat', body: body ?? '' }
}

/** Words of several parts; a notice if there are none. */
function said(...parts: readonly unknown[]): Content {
  const words = parts.flatMap(part => text(part)?.trim() || [])
  return words.length > 0 ? chat(words.join('\n')) : noticed('only_on_phone', 'answer')
}

function carded(card: MessageCard): Content {
  return { mediaType: mediaTypeOf(card), body: wordsOfCard(card), details: { card } }
}

function file(message: WebMessage, mediaType: MediaType, otherwise: string): Content {
  // A photo to be seen once is shown on the phone alone.
  if (!message.hasFile) return noticed(message.isViewOnce ? 'view_once' : 'missing', message.type)
  const name = text(message.filename)
  const waveform = wave(message.waveform)
  const facts = {
    mime: text(message.mimetype) ?? otherwise,
    ...size('size', message.size),
    ...size('seconds', message.duration),
    ...size('width', message.width),
    ...size('height', message.height),
    ...(name && mediaType === 'application' && { name }),
    ...(mediaType === 'audio' && { voice: message.type === 'ptt' }),
    ...(waveform && { waveform }),
  }
  return { mediaType, body: text(message.caption) ?? '', media: facts }
}

function size<N extends string>(name: N, value: unknown): { readonly [K in N]?: number } {
  const found = Number(value ?? 0)
  return found > 0 ? ({ [name]: found } as { readonly [K in N]: number }) : {}
}

/** Bytes, which JSON made an object of numbered fields. */
function wave(value: unknown): number[] | undefined {
  const all = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  return all.length > 0 && all.every(one => typeof one === 'number') ? all : undefined
}

function place(message: WebMessage): Content {
  const thumbnail = text(message.body)
  const words = [...(text(message.loc) ?? '').split('\n'), text(message.comment) ?? ''].filter(Boolean)
  const body = locationBody({
    lat: Number(message.lat) || 0,
    lng: Number(message.lng) || 0,
    thumbnail: thumbnail ? Buffer.from(thumbnail, 'base64') : null,
    description: words.join(' - '),
  })
  return { mediaType: 'location', body }
}

function eventOf(message: WebMessage): Content {
  const description = cardText(message.eventDescription)
  const place = isRecord(message.eventLocation) ? cardText(message.eventLocation.name, 500) : undefined
  const link = cardLink(message.eventJoinLink)
  return carded({
    kind: 'event',
    name: cardText(message.eventName, 500) ?? '',
    startsAt: instant(message.eventStartTime),
    endsAt: instant(message.eventEndTime),
    isCanceled: message.isEventCanceled === true,
    ...(description && { text: description }),
    ...(place && { place }),
    ...(link && { link }),
  })
}

function instant(seconds: unknown): string | null {
  const found = Number(seconds ?? 0)
  return found > 0 && found < 1e11 ? new Date(found * 1000).toISOString() : null
}

/** The lines of a cart are asked for separately, and WhatsApp Web is not always told them: the sum and the count always are. */
function orderOf(message: WebMessage): Content {
  const note = cardText(message.message) ?? cardText(message.body)
  const id = cardText(message.orderId, 200)
  const card: CardOf<'order'> = {
    kind: 'order',
    count: quantityOf(message.itemCount),
    total: moneyOf(message.totalAmount1000, message.totalCurrencyCode, 1000),
    lines: [],
    ...(note && { text: note }),
    ...(id && { id }),
  }
  return carded(card)
}

function productOf(message: WebMessage): Content {
  const description = cardText(message.description)
  const code = cardText(message.retailerId ?? message.productId, 200)
  const link = cardLink(message.url)
  return carded({
    kind: 'product',
    title: cardText(message.title, 500) ?? '',
    price: moneyOf(message.priceAmount1000, message.currencyCode, 1000),
    ...(description && { text: description }),
    ...(code && { code }),
    ...(link && { link }),
  })
}

/** A company's message with things to press; words alone are a text like any other. */
function actionsOf(message: WebMessage): Content {
  const body = cardText(message.body) ?? cardText(message.caption) ?? cardText(message.description) ?? ''
  const header = cardText(message.title, 500)
  const footer = cardText(message.footer, 500)
  const buttons = [...records(message.dynamicReplyButtons), ...records(message.hydratedButtons)]
    .flatMap(button => {
      const words = cardText(isRecord(button.buttonText) ? button.buttonText.displayText : button.displayText, 200)
      return words ? [{ text: words }] : []
    })
    .slice(0, MOST_BUTTONS)
  if (!header && !footer && buttons.length === 0) return said(body)
  return carded({ kind: 'actions', text: body, buttons, ...(header && { header }), ...(footer && { footer }) })
}

/** The advertisement or post that led here. */
function withOrigin(message: WebMessage, content: Content): Content {
  const ad = message.ctwaContext
  if (!isRecord(ad) || message.id.fromMe) return content
  const words = cardText(ad.description)
  const link = cardLink(ad.sourceUrl)
  const code = cardText(ad.sourceId, 200)
  if (!link && !code) return content
  const origin = {
    kind: ad.sourceType === 'post' ? ('post' as const) : ('ad' as const),
    title: cardText(ad.title, 500) ?? '',
    ...(words && { text: words }),
    ...(link && { link }),
    ...(code && { code }),
  }
  return { ...content, details: { ...content.details, origin } }
}
