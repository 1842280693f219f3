// A WhatsApp message → neutral events: the message itself, or the edit, deletion or reaction that travels as one.

import type { Ack } from '@balcao/contract'
import { proto, type WAMessage, WAMessageStatus } from '@whiskeysockets/baileys'
import {
  type ChannelEvent,
  type InboundMessage,
  type MentionedPerson,
  type MessageRef,
  type Peer,
  type ReceivedQuote,
  UNREADABLE,
} from '../../../platform/channel/driver.ts'
import { isRecord } from '../shared/json.ts'
import type { Unsealed } from '../shared/kind-module.ts'
import { type BaileysContent, createNotice, toContent, toForwardMark } from './content.ts'
import { findThumb } from './files.ts'
import { isNoConversation, isSelf, normalizeJid, type PairedAccount, toPeer } from './peers.ts'
import { isPlain, toPlainMessage, toProtoMessage } from './plain-message.ts'
import { getMessageSecret, listAuthorAddresses, openSealedEdit } from './sealed.ts'
import { findUnknownField, unwrapMessage } from './unwrap.ts'

export interface BaileysMessageContext {
  readonly self: PairedAccount
  /** Whether the message waited at the server while we were away. */
  readonly replay: boolean
  readonly chatName?: string | undefined
  /** All that came, also what the library's definitions do not know. */
  readonly bytes?: Uint8Array | undefined
}

/** What a message means to the desk; nothing for what no conversation shows. Its keys must be seen from our side (`cleanMessage`). */
export function toChannelEvents(given: WAMessage, around: BaileysMessageContext): ChannelEvent[] {
  const message = toPrivateMessage(given)
  const chat = findChat(message, around.self)
  if (!chat || !message.key.id) return []
  const { message: content, about } = unwrapMessage(message.message) ?? {}
  if (content?.protocolMessage)
    return [
      ...readTimer(message, chat, content.protocolMessage),
      ...toChangeEvents(message, chat, content.protocolMessage, around.self),
    ]
  if (content?.reactionMessage) return toReactionEvents(message, chat, content.reactionMessage, around.self)
  if (content?.secretEncryptedMessage) return hiddenChange(message, chat, content.secretEncryptedMessage, around.self)
  if (message.messageStubType && message.messageStubType !== proto.WebMessageInfo.StubType.CIPHERTEXT) return []
  const association = about?.messageAssociation
  if (PARTS.has(association?.associationType ?? UNKNOWN)) return []
  const shown =
    message.key.isViewOnce && !message.message
      ? createNotice('view_once', 'viewOnceMessage')
      : (toContent(message.message) ?? newKind(around.bytes))
  if (!shown) return []
  const secret = getMessageSecret(about)
  const betterOf = BETTER.has(association?.associationType ?? UNKNOWN) ? association?.parentMessageKey?.id : undefined
  return [{ ...messageEvent(message, chat, around, shown), ...(secret && { secret }), ...(betterOf && { betterOf }) }]
}

/** A message from its stored form, as this version understands it; null for what no conversation shows. */
export function rereadMessage(raw: unknown): InboundMessage | null {
  if (!isPlain(raw)) return null
  const message = { ...raw, message: toProtoMessage(raw) ?? null }
  const bytes = raw.bytes ? Buffer.from(raw.bytes, 'base64') : undefined
  return (
    toChannelEvents(message, { self: { id: '' }, replay: true, bytes }).find(event => event.type === 'message') ?? null
  )
}

/** What a sealed edit says that could not be opened when it came. */
export function unseal(sealed: unknown, secret: string): Unsealed | null {
  if (!isRecord(sealed) || !isPlain(sealed.message) || !Array.isArray(sealed.names)) return null
  const edited = { ...sealed.message, message: toProtoMessage(sealed.message) ?? null }
  const message = openSealedEdit(edited, [secret], sealed.names.map(String))
  const edit =
    message && toChannelEvents(message, { self: { id: '' }, replay: true }).find(event => event.type === 'edit')
  return edit ? { body: edit.body, at: edit.at, ...(edit.details && { details: edit.details }) } : null
}

/** The card that stands for a message nobody could read, if it does not come again. */
export function createUnreadableCard(given: WAMessage, self: PairedAccount, replay: boolean) {
  const message = toPrivateMessage({ ...given, message: null })
  const chat = findChat(message, self)
  if (!chat || !message.key.id) return null
  return messageEvent(
    message,
    chat,
    { self, replay },
    { ...createNotice('only_on_phone', UNREADABLE), body: UNREADABLE },
  )
}

