// What WhatsApp Web tells → neutral events.
import type { Ack } from '@balcao/contract'
import {
  type ChannelEvent,
  type InboundMessage,
  type MentionedPerson,
  type Peer,
  type ReceivedQuote,
  UNREADABLE,
} from '../../../platform/channel/driver.ts'
import { isRecord, toText } from '../shared/json.ts'
import { createNotice, toContent } from './content.ts'
import { listMentioned, NOBODY, parseMessage, parseWid, readDuration } from './parse-message.ts'
import { isNoConversation, toJid, toMessageRef, toPeer } from './peers.ts'
import type { AddressBook, WebEvent, WebMessage } from './protocol.ts'

/** Our own addresses, once known. */
export type OwnAddresses = { readonly pn?: string; readonly lid?: string }

export interface WebMessageContext {
  readonly self: OwnAddresses
  readonly people: AddressBook
  /** Whether it came while no page was open. */
  readonly replay: boolean
}

/** What a message means to the desk; nothing for what no conversation shows, and for what the phone notes down for itself. */
export function toMessageEvent(message: WebMessage, around: WebMessageContext): InboundMessage | null {
  if (!isShown(message, around.self)) return null
  const content = toContent(message)
  return content && buildMessageEvent(message, around, content)
}

/** The card that stands for a message nobody could read, if it does not come again. */
export function createUnreadableCard(message: WebMessage, around: WebMessageContext): InboundMessage | null {
  if (!isShown(message, around.self) || message.id.fromMe) return null
  return buildMessageEvent(message, around, { ...createNotice('only_on_phone', UNREADABLE), body: UNREADABLE })
}

/** A message from its stored form, as this version understands it. */
export function rereadMessage(raw: unknown): InboundMessage | null {
  const message =
    isRecord(raw) && isRecord(raw.id) ? parseMessage({ ...raw, directPath: raw.hasFile ? 'kept' : '' }) : null
  return message && toMessageEvent(message, { self: {}, people: NOBODY, replay: true })
}

function isShown(message: WebMessage, self: OwnAddresses): boolean {
  const chat = message.id.remote
  if (isNoConversation(chat) || message.isStatusV3 === true) return false
  return toJid(chat) !== `${self.pn}@s.whatsapp.net` && chat !== self.lid
}

function buildMessageEvent(
  message: WebMessage,
  { self, people, replay }: WebMessageContext,
  { mediaType, body, media, details }: NonNullable<ReturnType<typeof toContent>>,
): InboundMessage {
  const chat = toPeer(message.id.remote, people)
  const by = findAuthor(message)
  const name = toText(message.notifyName)
  const chatName = people[message.id.remote]?.name
  const quote = toQuote(message, self)
  const forward = toForwardMark(message)
  const ack = message.id.fromMe ? toAck(message.ack) : undefined
  const mentions = readMentions(message, self, people)
  // What cannot be read says nothing of how long it stays.
  const timer = readDuration(message) ?? (mediaType === 'unknown' ? null : 0)
  return {
    type: 'message',
    ref: toMessageRef(message.id),
    chat,
    ...(by && { author: toPeer(by, people) }),
    at: message.t * 1000 || Date.now(),
    ...(name && !message.id.fromMe && { name }),
    ...(chatName && { chatName }),
    mediaType,
    body,
    ...(media && { media: { ...media, handle: message.id } }),
    ...(details && { details }),
    ...(mentions.length > 0 && { mentions }),
    ...(quote && { quote }),
    ...(forward && { forward }),
    ...(ack && { ack }),
    ...(timer !== null && { timer }),
    replay,
    raw: message,
  }
}

/** Who wrote it, in a group; of what we wrote nobody asks. */
function findAuthor(message: WebMessage) {
  if (!message.id.remote.endsWith('@g.us') || message.id.fromMe) return undefined
  return parseWid(message.author) ?? message.id.participant
}

function readMentions(message: WebMessage, self: OwnAddresses, people: AddressBook): MentionedPerson[] {
  return listMentioned(message).map(address => {
    const peer = toPeer(address, people)
    const name = people[address]?.name
    return { ...peer, ...(name && { name }), ...(isSelf(peer, self) && { isSelf: true as const }) }
  })
}

function toQuote(message: WebMessage, self: OwnAddresses): ReceivedQuote | undefined {
  const id = toText(message.quotedStanzaID)
  if (!id) return undefined
  const by = parseWid(message.quotedParticipant)
  const participant = by && toJid(by)
  const fromMe = participant === `${self.pn}@s.whatsapp.net` || (self.lid !== undefined && participant === self.lid)
  return {
    chat: toJid(message.id.remote),
    id,
    fromMe,
    ...(participant && { participant }),
    ...readQuotedContent(message),
  }
}

