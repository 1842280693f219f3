// The kinds of messages: what each is to the desk. The one table; drivers map what their provider sends to it, screens draw from it.
import type { MediaType } from './message.ts'
import type { MessageCard, MessageDetails, NoticeCode } from './message-details.ts'

export interface MessageKind {
  /** What it is comes from a file of its own. */
  readonly isFile: boolean
  /** What its body is, and a search finds of it: words of a person, data that only a drawing can show, or nothing worth reading. */
  readonly body: 'words' | 'data' | 'none'
  /** Whether lists, quotes and notifications name the kind before the words: 'Foto', 'Pedido'. */
  readonly named: boolean
  /** Whether a customer who sends one is somebody who wants something: a conversation begins, is unread, rings. */
  readonly opensTicket: boolean
  /** A message of ours may answer it by quoting, and it can be reacted to. */
  readonly quotable: boolean
  /** Passed on as it is, by its words alone, or not at all. */
  readonly forward: 'whole' | 'words' | 'no'
}

const WORDS: MessageKind = {
  isFile: false,
  body: 'words',
  named: false,
  opensTicket: true,
  quotable: true,
  forward: 'whole',
}
const FILE: MessageKind = { ...WORDS, isFile: true, named: true }
const CARD: MessageKind = { ...WORDS, named: true, forward: 'words' }
/** The desk's own lines. */
const INSIDE: MessageKind = { ...WORDS, named: true, opensTicket: false, quotable: false, forward: 'no' }

export const MESSAGE_KINDS: Readonly<Record<MediaType, MessageKind>> = {
  chat: WORDS,
  image: FILE,
  audio: FILE,
  video: FILE,
  application: FILE,
  sticker: { ...FILE, body: 'none' },
  location: { ...WORDS, body: 'data', named: true },
  vcard: { ...WORDS, body: 'data', named: true },
  contact_array: { ...WORDS, body: 'data', named: true },
  template: { ...CARD, named: false },
  actions: { ...CARD, named: false },
  order: CARD,
  product: CARD,
  payment: CARD,
  event: CARD,
  poll: CARD,
  form: CARD,
  comment: INSIDE,
  // Somebody wants something, and says no more than that.
  call_log: { ...INSIDE, opensTicket: true, body: 'none' },
  system: { ...INSIDE, body: 'none' },
  unknown: { ...CARD, body: 'none', forward: 'no' },
}

/** What a type is, also one that a newer server may tell. */
export function getMessageKind(type: string): MessageKind {
  return BY_NAME.get(type) ?? MESSAGE_KINDS.unknown
}

/** The type by which its name is looked up: of one that a newer server may tell `unknown`. */
export function normalizeMessageType(type: string): string {
  return BY_NAME.has(type) ? type : 'unknown'
}

const BY_NAME = new Map<string, MessageKind>(Object.entries(MESSAGE_KINDS))

/** Whether a customer who sends this wants something. What only tells of a permission or of another message asks for no answer. */
export function shouldOpenTicket({
  mediaType,
  details,
}: {
  readonly mediaType: MediaType
  readonly details?: MessageDetails
}): boolean {
  const card = details?.card
  return MESSAGE_KINDS[mediaType].opensTicket && !(card?.kind === 'notice' && TELLINGS.includes(card.code))
}

const TELLINGS: readonly NoticeCode[] = ['calls_allowed', 'calls_refused', 'edited_unseen']

/** The media type that a card makes of its message. */
export function getCardMediaType(card: MessageCard): MediaType {
  return card.kind === 'notice' ? 'unknown' : card.kind
}
