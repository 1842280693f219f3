// A message of WhatsApp Web cut down to what is read of it: pictures of pictures, keys and what only the page needs stay there.
import { isRecord, toNumber } from '../shared/json.ts'
import type { FileFacts } from '../shared/verify-file.ts'
import type { AddressBook, WebMessage, WidText } from './protocol.ts'

const KEPT = [
  'body',
  'caption',
  'subtype',
  'notifyName',
  'author',
  'from',
  'to',
  'mimetype',
  'filename',
  'size',
  'duration',
  'width',
  'height',
  'waveform',
  'isViewOnce',
  'lat',
  'lng',
  'loc',
  'isLive',
  'comment',
  'vcardList',
  'pollName',
  'pollOptions',
  'pollSelectableOptionsCount',
  'eventName',
  'eventDescription',
  'eventStartTime',
  'eventEndTime',
  'eventLocation',
  'eventJoinLink',
  'isEventCanceled',
  'orderId',
  'orderTitle',
  'itemCount',
  'totalAmount1000',
  'totalCurrencyCode',
  'message',
  'title',
  'description',
  'matchedText',
  'thumbnail',
  'footer',
  'dynamicReplyButtons',
  'hydratedButtons',
  'list',
  'listResponse',
  'selectedButtonId',
  'selectedDisplayText',
  'productId',
  'retailerId',
  'priceAmount1000',
  'currencyCode',
  'url',
  'inviteGrpName',
  'inviteCode',
  'isForwarded',
  'forwardingScore',
  'quotedStanzaID',
  'quotedParticipant',
  'quotedRemoteJid',
  'mentionedJidList',
  'ctwaContext',
  'ephemeralDuration',
  'latestEditSenderTimestampMs',
  'isVideoCall',
  'callOutcome',
  'callDuration',
  'broadcast',
  'isStatusV3',
  'protocolMessageKey',
] as const

/** Kinds whose `body` is a small picture of what they are. */
const PICTURED = new Set(['image', 'video', 'ptv', 'document', 'sticker', 'audio', 'ptt', 'product', 'order'])
const LONGEST_PREVIEW = 24 * 1024

/** From what the library gives as a message's data; null for what is none. */
export function parseMessage(data: unknown): WebMessage | null {
  if (!isRecord(data) || !isRecord(data.id)) return null
  const { id } = data
  const remote = parseWid(id.remote)
  const participant = parseWid(id.participant)
  if (!remote || typeof id.id !== 'string') return null
  const fields: Record<string, unknown> = {}
  for (const name of KEPT) {
    const value = plain(data[name])
    if (value !== undefined && value !== null && value !== '') fields[name] = value
  }
  const type = typeof data.type === 'string' ? data.type : 'unknown'
  const body = typeof fields.body === 'string' ? fields.body : ''
  if (PICTURED.has(type) || (type === 'location' && body.length > LONGEST_PREVIEW)) delete fields.body
  // Of an address alone: files have theirs elsewhere.
  if (!fields.matchedText || String(fields.thumbnail).length > LONGEST_PREVIEW) delete fields.thumbnail
  return {
    ...fields,
    id: { fromMe: id.fromMe === true, remote, id: id.id, ...(participant && { participant }) },
    type,
    t: Number(data.t) || 0,
    ...(typeof data.ack === 'number' && { ack: data.ack }),
    ...(typeof data.directPath === 'string' && data.directPath !== '' && { hasFile: true }),
    ...(isRecord(data.quotedMsg) && { quotedMsg: cutQuoted(id, data.quotedMsg) }),
  }
}

/** What came along of a message that is answered; `thumb` is the small picture of one. */
function cutQuoted(id: unknown, fields: Readonly<Record<string, unknown>>): object {
  const { quotedMsg: _, ...data } = fields
  const thumb = data.thumb ?? (PICTURED.has(String(data.type)) ? data.body : undefined)
  const fits = typeof thumb === 'string' && thumb.length <= LONGEST_PREVIEW
  return { ...parseMessage({ ...data, id, directPath: 'along' }), ...(fits && { thumb }) }
}

/** An address, however the page gives it. */
export function parseWid(value: unknown): WidText | undefined {
  if (typeof value === 'string') return value || undefined
  return isRecord(value) && typeof value._serialized === 'string' ? value._serialized : undefined
}

/** Who is behind a message: its chat and its author. */
export function listAddresses(message: WebMessage): WidText[] {
  return [message.id.remote, parseWid(message.author), message.id.participant, ...listMentioned(message)].flatMap(
    address => address ?? [],
  )
}

/** Who is named in its words. */
export function listMentioned({ mentionedJidList }: WebMessage): WidText[] {
  return Array.isArray(mentionedJidList) ? mentionedJidList.slice(0, 1024).flatMap(one => parseWid(one) ?? []) : []
}

/** Seconds after which a message vanishes, as its chat has it; null: it does not say. */
export function readDuration({ ephemeralDuration }: WebMessage): number | null {
  const seconds = toNumber(ephemeralDuration)
  return Number.isSafeInteger(seconds) && seconds >= 0 ? seconds : null
}

export const NOBODY: AddressBook = {}

function plain(value: unknown): unknown {
  return Array.isArray(value) ? value.map(one => parseWid(one) ?? one) : (parseWid(value) ?? value)
}

/** What WhatsApp says of the bytes of a message's file: how many they are, and their hash in base64. */
export function fileFacts(message: unknown): FileFacts {
  const { size, filehash } = isRecord(message) ? message : {}
  const isHash = typeof filehash === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(filehash)
  return { ...(typeof size === 'number' && { size }), ...(isHash && { sha256: filehash }) }
}
