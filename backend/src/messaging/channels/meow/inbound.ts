// What the gateway tells, by webhook or from its own memory of a chat → neutral events.
import type { Ack } from '@balcao/contract'
import { readAddress } from '../../../platform/channel/addresses.ts'
import type { ChannelEvent, InboundMessage, MessageRef, Peer } from '../../../platform/channel/driver.ts'
import { isRecord, lookUp, toRecords, toText } from '../shared/json.ts'
import { toContent, toStoredContent } from './content.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the telling itself leaves out. */
export interface MeowMessageContext {
  /** A group's name. */
  readonly chatName?: string | undefined
  /** Whether the message that is answered is ours. */
  readonly quotesOurs?: boolean | undefined
  /** A document's name. */
  readonly fileName?: string | undefined
}

/** The events of one webhook; none for what no conversation shows. */
export function toChannelEvents(body: unknown, around: MeowMessageContext = {}): ChannelEvent[] {
  if (!isRecord(body) || !isRecord(body.payload)) return []
  const read = lookUp(EVENTS, body.event)
  return read ? read(body.payload, { ...around, own: toText(body.device_id), at: body.timestamp }) : []
}

/** `own`: the account's own address. `at`: when it happened, of what has no time of its own. */
interface Around extends MeowMessageContext {
  readonly own?: string | undefined
  readonly at?: unknown
}

const EVENTS: Readonly<Record<string, (payload: Fields, around: Around) => ChannelEvent[]>> = {
  message: (payload, around) => {
    const doing = readMessageFacts(payload, around)
    const message = doing && toMessageEvent(payload, doing, around)
    return message ? [...identities(doing.by ?? doing.chat), message] : []
  },
  'message.ack': (payload, { own, at }) => {
    const ack = lookUp(ACKS, payload.receipt_type)
    const [chat, from] = [toText(payload.chat_id), toText(payload.from)]
    // Our own phone read something: nobody's tick.
    if (!ack || !chat || (from && from === own)) return []
    const group = chat.endsWith('@g.us')
    const when = parseTime(at)
    const ids = Array.isArray(payload.ids) ? payload.ids.flatMap(id => toText(id) ?? []) : []
    return ids.map(id => ({
      type: 'ack',
      ref: { chat, id, fromMe: true, ...(group && from && { participant: from }) },
      ack,
      ...(when > 0 && { at: when }),
    }))
  },
  'message.edited': (payload, around) =>
    changed(payload, around, payload.original_message_id, doing => ({
      type: 'edit',
      ...doing,
      ...nameChange(payload),
      body: toText(payload.body) ?? null,
    })),
  'message.revoked': (payload, around) =>
    changed(payload, around, payload.revoked_message_id, doing => ({ type: 'revoke', ...doing })),
  'message.reaction': (payload, around) => {
    const doing = readMessageFacts(payload, around)
    const id = toText(payload.reacted_message_id)
    if (!doing || !id) return []
    const { chat, fromMe, at, name } = doing
    const by = fromMe ? readAddress(toText(payload.from) ?? around.own ?? chat.jid) : (doing.by ?? chat)
    // Which side wrote what is reacted to is not told; the id is enough.
    const ref = { chat: chat.jid, id, fromMe: !fromMe }
    const emoji = typeof payload.reaction === 'string' ? payload.reaction : ''
    return [{ type: 'reaction', ref, ...nameChange(payload), chat, by, fromMe, ...(name && { name }), emoji, at }]
  },
  'group.participants': (payload, { own, at }) => {
    const change = payload.type === 'join' || payload.type === 'leave' ? payload.type : undefined
    const ours = own && withoutDevice(own)
    const isOurs =
      Array.isArray(payload.jids) && payload.jids.some(jid => toText(jid) && withoutDevice(`${jid}`) === ours)
    return change && isOurs ? membership(payload, change === 'join', at) : []
  },
  // Of us alone.
  'group.joined': (payload, { at }) => membership(payload, true, at),
  'call.offer': (payload, { at }) => {
    const [id, from] = [toText(payload.call_id), toText(payload.from)]
    if (!id || !from || toText(payload.group_jid)) return []
    const state = payload.auto_rejected === true ? 'missed' : 'offer'
    const peer = readAddress(withoutDevice(from))
    return [{ type: 'call', id, from: peer, video: payload.is_video === true, state, at: parseTime(at) || Date.now() }]
  },
}

/** What the gateway is asked to tell. */
export const HEARD_EVENTS = Object.keys(EVENTS)

/** The gateway tells no id, and whole seconds: of three changes within one the third is taken for a repeat of the first. */
function membership(payload: Fields, isMember: boolean, at: unknown): ChannelEvent[] {
  const jid = toText(payload.chat_id)
  if (!jid?.endsWith('@g.us')) return []
  return [{ type: 'membership', group: { jid, group: true }, isMember, at: parseTime(at) || Date.now() }]
}

/** A change has an id of its own. */
function nameChange(payload: Fields): { id?: string } {
  const id = toText(payload.id)
  return id ? { id } : {}
}

const ACKS: Readonly<Record<string, Ack>> = { delivered: 'delivered', read: 'read', played: 'read' }

/** Who did something in a chat, and when. `by`: in a group, where it was not we. */
interface Doing {
  readonly chat: Peer
  readonly by?: Peer
  readonly fromMe: boolean
  readonly at: number
  readonly name?: string
}

