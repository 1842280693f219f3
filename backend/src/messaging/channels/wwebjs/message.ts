// What WhatsApp Web tells → neutral events.
import type { Ack } from '@balcao/contract'
import {
  type ChannelEvent,
  type MentionedPerson,
  type Peer,
  type ReceivedQuote,
  UNREADABLE,
} from '../../../platform/channel/driver.ts'
import { isRecord, text } from '../shared/json.ts'
import { contentOf, noticed } from './content.ts'
import { cutMessage, listMentioned, NOBODY, wid } from './cut.ts'
import { isNoConversation, jidOf, peerOf, refOf } from './peers.ts'
import type { People, WebEvent, WebMessage } from './protocol.ts'

export type MessageEvent = Extract<ChannelEvent, { type: 'message' }>

/** Our own addresses, once known. */
export type Self = { readonly pn?: string; readonly lid?: string }

export interface Surroundings {
  readonly self: Self
  readonly people: People
  /** Whether it came while no page was open. */
  readonly replay: boolean
}

/** What a message means to the desk; nothing for what no conversation shows, and for what the phone notes down for itself. */
export function messageEvent(message: WebMessage, around: Surroundings): MessageEvent | null {
  if (!isShown(message, around.self)) return null
  const content = contentOf(message)
  return content && eventOf(message, around, content)
}

/** The card that stands for a message nobody could read, if it does not come again. */
export function unreadableCard(message: WebMessage, around: Surroundings): MessageEvent | null {
  if (!isShown(message, around.self) || message.id.fromMe) return null
  return eventOf(message, around, { ...noticed('only_on_phone', UNREADABLE), body: UNREADABLE })
}

/** A message from its stored form, as this version understands it. */
export function reread(raw: unknown): MessageEvent | null {
  const message =
    isRecord(raw) && isRecord(raw.id) ? cutMessage({ ...raw, directPath: raw.hasFile ? 'kept' : '' }) : null
  return message && messageEvent(message, { self: {}, people: NOBODY, replay: true })
}

function isShown(message: WebMessage, self: Self): boolean {
  const chat = message.id.remote
  if (isNoConversation(chat) || message.isStatusV3 === true) return false
  return jidOf(chat) !== `${self.pn}@s.whatsapp.net` && chat !== self.lid
}

function eventOf(
  message: WebMessage,
  { self, people, replay }: Surroundings,
  { mediaType, body, media, details }: NonNullable<ReturnType<typeof contentOf>>,
): MessageEvent {
  const chat = peerOf(message.id.remote, people)
  const by = authorOf(message)
  const name = text(message.notifyName)
  const chatName = people[message.id.remote]?.name
  const quote = quoteOf(message, self)
  const forward = forwardOf(message)
  const ack = message.id.fromMe ? ackOf(message.ack) : undefined
  const mentions = readMentions(message, self, people)
  return {
    type: 'message',
    ref: refOf(message.id),
    chat,
    ...(by && { author: peerOf(by, people) }),
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
    replay,
    raw: message,
  }
}

/** Who wrote it, in a group; of what we wrote nobody asks. */
function authorOf(message: WebMessage) {
  if (!message.id.remote.endsWith('@g.us') || message.id.fromMe) return undefined
  return wid(message.author) ?? message.id.participant
}

function readMentions(message: WebMessage, self: Self, people: People): MentionedPerson[] {
  return listMentioned(message).map(address => {
    const peer = peerOf(address, people)
    const name = people[address]?.name
    return { ...peer, ...(name && { name }), ...(isSelf(peer, self) && { isSelf: true as const }) }
  })
}

function quoteOf(message: WebMessage, self: Self): ReceivedQuote | undefined {
  const id = text(message.quotedStanzaID)
  if (!id) return undefined
  const by = wid(message.quotedParticipant)
  const participant = by && jidOf(by)
  const fromMe = participant === `${self.pn}@s.whatsapp.net` || (self.lid !== undefined && participant === self.lid)
  return {
    chat: jidOf(message.id.remote),
    id,
    fromMe,
    ...(participant && { participant }),
    ...readQuotedContent(message),
  }
}

