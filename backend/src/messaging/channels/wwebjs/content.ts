// What a message carries, by WhatsApp Web's name of its kind. One row a kind.
import {
  getCardMediaType,
  getCardText,
  type MediaType,
  type MessageCard,
  type MessageCardByKind,
  type MessageDetails,
  type NoticeCode,
  parseMoney,
} from '@balcao/contract'
import type { MediaHandle } from '../../../platform/channel/driver.ts'
import { MOST_BUTTONS, parseQuantity, toCardLink, toCardText, toStoryOrigin } from '../shared/cards.ts'
import { isRecord, lookUp, toRecords, toText } from '../shared/json.ts'
import { toLinkPreview } from '../shared/link-preview.ts'
import { toLocationContent } from '../shared/location.ts'
import { parseWid } from './parse-message.ts'
import type { WebMessage } from './protocol.ts'

export interface WebContent {
  readonly mediaType: MediaType
  readonly body: string
  readonly media?: Omit<MediaHandle, 'handle'>
  readonly details?: MessageDetails
}

/** The content of a message, or null for what no conversation shows. A kind nobody knows becomes a card, it is never dropped. */
export function toContent(message: WebMessage): WebContent | null {
  if (SILENT.has(message.type)) return null
  const read = lookUp(KINDS, message.type)
  const content = read ? read(message) : createNotice('new_kind', message.type)
  return content && withOrigin(message, content)
}

