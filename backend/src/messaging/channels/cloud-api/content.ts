// What one message of Meta's says → media type, words, file, card, origin. One row a kind; the same for what customers send, for what we
// send on the phone beside it, and for what was said before.

import {
  getCardMediaType,
  getCardText,
  type MediaType,
  type MessageCard,
  type MessageDetails,
  type MessageOrigin,
  type NoticeCode,
  parseMoney,
  truncateText,
} from '@balcao/contract'
import { type MediaHandle, UNREADABLE } from '../../../platform/channel/driver.ts'
import { createOwnId } from '../../../platform/channel/ids.ts'
import { renderVcard } from '../../../platform/channel/vcard.ts'
import {
  buildChargeCard,
  buildFormCard,
  buildOrderCard,
  collectFormFiles,
  MOST_BUTTONS,
  parseQuantity,
  toCardText,
} from '../shared/cards.ts'
import { isRecord, lookUp, toNumber, toRecords, toText } from '../shared/json.ts'
import { toLocationContent } from '../shared/location.ts'
import { toTemplateCard } from './template-card.ts'

type Fields = Record<string, unknown>

export interface CloudContent {
  readonly mediaType: MediaType
  readonly body: string
  readonly media?: MediaHandle
  readonly details?: MessageDetails
}

/** Null: nothing that is a message. What nobody knows is a card that says so, never nothing. */
export function toContent(message: Fields): CloudContent | null {
  const type = toText(message.type) ?? 'unknown'
  const errors = toRecords(message.errors)
  const part = isRecord(message[type]) ? message[type] : {}
  const known = lookUp(KINDS, type)
  // An error beside what came says what is missing, not that nothing came.
  const hasCome = known !== undefined && known !== faulty && [part.id, part.caption, part.body].some(toText)
  const read = errors.length > 0 && !hasCome ? faulty : (known ?? (() => noticed('new_kind', type)))
  const content = read(part, message)
  const origin = content && toOrigin(message)
  return origin ? { ...content, details: { ...content.details, origin } } : content
}

type Read = (part: Fields, message: Fields) => CloudContent | null

const file =
  (mediaType: MediaType): Read =>
  part => ({ mediaType, body: toText(part.caption) ?? '', media: toMediaHandle(part) })

const KINDS: Readonly<Record<string, Read>> = {
  text: part => words(toText(part.body)),
  image: file('image'),
  audio: file('audio'),
  video: file('video'),
  document: file('application'),
  sticker: file('sticker'),
  button: part => words(toText(part.text) ?? toText(part.payload)),
  interactive,
  order: part => {
    const lines = toRecords(part.product_items).map(item => ({
      name: toCardText(item.name, 200) ?? toCardText(item.product_retailer_id, 200) ?? '',
      quantity: parseQuantity(item.quantity),
      price: parseMoney(item.item_price, item.currency),
    }))
    const note = toCardText(part.text)
    return carded(buildOrderCard(lines, note ? { text: note } : {}))
  },
  location: part =>
    toLocationContent({
      lat: toNumber(part.latitude),
      lng: toNumber(part.longitude),
      words: [toText(part.name), toText(part.address)],
    }),
  contacts: (_, message) => {
    const cards = toRecords(message.contacts).map(toVcard)
    return { mediaType: cards.length > 1 ? 'contact_array' : 'vcard', body: cards.join('\n') }
  },
  template: part => {
    const { card, file } = toTemplateCard(part)
    return carded(card, file ? toMediaHandle({ ...file.part, mime_type: file.mime }) : undefined)
  },
  // A file of long ago: it may follow under the same id, or never.
  media_placeholder: () => ({ ...noticed('only_on_phone', 'media_placeholder'), body: UNREADABLE }),
  unsupported: faulty,
  errors: faulty,
  unknown: faulty,
  // Somebody looks at the chat for the first time and has said nothing; a key or a setting of theirs is new.
  request_welcome: () => null,
  system: () => null,
}

function words(text: string | undefined): CloudContent {
  return text === undefined ? noticed('missing', 'empty') : { mediaType: 'chat', body: text }
}

function carded(card: MessageCard, media?: MediaHandle): CloudContent {
  return { mediaType: getCardMediaType(card), body: getCardText(card), ...(media && { media }), details: { card } }
}

function noticed(code: NoticeCode, name: string): CloudContent {
  return carded({ kind: 'notice', code, name: truncateText(name, 100) })
}

/** What kept WhatsApp from telling more, by the code of its error, else by the kind it names. */
const BY_ERROR: Readonly<Record<number, NoticeCode>> = { 131051: 'not_for_companies', 131060: 'only_on_phone' }
const BY_KIND: Readonly<Record<string, NoticeCode | null>> = {
  view_once: 'view_once',
  payment: 'payment_on_phone',
  edit: 'edited_unseen',
  errors: 'missing',
  image: 'missing',
  location: 'missing',
  media_placeholder: 'missing',
  // Done to a message, not said.
  pin: null,
  keep_in_chat: null,
  reaction: null,
}

function faulty(_: Fields, message: Fields): CloudContent | null {
  const kind = (isRecord(message.unsupported) && toText(message.unsupported.type)) || toText(message.type) || 'unknown'
  const named = lookUp(BY_KIND, kind)
  if (named === null) return null
  const [code] = toRecords(message.errors).map(error => BY_ERROR[toNumber(error.code)])
  return noticed(code === 'only_on_phone' ? code : (named ?? code ?? 'missing'), kind)
}