/** Somebody's broadcast list shows at nobody: what comes through it stands in the chat with who sent it. */
export function toPrivateMessage(message: WAMessage): WAMessage {
  const { remoteJid, participant, fromMe } = message.key
  if (!remoteJid?.endsWith('@broadcast') || isNoConversation(remoteJid) || !participant || fromMe) return message
  return { ...message, broadcast: false, key: { ...message.key, remoteJid: participant, participant: '' } }
}

const { UNKNOWN, HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD, ...Association } = proto.MessageAssociation.AssociationType

/** A photo or film in the better quality comes after the small one. */
const BETTER = new Set([HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD])

/** What belongs to a message that says it all: the film of a photo, pictures of a poll or an event, another form of a film. */
const PARTS = new Set([
  Association.MOTION_PHOTO,
  Association.HEVC_VIDEO_DUAL_UPLOAD,
  Association.EVENT_COVER_IMAGE,
  Association.MEDIA_POLL,
  Association.STICKER_ANNOTATION,
])

/** Looked for only where nothing else is found. */
function newKind(bytes: Uint8Array | undefined): BaileysContent | null {
  const field = bytes ? findUnknownField(bytes) : null
  return field === null ? null : createNotice('new_kind', `field ${field}`)
}

function messageEvent(message: WAMessage, chat: Peer, around: BaileysMessageContext, shown: BaileysContent) {
  const { mediaType, body, media, context } = shown
  const raw = toPlainMessage(message, mediaType === 'unknown' ? around.bytes : undefined)
  const quote = toQuote(context, chat, around.self)
  const forward = toForwardMark(context)
  const ack = message.key.fromMe ? toAck(message.status) : undefined
  const author = findAuthor(message)
  // What cannot be read says nothing of how long it stays.
  const timer = context?.expiration ?? (mediaType === 'unknown' ? null : 0)
  // Where somebody comes from: on what we write it is an echo.
  const { card } = shown.details ?? {}
  const details = message.key.fromMe ? card && { card } : shown.details
  return {
    type: 'message' as const,
    ref: toMessageRef(message),
    chat,
    ...(author && { author }),
    at: getMessageTime(message),
    ...(message.pushName && !message.key.fromMe && { name: message.pushName }),
    ...(around.chatName && { chatName: around.chatName }),
    mediaType,
    body,
    ...(media && { media: { ...media, handle: { key: raw.key, message: raw.message } } }),
    ...(details && { details }),
    ...readMentions(context, around.self),
    ...(quote && { quote }),
    ...(forward && { forward }),
    ...(ack && { ack }),
    ...(timer !== null && { timer }),
    replay: around.replay,
    raw,
  }
}

/** The chat of a message, or null for status updates, channels and the like, and for what our own phone notes down for itself. */
export function findChat(message: WAMessage, self?: PairedAccount): Peer | null {
  const { remoteJid, remoteJidAlt } = message.key
  const isNobody = !remoteJid || isNoConversation(remoteJid) || remoteJid.endsWith('@broadcast')
  if (isNobody || message.broadcast || isSelf(self, remoteJid)) return null
  return toPeer(remoteJid, remoteJidAlt)
}

export function toMessageRef(message: WAMessage): MessageRef {
  const { id, fromMe, remoteJid } = message.key
  const participant = getParticipant(message)
  return {
    chat: normalizeJid(remoteJid ?? ''),
    id: id ?? '',
    fromMe: fromMe ?? false,
    ...(participant && { participant }),
  }
}

/** In one-to-one chats the key's participant is `""`. */
function getParticipant(message: WAMessage): string | undefined {
  const participant = message.key.participant || message.participant
  return participant ? normalizeJid(participant) : undefined
}

function findAuthor(message: WAMessage): Peer | undefined {
  const participant = getParticipant(message)
  return participant && !message.key.fromMe ? toPeer(participant, message.key.participantAlt) : undefined
}

/** Somebody set after how long the messages of the chat vanish. */
function readTimer(message: WAMessage, chat: Peer, setting: proto.Message.IProtocolMessage): ChannelEvent[] {
  if (setting.type !== proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING) return []
  return [{ type: 'timer', chat, seconds: setting.ephemeralExpiration ?? 0, at: getMessageTime(message) }]
}