function readMessageFacts(payload: Fields, { own }: Around): Doing | null {
  const jid = toText(payload.chat_id)
  if (!jid || isNoConversation(jid) || jid === own) return null
  const fromMe = payload.is_from_me === true
  const group = jid.endsWith('@g.us')
  const lid = toText(payload.chat_lid) ?? (fromMe ? undefined : toText(payload.from_lid))
  const chat = group ? { jid, group } : withLid(readAddress(jid), lid)
  const from = toText(payload.from)
  const by = group && !fromMe && from ? { by: withLid(readAddress(withoutDevice(from)), toText(payload.from_lid)) } : {}
  const name = fromMe ? undefined : toText(payload.from_name)
  return { chat, ...by, fromMe, at: parseTime(payload.timestamp) || Date.now(), ...(name && { name }) }
}

function toMessageEvent(payload: Fields, doing: Doing, around: MeowMessageContext): InboundMessage | null {
  const id = toText(payload.id)
  if (!id) return null
  const { chat, by, fromMe, at, name } = doing
  const { media, ...content } = toContent(payload)
  const handle = { id, chat: chat.jid }
  const fileName = media?.name ?? (content.mediaType === 'application' ? around.fileName : undefined)
  const quoted = toText(payload.replied_to_id)
  const words = toText(payload.quoted_body)
  const along = words ? { content: { mediaType: 'chat', body: words } as const } : {}
  const quote = quoted ? { chat: chat.jid, id: quoted, fromMe: around.quotesOurs ?? false, ...along } : null
  return {
    type: 'message',
    ref: { chat: chat.jid, id, fromMe, ...(by && { participant: by.jid }) },
    chat,
    ...(by && { author: by }),
    at,
    ...(name && { name }),
    ...(around.chatName && { chatName: around.chatName }),
    ...content,
    ...(media && { media: { ...media, ...(fileName && { name: fileName }), handle } }),
    ...(quote && { quote }),
    ...(payload.forwarded === true && { forward: 'true' }),
    ...(fromMe && { ack: 'sent' }),
    replay: false,
    raw: payload,
  }
}

/** Whose it is we say by who changed it: nobody changes another's. */
function changed(
  payload: Fields,
  around: Around,
  of: unknown,
  make: (doing: { ref: MessageRef; chat: Peer; by?: Peer; at: number }) => ChannelEvent,
): ChannelEvent[] {
  const doing = readMessageFacts(payload, around)
  const id = toText(of)
  if (!doing || !id) return []
  const { chat, by, fromMe, at } = doing
  return [make({ ref: { chat: chat.jid, id, fromMe }, chat, ...(by && { by }), at })]
}

/**
 * A message as the gateway's memory of a chat keeps it: without its names, its answers and its cards. It came while nobody could be told.
 */
export function toStoredEvents(stored: Fields, chatName?: string): ChannelEvent[] {
  const [id, jid] = [toText(stored.id), toText(stored.chat_jid)]
  if (!id || !jid || isNoConversation(jid)) return []
  const group = jid.endsWith('@g.us')
  const chat = group ? { jid, group } : readAddress(jid)
  const fromMe = stored.is_from_me === true
  const from = toText(stored.sender_jid)
  const by = group && !fromMe && from ? readAddress(withoutDevice(from)) : undefined
  const content = toStoredContent(stored)
  const at = parseTime(stored.timestamp) || Date.now()
  if (!content) return []
  const { media, ...words } = content
  const name = fromMe ? undefined : readName(stored.sender_display_name, from)
  return [
    {
      type: 'message',
      ref: { chat: chat.jid, id, fromMe, ...(by && { participant: by.jid }) },
      chat,
      ...(by && { author: by }),
      at,
      ...(name && { name }),
      ...(group && chatName && { chatName }),
      ...words,
      ...(media && { media: { ...media, handle: { id, chat: chat.jid } } }),
      ...(fromMe && { ack: 'sent' }),
      replay: true,
      raw: { stored },
    },
    ...toRecords(stored.reactions).flatMap(one => storedReaction(one, { chat, id, fromMe })),
  ]
}

function storedReaction(fields: Fields, of: { chat: Peer; id: string; fromMe: boolean }): ChannelEvent[] {
  const [emoji, sender] = [toText(fields.emoji), toText(fields.sender_jid)]
  if (!emoji || !sender) return []
  const ref = { chat: of.chat.jid, id: of.id, fromMe: of.fromMe }
  const by = readAddress(withoutDevice(sender))
  const at = parseTime(fields.timestamp) || Date.now()
  return [{ type: 'reaction', ref, chat: of.chat, by, fromMe: fields.is_from_me === true, emoji, at }]
}

/** A message from what was kept of it, as this version understands it; null if it is none. */
export function rereadMessage(raw: unknown): InboundMessage | null {
  if (!isRecord(raw)) return null
  const events = isRecord(raw.stored)
    ? toStoredEvents(raw.stored)
    : toChannelEvents({ event: 'message', payload: raw, device_id: '' })
  return events.find(event => event.type === 'message') ?? null
}

/** Chats that are no conversations: status updates, channels, broadcast lists, WhatsApp's own assistant. */
export function isNoConversation(jid: string): boolean {
  return /@(broadcast|newsletter|bot)$/.test(jid) || /^(0|13135550002)@/.test(jid)
}

function identities({ pn, lid }: Peer): ChannelEvent[] {
  return pn && lid ? [{ type: 'identity', pn, lid }] : []
}

function withLid(peer: Peer, lid: string | undefined): Peer {
  return lid?.endsWith('@lid') && !peer.group ? { ...peer, lid: withoutDevice(lid) } : peer
}

function withoutDevice(jid: string): string {
  return jid.replace(/:\d+@/, '@')
}

/** Without a name of his own the gateway says somebody's number. */
function readName(value: unknown, jid: string | undefined): string | undefined {
  const name = toText(value)
  return name && name !== jid && !/^\+?\d+(@.*)?$/.test(name) ? name : undefined
}

function parseTime(value: unknown): number {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(at) ? at : 0
}