function toMediaHandle(part: Fields): MediaHandle {
  const name = toText(part.filename)
  const sha256 = toText(part.sha256)
  return {
    handle: { id: toText(part.id) ?? '', ...(sha256 && { sha256 }) },
    mime: toText(part.mime_type) ?? 'application/octet-stream',
    ...(name && { name }),
    ...(typeof part.voice === 'boolean' && { voice: part.voice }),
  }
}

/** What a customer chose or filled in, or what we gave him to choose from. */
function interactive(part: Fields): CloudContent | null {
  const type = toText(part.type) ?? ''
  const answer = isRecord(part[type]) ? part[type] : {}
  switch (type) {
    case 'button_reply':
    case 'list_reply': {
      const [title, description] = [toText(answer.title) ?? toText(answer.id), toText(answer.description)]
      // Our own rows say the number where the name has no room beside it.
      const between = /^\d+$/.test(title ?? '') ? ' - ' : '\n'
      return words([title, description].filter(Boolean).join(between) || undefined)
    }
    case 'nfm_reply':
      return carded(buildFormCard(answer.response_json ?? {}, toCardText(answer.body)))
    case 'call_permission_reply':
      // Given by itself with a call, it is nobody's answer.
      if (answer.response_source === 'automatic') return null
      return noticed(answer.response === 'accept' ? 'calls_allowed' : 'calls_refused', type)
  }
  if (isRecord(part.body) || isRecord(part.action)) return offered(part)
  // Without a kind or anything in it there is nothing to show, nor to ask for.
  return type === '' ? null : noticed('new_kind', `interactive ${type}`)
}

/** The files of a form that was filled in, each as a message of its own: it follows the answers. */
export function extractFormMessages(message: Fields): Fields[] {
  const answer = isRecord(message.interactive) ? message.interactive.nfm_reply : undefined
  if (!isRecord(answer)) return []
  return collectFormFiles(answer.response_json).map(({ id, mime, name, sha256 }, at) => {
    const type = /^image\/(jpeg|png|webp)$/.test(mime) ? 'image' : 'document'
    const { from, from_user_id, to, to_user_id, timestamp, group_id } = message
    const addressed = { from, from_user_id, to, to_user_id, timestamp, group_id }
    return {
      ...addressed,
      id: createOwnId(toText(message.id) ?? '', at + 1),
      type,
      [type]: { id, mime_type: mime, sha256, filename: name },
    }
  })
}

/** A message with things to press, as companies send it. */
function offered(part: Fields): CloudContent {
  const action = isRecord(part.action) ? part.action : {}
  const header = isRecord(part.header) ? part.header : {}
  const text = isRecord(part.body) ? (toCardText(part.body.text) ?? '') : ''
  const [media] = ['image', 'video', 'document'].map(name => header[name]).filter(isRecord)
  const charge = buildChargeCard(action.parameters, text)
  if (charge) return carded(charge, media && toMediaHandle(media))
  const title = toCardText(header.text, 200)
  const footer = isRecord(part.footer) ? toCardText(part.footer.text) : undefined
  const parameters = isRecord(action.parameters) ? action.parameters : {}
  const link = toText(parameters.url)
  const pressed = [
    ...toRecords(action.buttons).map(button => (isRecord(button.reply) ? toText(button.reply.title) : undefined)),
    ...toRecords(action.sections).flatMap(section => toRecords(section.rows).map(row => toText(row.title))),
    toText(parameters.display_text) ?? toText(parameters.flow_cta) ?? toText(action.button),
  ]
  const buttons = pressed
    .filter(one => one !== undefined)
    .slice(0, MOST_BUTTONS)
    .map(one => ({ text: truncateText(one, 200), ...(link && { link }) }))
  return carded(
    { kind: 'actions', text, buttons, ...(title && { header: title }), ...(footer && { footer }) },
    media && toMediaHandle(media),
  )
}

function toVcard(card: Fields): string {
  const name = isRecord(card.name) ? card.name : {}
  const phones = toRecords(card.phones).map(phone => ({
    phone: toText(phone.phone) ?? '',
    waId: /^\d+$/.exec(toText(phone.wa_id) ?? '')?.[0],
  }))
  const emails = toRecords(card.emails).flatMap(one => toText(one.email) ?? [])
  const org = isRecord(card.org) ? toText(card.org.company) : undefined
  return renderVcard(toText(name.formatted_name) ?? toText(name.first_name) ?? '', phones, {
    emails,
    ...(org && { org }),
  })
}

/** The advertisement or post that led here, without its picture, or the product that is asked about. */
function toOrigin({ referral, context }: Fields): MessageOrigin | undefined {
  if (isRecord(referral)) {
    const text = toCardText(referral.body)
    const link = toText(referral.source_url)?.slice(0, 2000)
    const code = toText(referral.source_id)?.slice(0, 200)
    return {
      kind: referral.source_type === 'post' ? 'post' : 'ad',
      title: toCardText(referral.headline, 500) ?? '',
      ...(text && { text }),
      ...(link && { link }),
      ...(code && { code }),
    }
  }
  const product = isRecord(context) && isRecord(context.referred_product) ? context.referred_product : {}
  const code = toText(product.product_retailer_id)?.slice(0, 200)
  return code ? { kind: 'product', title: toCardText(product.name, 500) ?? code, code } : undefined
}
