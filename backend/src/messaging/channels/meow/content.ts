// What a message of the gateway carries, by kind. One row a kind; what no row knows becomes a card, it is never dropped.
import {
  getCardMediaType,
  getCardText,
  type MediaType,
  type MessageCard,
  type MessageCardByKind,
  type MessageDetails,
  type MessageOrigin,
  type NoticeCode,
  parseMoney,
} from '@balcao/contract'
import type { MediaHandle } from '../../../platform/channel/driver.ts'
import { renderVcard } from '../../../platform/channel/vcard.ts'
import { parseQuantity, toCardLink, toCardText } from '../shared/cards.ts'
import { isRecord, lookUp, toNumber, toRecords, toText } from '../shared/json.ts'
import { toLocationContent } from '../shared/location.ts'

type Fields = Readonly<Record<string, unknown>>

export interface MeowContent {
  readonly mediaType: MediaType
  readonly body: string
  readonly media?: Omit<MediaHandle, 'handle'>
  readonly details?: MessageDetails
}

/** The content of a message as the webhook tells it. */
export function toContent(message: Fields): MeowContent {
  for (const [name, read] of KINDS) {
    const part = message[name]
    const content = part === undefined || part === null ? null : read(part, message)
    if (content) return withOrigin(message, content)
  }
  const body = toText(message.body)
  if (body) return withOrigin(message, { mediaType: 'chat', body })
  if (message.view_once === true) return noticed('view_once', 'view_once')
  return noticed('only_on_phone', Object.keys(message).find(name => !COMMON.has(name)) ?? 'message')
}

/** The content of a message as the chat keeps it: words, and what kind of file there was. */
export function toStoredContent(message: Fields): MeowContent | null {
  const kind = toText(message.media_type)
  const body = toText(message.content) ?? ''
  if (kind === 'call') return null
  if (!kind) return body ? { mediaType: 'chat', body } : noticed('only_on_phone', 'message')
  const file = lookUp(FILES, kind === 'ptt' ? 'audio' : kind)
  if (!file) return body ? { mediaType: 'chat', body } : noticed('only_on_phone', kind)
  const name = toText(message.filename)
  const size = toNumber(message.file_length)
  const media = fileFacts(file, name ?? '', kind === 'document' ? name : undefined)
  return { mediaType: file.mediaType, body, media: { ...media, ...(size > 0 && { size }) } }
}

interface FileKind {
  readonly mediaType: MediaType
  /** Where its name does not tell. */
  readonly mime: string
}

const FILES: Readonly<Record<string, FileKind>> = {
  image: { mediaType: 'image', mime: 'image/jpeg' },
  video: { mediaType: 'video', mime: 'video/mp4' },
  video_note: { mediaType: 'video', mime: 'video/mp4' },
  audio: { mediaType: 'audio', mime: 'audio/ogg; codecs=opus' },
  sticker: { mediaType: 'sticker', mime: 'image/webp' },
  document: { mediaType: 'application', mime: 'application/octet-stream' },
}

/** Files that WhatsApp's own clients send. */
const MIMES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
  ogg: 'audio/ogg; codecs=opus',
  oga: 'audio/ogg; codecs=opus',
  opus: 'audio/ogg; codecs=opus',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  amr: 'audio/amr',
  pdf: 'application/pdf',
}

type Read = (part: unknown, message: Fields) => MeowContent | null

const KINDS: readonly (readonly [string, Read])[] = [
  ...Object.entries(FILES).map(([name, file]): readonly [string, Read] => [
    name,
    (part, { body }) => fileContent(file, part, body),
  ]),
  ['location', part => place(part)],
  ['live_location', part => place(part)],
  ['contact', part => (isRecord(part) ? { mediaType: 'vcard', body: toVcard(part) } : null)],
  [
    'contacts_array',
    part => {
      const cards = toRecords(part).map(toVcard)
      return cards.length > 0 ? { mediaType: 'contact_array', body: cards.join('\n') } : null
    },
  ],
  ['order', part => (isRecord(part) ? carded(orderCard(part)) : null)],
  ['list', part => (isRecord(part) ? joinWords(part.title, part.description) : null)],
  ['interactive', part => joinWords(part)],
]