/** The key inside names a message as its sender sees it. Whose it is we say by who sent the change: nobody changes another's. */
function toChangeEvents(
  message: WAMessage,
  chat: Peer,
  change: proto.Message.IProtocolMessage,
  self: PairedAccount,
): ChannelEvent[] {
  const id = change.key?.id
  if (!id) return []
  const by = chat.group ? findAuthor(message) : undefined
  const named = { ref: { ...toMessageRef(message), id }, chat, ...(by && { by }) }
  const Type = proto.Message.ProtocolMessage.Type
  if (change.type === Type.REVOKE) return [{ type: 'revoke', ...named, at: getMessageTime(message) }]
  if (change.type !== Type.MESSAGE_EDIT) return []
  const edited = toContent(change.editedMessage)
  const at = Number(change.timestampMs ?? 0) || getMessageTime(message)
  if (!edited) return []
  const { mediaType, body, details, context } = edited
  return [
    {
      type: 'edit',
      ...named,
      ...nameChange(message),
      body: mediaType === 'unknown' ? null : body,
      ...readMentions(context, self),
      ...(details && { details }),
      at,
    },
  ]
}

/** Who is named in the words, by the addresses that stand there. */
function readMentions(context: BaileysContent['context'], self: PairedAccount): { mentions?: MentionedPerson[] } {
  const named = (context?.mentionedJid ?? []).slice(0, MOST_MENTIONS)
  const mentions = named.map(jid => ({ ...toPeer(jid), ...(isSelf(self, jid) && { isSelf: true as const }) }))
  return mentions.length > 0 ? { mentions } : {}
}

/** The largest group there is. */
const MOST_MENTIONS = 1024

/** A change travels as a message with an id of its own. */
function nameChange({ key: { id } }: WAMessage): { id?: string } {
  return id ? { id } : {}
}

/** A sealed change that was not opened: its message says that it was changed, or it is opened when its message comes. */
function hiddenChange(
  message: WAMessage,
  chat: Peer,
  { targetMessageKey }: proto.Message.ISecretEncryptedMessage,
  self: PairedAccount,
): ChannelEvent[] {
  const id = targetMessageKey?.id
  if (!id) return []
  const by = chat.group ? findAuthor(message) : undefined
  const named = { ref: { ...toMessageRef(message), id }, ...nameChange(message), chat, ...(by && { by }) }
  const sealed = { message: toPlainMessage(message), names: listAuthorAddresses(message, self) }
  return [{ type: 'edit', ...named, body: null, sealed, at: getMessageTime(message) }]
}

function toReactionEvents(
  message: WAMessage,
  chat: Peer,
  reaction: proto.Message.IReactionMessage,
  self: PairedAccount,
): ChannelEvent[] {
  const id = reaction.key?.id
  if (!id) return []
  const fromMe = message.key.fromMe ?? false
  const by = fromMe ? toPeer(self.id, self.lid) : (findAuthor(message) ?? chat)
  const participant = reaction.key?.participant ? normalizeJid(reaction.key.participant) : undefined
  return [
    {
      type: 'reaction',
      ref: {
        chat: chat.jid,
        id,
        fromMe: reaction.key?.fromMe ?? false,
        ...(participant && chat.group && { participant }),
      },
      ...nameChange(message),
      chat,
      by,
      fromMe,
      ...(message.pushName && !fromMe && { name: message.pushName }),
      emoji: reaction.text ?? '',
      at: Number(reaction.senderTimestampMs ?? 0) || getMessageTime(message),
    },
  ]
}

function toQuote(
  context: proto.IContextInfo | null | undefined,
  chat: Peer,
  self: PairedAccount,
): ReceivedQuote | undefined {
  if (!context?.stanzaId) return undefined
  const participant = context.participant ? normalizeJid(context.participant) : undefined
  return {
    chat: chat.jid,
    id: context.stanzaId,
    fromMe: isSelf(self, participant),
    ...(participant && { participant }),
    ...readQuotedContent(context.quotedMessage),
  }
}

/** What came along of a message that is answered. */
function readQuotedContent(quoted: proto.IMessage | null | undefined): Pick<ReceivedQuote, 'content'> {
  const content = toContent(quoted)
  if (!content || content.mediaType === 'unknown') return {}
  const { mediaType, body } = content
  const thumb = findThumb(quoted)
  return { content: { mediaType, body, ...(thumb && { thumb }) } }
}

/** The provider's time in ms. */
export function getMessageTime(message: WAMessage): number {
  return Number(message.messageTimestamp ?? 0) * 1000 || Date.now()
}

/** The neutral ack of WhatsApp's message status; undefined for "not yet". */
export function toAck(status: number | null | undefined): Ack | undefined {
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
