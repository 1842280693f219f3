// A WhatsApp message → neutral events: the message itself, or the edit, deletion or reaction that travels as one.

import type { Ack } from '@balcao/contract'
import { normalizeMessageContent, proto, type WAMessage, WAMessageStatus } from '@whiskeysockets/baileys'
import type { ChannelEvent, MessageRef, Peer } from '../driver.ts'
import { contentOf, forwardOf } from './content.ts'
import { isNoConversation, isSelf, peerOf, plainJid, type Self } from './peers.ts'
import { isPlain, messageOf, plainOf } from './plain.ts'

export interface Surroundings {
  readonly self: Self
  /** Whether the message waited at the server while we were away. */
  readonly replay: boolean
  readonly chatName?: string | undefined
}

/** What a message means to the desk; nothing for what no conversation shows. Its keys must be seen from our side (`cleanMessage`). */
export function eventsOf(message: WAMessage, around: Surroundings): ChannelEvent[] {
  const chat = chatOf(message)
  const id = message.key.id
  if (!chat || !id) return []
  const content = normalizeMessageContent(message.message)
  if (content?.protocolMessage) return changeOf(message, chat, content.protocolMessage)
  if (content?.reactionMessage) return reactionOf(message, chat, content.reactionMessage, around.self)
  if (message.messageStubType && message.messageStubType !== proto.WebMessageInfo.StubType.CIPHERTEXT) return []
  return messageEvent(message, chat, around)
}

/** A message from its stored form, as this version understands it; null for what no conversation shows. */
export function reread(raw: unknown): Extract<ChannelEvent, { type: 'message' }> | null {
  if (!isPlain(raw)) return null
  const message = { ...raw, message: messageOf(raw) ?? null }
  return eventsOf(message, { self: { id: '' }, replay: true }).find(event => event.type === 'message') ?? null
}

function messageEvent(message: WAMessage, chat: Peer, around: Surroundings): ChannelEvent[] {
  const shown = message.key.isViewOnce && !message.message ? VIEW_ONCE : contentOf(message.message)
  if (!shown) return []
  const { mediaType, body, media, context } = shown
  const raw = plainOf(message)
  const quote = quoteOf(context, chat, around.self)
  const forward = forwardOf(context)
  const ack = message.key.fromMe ? ackOfStatus(message.status) : undefined
  const author = authorOf(message)
  return [
    {
      type: 'message',
      ref: refOf(message),
      chat,
      ...(author && { author }),
      at: timeOf(message),
      ...(message.pushName && !message.key.fromMe && { name: message.pushName }),
      ...(around.chatName && { chatName: around.chatName }),
      mediaType,
      body,
      ...(media && { media: { ...media, handle: { key: raw.key, message: raw.message } } }),
      ...(quote && { quote }),
      ...(forward && { forward }),
      ...(ack && { ack }),
      replay: around.replay,
      raw,
    },
  ]
}

/** A photo to be seen once stays on the phone: linked devices only learn that there was one. */
const VIEW_ONCE = { mediaType: 'unknown', body: 'viewOnceMessage', media: undefined, context: undefined } as const

/** The chat of a message, or null for status updates, channels and the like. */
export function chatOf(message: WAMessage): Peer | null {
  const { remoteJid, remoteJidAlt } = message.key
  if (!remoteJid || isNoConversation(remoteJid) || message.broadcast) return null
  return peerOf(remoteJid, remoteJidAlt)
}

export function refOf(message: WAMessage): MessageRef {
  const { id, fromMe, remoteJid } = message.key
  const participant = participantOf(message)
  return {
    chat: plainJid(remoteJid ?? ''),
    id: id ?? '',
    fromMe: fromMe ?? false,
    ...(participant && { participant }),
  }
}

/** In one-to-one chats the key's participant is `""`. */
function participantOf(message: WAMessage): string | undefined {
  const participant = message.key.participant || message.participant
  return participant ? plainJid(participant) : undefined
}

function authorOf(message: WAMessage): Peer | undefined {
  const participant = participantOf(message)
  return participant && !message.key.fromMe ? peerOf(participant, message.key.participantAlt) : undefined
}

/** The key inside names a message as its sender sees it. Whose it is we say by who sent the change: nobody changes another's. */
function changeOf(message: WAMessage, chat: Peer, change: proto.Message.IProtocolMessage): ChannelEvent[] {
  const id = change.key?.id
  if (!id) return []
  const by = chat.group ? authorOf(message) : undefined
  const named = { ref: { ...refOf(message), id }, chat, ...(by && { by }) }
  const Type = proto.Message.ProtocolMessage.Type
  if (change.type === Type.REVOKE) return [{ type: 'revoke', ...named, at: timeOf(message) }]
  if (change.type !== Type.MESSAGE_EDIT) return []
  const edited = contentOf(change.editedMessage)
  const at = Number(change.timestampMs ?? 0) || timeOf(message)
  return edited ? [{ type: 'edit', ...named, body: edited.body, at }] : []
}

function reactionOf(
  message: WAMessage,
  chat: Peer,
  reaction: proto.Message.IReactionMessage,
  self: Self,
): ChannelEvent[] {
  const id = reaction.key?.id
  if (!id) return []
  const fromMe = message.key.fromMe ?? false
  const by = fromMe ? peerOf(self.id, self.lid) : (authorOf(message) ?? chat)
  const participant = reaction.key?.participant ? plainJid(reaction.key.participant) : undefined
  return [
    {
      type: 'reaction',
      ref: {
        chat: chat.jid,
        id,
        fromMe: reaction.key?.fromMe ?? false,
        ...(participant && chat.group && { participant }),
      },
      chat,
      by,
      fromMe,
      ...(message.pushName && !fromMe && { name: message.pushName }),
      emoji: reaction.text ?? '',
      at: Number(reaction.senderTimestampMs ?? 0) || timeOf(message),
    },
  ]
}

function quoteOf(context: proto.IContextInfo | null | undefined, chat: Peer, self: Self): MessageRef | undefined {
  if (!context?.stanzaId) return undefined
  const participant = context.participant ? plainJid(context.participant) : undefined
  return {
    chat: chat.jid,
    id: context.stanzaId,
    fromMe: isSelf(self, participant),
    ...(participant && { participant }),
  }
}

/** The provider's time in ms. */
export function timeOf(message: WAMessage): number {
  return Number(message.messageTimestamp ?? 0) * 1000 || Date.now()
}

/** The neutral ack of WhatsApp's message status; undefined for "not yet". */
export function ackOfStatus(status: number | null | undefined): Ack | undefined {
  switch (status) {
    case WAMessageStatus.ERROR:
      return 'error'
    case WAMessageStatus.SERVER_ACK:
      return 'sent'
    case WAMessageStatus.DELIVERY_ACK:
      return 'delivered'
    case WAMessageStatus.READ:
    case WAMessageStatus.PLAYED:
      return 'read'
    default:
      return undefined
  }
}
