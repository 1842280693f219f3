// What one message of Meta's says → media type, words, file, card, origin. One row a kind; the same for what customers send, for what we
// send on the phone beside it, and for what was said before.

import {
  beginningOf,
  type MediaType,
  type MessageCard,
  type MessageDetails,
  type MessageOrigin,
  mediaTypeOf,
  moneyOf,
  type NoticeCode,
  wordsOfCard,
} from '@balcao/contract'
import { type MediaHandle, UNREADABLE } from '../../../platform/channel/driver.ts'
import { vcardOf } from '../../../platform/channel/vcard.ts'
import { cardText, chargeCard, formCard, formFiles, MOST_BUTTONS, orderCard, quantityOf } from '../shared/cards.ts'
import { isRecord, namedIn, number, records, text } from '../shared/json.ts'
import { locationBody } from '../shared/location.ts'
import { templateCard } from './template-card.ts'

type Fields = Record<string, unknown>

export interface Content {
  readonly mediaType: MediaType
  readonly body: string
  readonly media?: MediaHandle
  readonly details?: MessageDetails
}

/** Null: nothing that is a message. What nobody knows is a card that says so, never nothing. */
export function contentOf(message: Fields): Content | null {
  const type = text(message.type) ?? 'unknown'
  const errors = records(message.errors)
  const part = isRecord(message[type]) ? message[type] : {}
  const known = namedIn(KINDS, type)
  // An error beside what came says what is missing, not that nothing came.
  const hasCome = known !== undefined && known !== faulty && [part.id, part.caption, part.body].some(text)
  const read = errors.length > 0 && !hasCome ? faulty : (known ?? (() => noticed('new_kind', type)))
  const content = read(part, message)
  const origin = content && originOf(message)
  return origin ? { ...content, details: { ...content.details, origin } } : content
}

type Read = (part: Fields, message: Fields) => Content | null

const file =
  (mediaType: MediaType): Read =>
  part => ({ mediaType, body: text(part.caption) ?? '', media: handleOf(part) })

