// The body of POST /{phoneNumberId}/messages: every kind of message, read strictly.
import type {
  ContactsContent,
  GraphContactCard,
  GraphMediaKind,
  GraphMediaRef,
  GraphOutgoing,
  Location,
} from './content.ts'
import { GraphCallError } from './errors.ts'
import { GraphFields, isRecord } from './fields.ts'
import { readInteractive } from './interactive-body.ts'
import { type GraphTemplate, readTemplate } from './templates.ts'

export interface SendRequest {
  /** What the caller wrote in `to` or `recipient`. */
  input: string
  by: 'phone' | 'userId'
  content: GraphOutgoing
  quote?: string
  /** `biz_opaque_callback_data`: told back with every status. */
  opaque?: string
}

export interface ReadRequest {
  read: string
  typing: boolean
}

const KINDS = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'interactive',
  'template',
] as const
const ENVELOPE = [
  'messaging_product',
  'recipient_type',
  'to',
  'recipient',
  'type',
  'context',
  'biz_opaque_callback_data',
]

/** Reads one request: a message to send, or the read mark of a received one (with or without "typing…"). */
export function readMessageBody(value: unknown, templates: GraphTemplate[]): SendRequest | ReadRequest {
  const body = new GraphFields(value)
  body.oneOf('messaging_product', ['whatsapp'])
  if (isRecord(value) && 'status' in value) return readMark(body)

  const type = body.has('type') ? body.text('type') : 'text'
  const kind = KINDS.find(one => one === type)
  if (!kind)
    throw new GraphCallError(100, `Param type must be one of {${KINDS.join(', ').toUpperCase()}} - got "${type}"`)
  body.only(...ENVELOPE, kind)
  if (body.has('recipient_type')) body.oneOf('recipient_type', ['individual'])
  const quote = body.has('context') ? body.object('context').only('message_id').text('message_id') : undefined
  const opaque = body.optionalText('biz_opaque_callback_data')
  if (opaque !== undefined && opaque.length > 512)
    throw new GraphCallError(100, 'Param biz_opaque_callback_data must be at most 512 characters')
  return {
    ...readRecipient(body),
    content: readContent(kind, body, templates),
    ...(quote ? { quote } : {}),
    ...(opaque === undefined ? {} : { opaque }),
  }
}

function readMark(body: GraphFields): ReadRequest {
  body.only('messaging_product', 'status', 'message_id', 'typing_indicator').oneOf('status', ['read'])
  if (body.has('typing_indicator')) body.object('typing_indicator').only('type').oneOf('type', ['text'])
  return { read: body.text('message_id'), typing: body.has('typing_indicator') }
}

function readRecipient(body: GraphFields): Pick<SendRequest, 'input' | 'by'> {
  if (!body.has('to') && body.has('recipient')) {
    const input = body.text('recipient')
    if (!/^[A-Z]{2}\.\w{1,128}$/.test(input))
      throw new GraphCallError(131009, 'Param recipient is not a business-scoped user id')
    return { input, by: 'userId' }
  }
  const input = body.text('to')
  if (!/^\+?[\d\s()-]{7,25}$/.test(input)) throw new GraphCallError(131009, 'Param to is not a valid phone number')
  return { input, by: 'phone' }
}

function readContent(kind: (typeof KINDS)[number], body: GraphFields, templates: GraphTemplate[]): GraphOutgoing {
  if (kind === 'contacts') return readContacts(body.list('contacts', { min: 1, max: 257 }))
  const field = body.object(kind)
  switch (kind) {
    case 'text':
      field.only('body', 'preview_url').flag('preview_url')
      return { type: 'text', text: field.text('body', { max: 4096 }) }
    case 'location':
      return readLocation(field)
    case 'reaction':
      return readReaction(field)
    case 'interactive':
      return readInteractive(field)
    case 'template':
      return readTemplate(field, templates)
    default:
      return { type: 'media', media: readMedia(kind, field) }
  }
}

function readMedia(type: GraphMediaKind, field: GraphFields): GraphMediaRef {
  const keys = ['id', 'link']
  if (type === 'image' || type === 'video' || type === 'document') keys.push('caption')
  if (type === 'document') keys.push('filename')
  if (type === 'audio') keys.push('voice')
  field.only(...keys)
  const id = field.optionalText('id')
  const link = field.optionalText('link')
  if (!id && !link)
    throw new GraphCallError(131008, `The parameter ${field.at('id')} or ${field.at('link')} is required.`)
  if (id && link) throw new GraphCallError(100, `Only one of ${field.at('id')} and ${field.at('link')} may be given`)
  if (link && !/^https?:\/\//.test(link))
    throw new GraphCallError(131009, `Param ${field.at('link')} is not a valid URI`)
  const caption = field.optionalText('caption', { max: 1024 })
  const filename = field.optionalText('filename', { max: 240 })
  return {
    type,
    ...(id ? { id } : {}),
    ...(link ? { link } : {}),
    ...(caption ? { caption } : {}),
    ...(filename ? { filename } : {}),
    ...(field.flag('voice') ? { voice: true } : {}),
  }
}

function readLocation(field: GraphFields): Location {
  field.only('latitude', 'longitude', 'name', 'address')
  const name = field.optionalText('name', { max: 1000 })
  const address = field.optionalText('address', { max: 1000 })
  return {
    type: 'location',
    latitude: field.number('latitude', { min: -90, max: 90 }),
    longitude: field.number('longitude', { min: -180, max: 180 }),
    ...(name ? { name } : {}),
    ...(address ? { address } : {}),
  }
}

function readReaction(field: GraphFields): GraphOutgoing {
  field.only('message_id', 'emoji')
  if (!field.has('emoji')) throw new GraphCallError(131008, `The parameter ${field.at('emoji')} is required.`)
  const emoji = field.optionalText('emoji', { max: 16 }) ?? ''
  if (emoji && !/^\p{Extended_Pictographic}|^\p{Regional_Indicator}|^[\d#*]\uFE0F?\u20E3/u.test(emoji))
    throw new GraphCallError(131009, `Param ${field.at('emoji')} is not an emoji`)
  return { type: 'reaction', to: field.text('message_id'), emoji }
}

function readContacts(cards: GraphFields[]): ContactsContent {
  const contacts = cards.map((card): GraphContactCard => {
    card.only('name', 'phones', 'emails', 'addresses', 'org', 'urls', 'birthday')
    const name = card
      .object('name')
      .only('formatted_name', 'first_name', 'last_name', 'middle_name', 'prefix', 'suffix')
    const formatted = name.text('formatted_name')
    if (!['first_name', 'last_name', 'middle_name', 'prefix', 'suffix'].some(key => name.has(key)))
      throw new GraphCallError(
        131009,
        `At least one more part of the name besides ${name.at('formatted_name')} is required`,
      )
    const [phone] = card.has('phones') ? card.list('phones').map(one => one.only('phone', 'wa_id', 'type')) : []
    const number = phone?.optionalText('phone')
    const waId = phone?.optionalText('wa_id')
    return { name: formatted, ...(number ? { phone: number } : {}), ...(waId ? { waId } : {}) }
  })
  return { type: 'contacts', contacts }
}