/** What came along of a message that is answered. */
function readQuotedContent({ id, quotedMsg }: WebMessage): Pick<ReceivedQuote, 'content'> {
  const quoted = isRecord(quotedMsg) ? parseMessage({ ...quotedMsg, id, directPath: 'along' }) : null
  const content = quoted && toContent(quoted)
  if (!content || content.mediaType === 'unknown') return {}
  const { mediaType, body } = content
  const thumb = isRecord(quotedMsg) ? toText(quotedMsg.thumb) : undefined
  return { content: { mediaType, body, ...(thumb && { thumb }) } }
}

function toForwardMark(message: WebMessage): 'true' | 'frequently' | undefined {
  if (message.isForwarded !== true) return undefined
  return Number(message.forwardingScore ?? 0) >= 5 ? 'frequently' : 'true'
}

/** The neutral ack of a number of WhatsApp Web (facts of the kind, `contract/connections/kinds`); undefined for "not yet". */
export function toAck(ack: number | undefined): Ack | undefined {
  if (ack === undefined || ack === 0) return undefined
  if (ack < 0) return 'error'
  return ack === 1 ? 'sent' : ack === 2 ? 'delivered' : 'read'
}

/** How a message was changed since it was written, if it was. */
export function editEvents(message: WebMessage, around: WebMessageContext): ChannelEvent[] {
  const at = Number(message.latestEditSenderTimestampMs ?? 0)
  if (!(at > 0)) return []
  const event = toMessageEvent(message, around)
  return event ? [changed('edit', message, around.people, event.body, at)] : []
}

/** Edits, deletions, reactions and calls. */
export function changeEvents(event: WebEvent, self: OwnAddresses): ChannelEvent[] {
  switch (event.type) {
    case 'edit': {
      const at = Number(event.message.latestEditSenderTimestampMs ?? 0) || Date.now()
      if (!isShown(event.message, self)) return []
      return [changed('edit', event.message, event.people, event.body, at)]
    }
    case 'revoke':
      return isShown(event.message, self) ? [toRevokeEvent(event.message, event.people, Date.now())] : []
    case 'reaction': {
      if (isNoConversation(event.of.remote)) return []
      const chat = toPeer(event.of.remote, event.people)
      const by = toPeer(event.by, event.people)
      const { emoji, fromMe } = event
      return [
        {
          type: 'reaction',
          ref: toMessageRef(event.of),
          ...(event.id && { id: event.id }),
          chat,
          by,
          fromMe,
          emoji,
          at: event.t * 1000 || Date.now(),
        },
      ]
    }
    case 'moved': {
      const names = (address: string) => {
        const { pn, lid } = toPeer(address, NOBODY)
        return { ...(pn && { pn }), ...(lid && { lid }) }
      }
      return [{ type: 'moved', id: event.id, from: names(event.from), to: names(event.to) }]
    }
    case 'group':
      return [{ type: 'group', jid: event.jid, subject: event.subject }]
    case 'members': {
      const { id, people, change, t } = event
      if (!Object.keys(people).some(address => isSelf(toPeer(address, people), self))) return []
      const at = t * 1000 || Date.now()
      const group = toPeer(event.jid, NOBODY)
      return [{ type: 'membership', ...(id && { id }), group, isMember: change === 'join', at }]
    }
    default:
      return []
  }
}

function isSelf(peer: Peer, self: OwnAddresses): boolean {
  return (peer.pn !== undefined && peer.pn === self.pn) || (peer.lid !== undefined && peer.lid === self.lid)
}

function changed(type: 'edit', message: WebMessage, people: AddressBook, body: string, at: number): ChannelEvent {
  const by = findAuthor(message)
  const chat = toPeer(message.id.remote, people)
  return { type, ref: toMessageRef(message.id), chat, ...(by && { by: toPeer(by, people) }), body, at }
}

/** What stands in the place of a deleted message may have an id of its own, and names the other. */
export function toRevokeEvent(message: WebMessage, people: AddressBook, at: number): ChannelEvent {
  const of = isRecord(message.protocolMessageKey) ? toText(message.protocolMessageKey.id) : undefined
  const by = findAuthor(message)
  const ref = { ...toMessageRef(message.id), ...(of && { id: of }) }
  return { type: 'revoke', ref, chat: toPeer(message.id.remote, people), ...(by && { by: toPeer(by, people) }), at }
}