/** What every message has. */
const COMMON = new Set([
  'id',
  'chat_id',
  'chat_lid',
  'from',
  'from_lid',
  'from_name',
  'sender_display_name',
  'timestamp',
  'is_from_me',
  'forwarded',
  'replied_to_id',
  'quoted_body',
  'referral',
])

/** A path, a path with words, or the address of an encrypted file: the words count, the file is asked for by its message. */
function fileContent(file: FileKind, part: unknown, body: unknown): MeowContent | null {
  const fields = isRecord(part) ? part : { path: part }
  const path = toText(fields.path) ?? ''
  const name = file.mediaType === 'application' ? (toText(fields.filename) ?? parseFileName(path)) : undefined
  return {
    mediaType: file.mediaType,
    body: toText(body) ?? toText(fields.caption) ?? '',
    media: fileFacts(file, name ?? path, name),
  }
}

function fileFacts(file: FileKind, path: string, name: string | undefined): Omit<MediaHandle, 'handle'> {
  const ending = /\.(\w{1,5})$/.exec(path)?.[1]?.toLowerCase()
  const mime = lookUp(MIMES, ending) ?? file.mime
  const fits = file.mediaType === 'application' || mime.split('/')[0] === file.mime.split('/')[0]
  return {
    mime: fits ? mime : file.mime,
    ...(name && { name }),
    ...(file.mediaType === 'audio' && { voice: mime.startsWith('audio/ogg') }),
  }
}

/** `statics/media/1752404965-nota.pdf`; a name the gateway made up is none. */
function parseFileName(path: string): string | undefined {
  const name = path.replace(/^.*\//, '').replace(/^\d+-/, '')
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.test(name) ? undefined : name || undefined
}

function place(part: unknown): MeowContent | null {
  if (!isRecord(part)) return null
  return toLocationContent({
    lat: toNumber(part.degreesLatitude),
    lng: toNumber(part.degreesLongitude),
    thumbnail: toText(part.JPEGThumbnail) ?? toText(part.jpegThumbnail),
    words: [part.name, part.address, part.caption].map(toText),
  })
}

function toVcard({ displayName, vcard, phone_number }: Fields): string {
  const phone = toText(phone_number)
  return toText(vcard) ?? renderVcard(toText(displayName) ?? '', phone ? [{ phone }] : [])
}

function orderCard(order: Fields): MessageCardByKind<'order'> {
  const words = [toCardText(order.orderTitle, 500), toCardText(order.message)].filter(Boolean).join('\n')
  const id = toCardText(order.orderID ?? order.orderId, 200)
  return {
    kind: 'order',
    count: parseQuantity(order.itemCount),
    total: parseMoney(order.totalAmount1000, order.totalCurrencyCode, 1000),
    lines: [],
    ...(words && { text: words }),
    ...(id && { id }),
  }
}

function joinWords(...parts: readonly unknown[]): MeowContent | null {
  const words = parts.flatMap(part => toText(part) ?? [])
  return words.length > 0 ? { mediaType: 'chat', body: words.join('\n') } : null
}

function carded(card: MessageCard): MeowContent {
  return { mediaType: getCardMediaType(card), body: getCardText(card), details: { card } }
}

function noticed(code: NoticeCode, name: string): MeowContent {
  return carded({ kind: 'notice', code, name })
}

/** The advertisement that led here. */
function withOrigin({ referral }: Fields, content: MeowContent): MeowContent {
  if (!isRecord(referral)) return content
  const words = toCardText(referral.body)
  const link = toCardLink(referral.source_url)
  const code = toCardText(referral.source_id, 200)
  const origin: MessageOrigin = {
    kind: referral.source_type === 'post' ? 'post' : 'ad',
    title: toCardText(referral.title, 500) ?? toCardText(referral.headline, 500) ?? '',
    ...(words && { text: words }),
    ...(link && { link }),
    ...(code && { code }),
  }
  return { ...content, details: { ...content.details, origin } }
}