const KINDS: Readonly<Record<string, Read>> = {
  text: part => words(text(part.body)),
  image: file('image'),
  audio: file('audio'),
  video: file('video'),
  document: file('application'),
  sticker: file('sticker'),
  button: part => words(text(part.text) ?? text(part.payload)),
  interactive,
  order: part => {
    const lines = records(part.product_items).map(item => ({
      name: cardText(item.name, 200) ?? cardText(item.product_retailer_id, 200) ?? '',
      quantity: quantityOf(item.quantity),
      price: moneyOf(item.item_price, item.currency),
    }))
    const note = cardText(part.text)
    return carded(orderCard(lines, note ? { text: note } : {}))
  },
  location: part => {
    const place = { lat: number(part.latitude) || 0, lng: number(part.longitude) || 0, thumbnail: null }
    const description = [text(part.name), text(part.address)].filter(Boolean).join(' - ')
    return { mediaType: 'location', body: locationBody({ ...place, description }) }
  },
  contacts: (_, message) => {
    const cards = records(message.contacts).map(cardOf)
    return { mediaType: cards.length > 1 ? 'contact_array' : 'vcard', body: cards.join('\n') }
  },
  template: part => {
    const { card, file } = templateCard(part)
    return carded(card, file ? handleOf({ ...file.part, mime_type: file.mime }) : undefined)
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

function words(said: string | undefined): Content {
  return said === undefined ? noticed('missing', 'empty') : { mediaType: 'chat', body: said }
}

function carded(card: MessageCard, media?: MediaHandle): Content {
  return { mediaType: mediaTypeOf(card), body: wordsOfCard(card), ...(media && { media }), details: { card } }
}

function noticed(code: NoticeCode, name: string): Content {
  return carded({ kind: 'notice', code, name: beginningOf(name, 100) })
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

function faulty(_: Fields, message: Fields): Content | null {
  const kind = (isRecord(message.unsupported) && text(message.unsupported.type)) || text(message.type) || 'unknown'
  const named = namedIn(BY_KIND, kind)
  if (named === null) return null
  const [code] = records(message.errors).map(error => BY_ERROR[number(error.code)])
  return noticed(code === 'only_on_phone' ? code : (named ?? code ?? 'missing'), kind)
}

function handleOf(part: Fields): MediaHandle {
  const name = text(part.filename)
  const sha256 = text(part.sha256)
  return {
    handle: { id: text(part.id) ?? '', ...(sha256 && { sha256 }) },
    mime: text(part.mime_type) ?? 'application/octet-stream',
    ...(name && { name }),
    ...(typeof part.voice === 'boolean' && { voice: part.voice }),
  }
}

/** What a customer chose or filled in, or what we gave him to choose from. */
function interactive(part: Fields): Content | null {
  const type = text(part.type) ?? ''
  const answer = isRecord(part[type]) ? part[type] : {}
  switch (type) {
    case 'button_reply':
    case 'list_reply': {
      const [title, description] = [text(answer.title) ?? text(answer.id), text(answer.description)]
      // Our own rows say the number where the name has no room beside it.
      const between = /^\d+$/.test(title ?? '') ? ' - ' : '\n'
      return words([title, description].filter(Boolean).join(between) || undefined)
    }
    case 'nfm_reply':
      return carded(formCard(answer.response_json ?? {}, cardText(answer.body)))
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
export function messagesOfForm(message: Fields): Fields[] {
  const answer = isRecord(message.interactive) ? message.interactive.nfm_reply : undefined
  if (!isRecord(answer)) return []
  return formFiles(answer.response_json).map(({ id, mime, name, sha256 }, at) => {
    const type = /^image\/(jpeg|png|webp)$/.test(mime) ? 'image' : 'document'
    const { from, from_user_id, to, to_user_id, timestamp, group_id } = message
    const addressed = { from, from_user_id, to, to_user_id, timestamp, group_id }
    return {
      ...addressed,
      id: `${message.id}:${at + 1}`,
      type,
      [type]: { id, mime_type: mime, sha256, filename: name },
    }
  })
}

/** A message with things to press, as companies send it. */
function offered(part: Fields): Content {
  const action = isRecord(part.action) ? part.action : {}
  const header = isRecord(part.header) ? part.header : {}
  const said = isRecord(part.body) ? (cardText(part.body.text) ?? '') : ''
  const [media] = ['image', 'video', 'document'].map(name => header[name]).filter(isRecord)
  const charge = chargeCard(action.parameters, said)
  if (charge) return carded(charge, media && handleOf(media))
  const title = cardText(header.text, 200)
  const footer = isRecord(part.footer) ? cardText(part.footer.text) : undefined
  const parameters = isRecord(action.parameters) ? action.parameters : {}
  const link = text(parameters.url)
  const pressed = [
    ...records(action.buttons).map(button => (isRecord(button.reply) ? text(button.reply.title) : undefined)),
    ...records(action.sections).flatMap(section => records(section.rows).map(row => text(row.title))),
    text(parameters.display_text) ?? text(parameters.flow_cta) ?? text(action.button),
  ]
  const buttons = pressed
    .filter(one => one !== undefined)
    .slice(0, MOST_BUTTONS)
    .map(one => ({ text: beginningOf(one, 200), ...(link && { link }) }))
  return carded(
    { kind: 'actions', text: said, buttons, ...(title && { header: title }), ...(footer && { footer }) },
    media && handleOf(media),
  )
}

function cardOf(card: Fields): string {
  const name = isRecord(card.name) ? card.name : {}
  const phones = records(card.phones).map(phone => ({
    phone: text(phone.phone) ?? '',
    waId: /^\d+$/.exec(text(phone.wa_id) ?? '')?.[0],
  }))
  const emails = records(card.emails).flatMap(one => text(one.email) ?? [])
  const org = isRecord(card.org) ? text(card.org.company) : undefined
  return vcardOf(text(name.formatted_name) ?? text(name.first_name) ?? '', phones, { emails, ...(org && { org }) })
}

/** The advertisement or post that led here, without its picture, or the product that is asked about. */
function originOf({ referral, context }: Fields): MessageOrigin | undefined {
  if (isRecord(referral)) {
    const said = cardText(referral.body)
    const link = text(referral.source_url)?.slice(0, 2000)
    const code = text(referral.source_id)?.slice(0, 200)
    return {
      kind: referral.source_type === 'post' ? 'post' : 'ad',
      title: cardText(referral.headline, 500) ?? '',
      ...(said && { text: said }),
      ...(link && { link }),
      ...(code && { code }),
    }
  }
  const product = isRecord(context) && isRecord(context.referred_product) ? context.referred_product : {}
  const code = text(product.product_retailer_id)?.slice(0, 200)
  return code ? { kind: 'product', title: cardText(product.name, 500) ?? code, code } : undefined
}