/** What stands for something that can't be shown. */
export function createNotice(code: NoticeCode, name: string): WebContent {
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

type Read = (message: WebMessage) => WebContent | null

/** Words, with what the sender's phone says of the address among them. */
function readLinkedText(message: WebMessage): WebContent {
  const content = chat(toText(message.body))
  const { matchedText: address, title, description, thumbnail } = message
  const link = toLinkPreview(content.body, { address, title, description, thumbnail })
  return link ? { ...content, details: { link } } : content
}

const KINDS: Readonly<Record<string, Read>> = {
  chat: readLinkedText,
  image: message => file(message, 'image', 'image/jpeg'),
  video: message => file(message, 'video', 'video/mp4'),
  ptv: message => file(message, 'video', 'video/mp4'),
  audio: message => file(message, 'audio', 'audio/ogg'),
  ptt: message => file(message, 'audio', 'audio/ogg'),
  document: message => file(message, 'application', 'application/octet-stream'),
  sticker: message => file(message, 'sticker', 'image/webp'),
  location: place,
  vcard: message => ({ mediaType: 'vcard', body: toText(message.body) ?? '' }),
  multi_vcard: message => ({
    mediaType: 'contact_array',
    body: toRecords(message.vcardList)
      .map(card => toText(card.vcard) ?? '')
      .join('\n'),
  }),

  poll_creation: message =>
    carded({
      kind: 'poll',
      question: toCardText(message.pollName) ?? '',
      options: toRecords(message.pollOptions).flatMap(option => toCardText(option.name, 200) ?? []),
      isMultiple: message.pollSelectableOptionsCount !== 1,
    }),
  event_creation: toEventContent,
  order: toOrderContent,
  product: toProductContent,
  payment: message => {
    const note = toCardText(message.body)
    return carded({ kind: 'payment', state: 'paid', total: null, lines: [], ...(note && { text: note }) })
  },
  groups_v4_invite: message =>
    joinWords(
      message.caption,
      message.inviteGrpName,
      message.inviteCode && `https://chat.whatsapp.com/${message.inviteCode}`,
    ),

  list_response: message =>
    joinWords(isRecord(message.listResponse) ? message.listResponse.title : undefined, message.body),
  buttons_response: message => joinWords(message.selectedDisplayText ?? message.body),
  template_button_reply: message => joinWords(message.body ?? message.selectedDisplayText),
  hsm: toActionsContent,
  list: toActionsContent,
  interactive: toActionsContent,
  native_flow: toActionsContent,
  interactive_response: message => joinWords(message.body),

  oversized: () => createNotice('only_on_phone', 'oversized'),
  unknown: message => createNotice('new_kind', toText(message.subtype) ?? 'unknown'),
}

function chat(body: string | undefined): WebContent {
  return { mediaType: 'chat', body: body ?? '' }
}

/** Words of several parts; a notice if there are none. */
function joinWords(...parts: readonly unknown[]): WebContent {
  const words = parts.flatMap(part => toText(part)?.trim() || [])
  return words.length > 0 ? chat(words.join('\n')) : createNotice('only_on_phone', 'answer')
}

function carded(card: MessageCard): WebContent {
  return { mediaType: getCardMediaType(card), body: getCardText(card), details: { card } }
}

function file(message: WebMessage, mediaType: MediaType, otherwise: string): WebContent {
  // A photo to be seen once is shown on the phone alone.
  if (!message.hasFile) return createNotice(message.isViewOnce ? 'view_once' : 'missing', message.type)
  const name = toText(message.filename)
  const waveform = wave(message.waveform)
  const facts = {
    mime: toText(message.mimetype) ?? otherwise,
    ...size('size', message.size),
    ...size('seconds', message.duration),
    ...size('width', message.width),
    ...size('height', message.height),
    ...(name && mediaType === 'application' && { name }),
    ...(mediaType === 'audio' && { voice: message.type === 'ptt' }),
    ...(waveform && { waveform }),
  }
  return { mediaType, body: toText(message.caption) ?? '', media: facts }
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

function place(message: WebMessage): WebContent {
  return toLocationContent({
    lat: Number(message.lat),
    lng: Number(message.lng),
    thumbnail: toText(message.body),
    words: [...(toText(message.loc) ?? '').split('\n'), toText(message.comment)],
  })
}

function toEventContent(message: WebMessage): WebContent {
  const description = toCardText(message.eventDescription)
  const place = isRecord(message.eventLocation) ? toCardText(message.eventLocation.name, 500) : undefined
  const link = toCardLink(message.eventJoinLink)
  return carded({
    kind: 'event',
    name: toCardText(message.eventName, 500) ?? '',
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
function toOrderContent(message: WebMessage): WebContent {
  const note = toCardText(message.message) ?? toCardText(message.body)
  const id = toCardText(message.orderId, 200)
  const card: MessageCardByKind<'order'> = {
    kind: 'order',
    count: parseQuantity(message.itemCount),
    total: parseMoney(message.totalAmount1000, message.totalCurrencyCode, 1000),
    lines: [],
    ...(note && { text: note }),
    ...(id && { id }),
  }
  return carded(card)
}

function toProductContent(message: WebMessage): WebContent {
  const description = toCardText(message.description)
  const code = toCardText(message.retailerId ?? message.productId, 200)
  const link = toCardLink(message.url)
  return carded({
    kind: 'product',
    title: toCardText(message.title, 500) ?? '',
    price: parseMoney(message.priceAmount1000, message.currencyCode, 1000),
    ...(description && { text: description }),
    ...(code && { code }),
    ...(link && { link }),
  })
}

/** A company's message with things to press; words alone are a text like any other. */
function toActionsContent(message: WebMessage): WebContent {
  const body = toCardText(message.body) ?? toCardText(message.caption) ?? toCardText(message.description) ?? ''
  const header = toCardText(message.title, 500)
  const footer = toCardText(message.footer, 500)
  const buttons = [...toRecords(message.dynamicReplyButtons), ...toRecords(message.hydratedButtons)]
    .flatMap(button => {
      const words = toCardText(isRecord(button.buttonText) ? button.buttonText.displayText : button.displayText, 200)
      return words ? [{ text: words }] : []
    })
    .slice(0, MOST_BUTTONS)
  if (!header && !footer && buttons.length === 0) return joinWords(body)
  return carded({ kind: 'actions', text: body, buttons, ...(header && { header }), ...(footer && { footer }) })
}

/** The advertisement or post that led here, or our status that is answered. */
function withOrigin(message: WebMessage, content: WebContent): WebContent {
  const ad = message.ctwaContext
  if (message.id.fromMe) return content
  const story = toStoryOrigin(parseWid(message.quotedRemoteJid))
  if (story) return { ...content, details: { ...content.details, origin: story } }
  if (!isRecord(ad)) return content
  const words = toCardText(ad.description)
  const link = toCardLink(ad.sourceUrl)
  const code = toCardText(ad.sourceId, 200)
  if (!link && !code) return content
  const origin = {
    kind: ad.sourceType === 'post' ? ('post' as const) : ('ad' as const),
    title: toCardText(ad.title, 500) ?? '',
    ...(words && { text: words }),
    ...(link && { link }),
    ...(code && { code }),
  }
  return { ...content, details: { ...content.details, origin } }
}