/** What came along of a message that is answered. */
function readQuotedContent({ id, quotedMsg }: WebMessage): Pick<ReceivedQuote, 'content'> {
  const quoted = isRecord(quotedMsg) ? cutMessage({ ...quotedMsg, id, directPath: 'along' }) : null
  const content = quoted && contentOf(quoted)
  if (!content || content.mediaType === 'unknown') return {}
  const { mediaType, body } = content
  const thumb = isRecord(quotedMsg) ? text(quotedMsg.thumb) : undefined
  return { content: { mediaType, body, ...(thumb && { thumb }) } }
}

function forwardOf(message: WebMessage): 'true' | 'frequently' | undefined {
  if (message.isForwarded !== true) return undefined
  return Number(message.forwardingScore ?? 0) >= 5 ? 'frequently' : 'true'
}

/** The neutral ack of a number of WhatsApp Web (facts of the kind, `contract/kinds`); undefined for "not yet". */
export function ackOf(ack: number | undefined): Ack | undefined {
  if (ack === undefined || ack === 0) return undefined
  if (ack < 0) return 'error'
  return ack === 1 ? 'sent' : ack === 2 ? 'delivered' : 'read'
}

/** How a message was changed since it was written, if it was. */
export function editEvents(message: WebMessage, around: Surroundings): ChannelEvent[] {
  const at = Number(message.latestEditSenderTimestampMs ?? 0)
  if (!(at > 0)) return []
  const event = messageEvent(message, around)
  return event ? [changed('edit', message, around.people, event.body, at)] : []
}

/** Edits, deletions, reactions and calls. */
export function changeEvents(event: WebEvent, self: Self): ChannelEvent[] {
  switch (event.type) {
    case 'edit': {
      const at = Number(event.message.latestEditSenderTimestampMs ?? 0) || Date.now()
      if (!isShown(event.message, self)) return []
      return [changed('edit', event.message, event.people, event.body, at)]
    }
    case 'revoke':
      return isShown(event.message, self) ? [revoked(event.message, event.people, Date.now())] : []
    case 'reaction': {
      if (isNoConversation(event.of.remote)) return []
      const chat = peerOf(event.of.remote, event.people)
      const by = peerOf(event.by, event.people)
      const { emoji, fromMe } = event
      return [
        {
          type: 'reaction',
          ref: refOf(event.of),
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
        const { pn, lid } = peerOf(address, NOBODY)
        return { ...(pn && { pn }), ...(lid && { lid }) }
      }
      return [{ type: 'moved', id: event.id, from: names(event.from), to: names(event.to) }]
    }
    case 'group':
      return [{ type: 'group', jid: event.jid, subject: event.subject }]
    case 'members': {
      const { people, change, t } = event
      if (!Object.keys(people).some(address => isSelf(peerOf(address, people), self))) return []
      const at = t * 1000 || Date.now()
      return [{ type: 'membership', group: peerOf(event.jid, NOBODY), isMember: change === 'join', at }]
    }
    default:
      return []
  }
}

function isSelf(peer: Peer, self: Self): boolean {
  return (peer.pn !== undefined && peer.pn === self.pn) || (peer.lid !== undefined && peer.lid === self.lid)
}

function changed(type: 'edit', message: WebMessage, people: People, body: string, at: number): ChannelEvent {
  const by = authorOf(message)
  const chat = peerOf(message.id.remote, people)
  return { type, ref: refOf(message.id), chat, ...(by && { by: peerOf(by, people) }), body, at }
}

/** What stands in the place of a deleted message may have an id of its own, and names the other. */
export function revoked(message: WebMessage, people: People, at: number): ChannelEvent {
  const of = isRecord(message.protocolMessageKey) ? text(message.protocolMessageKey.id) : undefined
  const by = authorOf(message)
  const ref = { ...refOf(message.id), ...(of && { id: of }) }
  return { type: 'revoke', ref, chat: peerOf(message.id.remote, people), ...(by && { by: peerOf(by, people) }), at }
}
