/** What a message carries, in words a test or a page can use: written by phones, read from what the desk sends. */
import { normalizeMessageContent, proto } from '@whiskeysockets/baileys'
import { findMedia, type MediaRef, type PhoneMediaKind } from './media'

export type PhoneContent =
  /** `mentions`: the addresses of whom it names. */
  | { type: 'text'; text: string; mentions?: readonly string[] }
  | {
      type: PhoneMediaKind
      media: MediaRef
      mimetype: string
      caption?: string
      fileName?: string
      seconds?: number
      /** Loudness over time of a voice note, 0 to 100. */
      waveform?: number[]
    }
  | { type: 'location'; latitude: number; longitude: number; name?: string; address?: string }
  | { type: 'contacts'; contacts: { name: string; vcard: string }[] }
  | { type: 'poll'; name: string; options: string[] }
  /** An order, a product, a charge and the like: `name` of the message, and what there is to read. */
  | { type: 'card'; name: string; text: string }
  | { type: 'call'; video: boolean; missed: boolean }
  | { type: 'unknown'; kind: string }

/** What changes a message that is already there. */
export type Change =
  | { type: 'reaction'; of: string; emoji: string }
  | { type: 'edit'; of: string; text: string }
  | { type: 'revoke'; of: string }

/** Reads a decrypted message; nothing for what no phone shows, such as key exchanges. */
export function readMessage(raw: proto.IMessage): {
  content?: PhoneContent
  change?: Change
  quote?: string
  secret?: Uint8Array
  /** Seconds after which it vanishes. */
  timer?: number
} {
  const message = normalizeMessageContent(raw)
  if (!message) return {}
  const change = readChange(message)
  if (change) return { change }
  // A better file takes the place of the one that came before: the phone has the picture already.
  const content = raw.messageContextInfo?.messageAssociation ? undefined : readContent(message)
  const quote = getQuote(message)
  const secret = raw.messageContextInfo?.messageSecret
  const timer = Number(readContext(message, 'expiration') ?? 0)
  return { ...(content && { content }), ...(quote && { quote }), ...(secret && { secret }), ...(timer && { timer }) }
}

function readChange(message: proto.IMessage): Change | undefined {
  const { protocolMessage: protocol, reactionMessage: reaction } = message
  if (reaction?.key?.id) return { type: 'reaction', of: reaction.key.id, emoji: reaction.text ?? '' }
  if (!protocol?.key?.id) return undefined
  const Type = proto.Message.ProtocolMessage.Type
  if (protocol.type === Type.REVOKE) return { type: 'revoke', of: protocol.key.id }
  if (protocol.type === Type.MESSAGE_EDIT) {
    const text = protocol.editedMessage ? getCaption(protocol.editedMessage) : ''
    return { type: 'edit', of: protocol.key.id, text }
  }
  return undefined
}

function readContent(message: proto.IMessage): PhoneContent | undefined {
  const media = findMedia(message)
  if (media) return media
  const location = message.locationMessage ?? message.liveLocationMessage
  if (location) return readLocation(location)
  if (message.contactMessage) return { type: 'contacts', contacts: [readContact(message.contactMessage)] }
  if (message.contactsArrayMessage) {
    return { type: 'contacts', contacts: (message.contactsArrayMessage.contacts ?? []).map(readContact) }
  }
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV2 ?? message.pollCreationMessageV3
  if (poll) {
    return { type: 'poll', name: poll.name ?? '', options: (poll.options ?? []).map(option => option.optionName ?? '') }
  }
  const card = readCard(message)
  if (card) return card
  if (message.conversation || message.extendedTextMessage) {
    const mentions = message.extendedTextMessage?.contextInfo?.mentionedJid ?? []
    return { type: 'text', text: getCaption(message), ...(mentions.length > 0 && { mentions }) }
  }
  const kind = Object.keys(message).find(key => !SILENT.has(key))
  return kind ? { type: 'unknown', kind } : undefined
}

const SILENT = new Set([
  'senderKeyDistributionMessage',
  'messageContextInfo',
  'protocolMessage',
  'secretEncryptedMessage',
  'statusMentionMessage',
])

function readCard(message: proto.IMessage): PhoneContent | undefined {
  const { orderMessage: order, productMessage, interactiveMessage: interactive, eventMessage: event } = message
  const card = (name: string, ...lines: (string | null | undefined)[]): PhoneContent => ({
    type: 'card',
    name,
    text: lines.filter(Boolean).join('\n'),
  })
  if (order) return card('order', `${order.itemCount ?? 0} itens`, order.orderTitle, order.message)
  if (productMessage) return card('product', productMessage.product?.title, productMessage.product?.description)
  if (event) return card('event', event.name, event.description, event.location?.name)
  if (!interactive) return undefined
  const buttons = interactive.nativeFlowMessage?.buttons ?? []
  const { header, body, footer } = interactive
  const isPayment = buttons.some(button => button.name === 'payment_info' || button.name === 'review_and_pay')
  return card(isPayment ? 'payment' : 'interactive', header?.title, body?.text, footer?.text)
}

function readLocation(location: proto.Message.ILocationMessage): PhoneContent {
  return {
    type: 'location',
    latitude: location.degreesLatitude ?? 0,
    longitude: location.degreesLongitude ?? 0,
    ...(location.name && { name: location.name }),
    ...(location.address && { address: location.address }),
  }
}

function readContact(contact: proto.Message.IContactMessage): { name: string; vcard: string } {
  return { name: contact.displayName ?? '', vcard: contact.vcard ?? '' }
}

function getCaption(message: proto.IMessage): string {
  const { conversation, extendedTextMessage, imageMessage, videoMessage, documentMessage } = message
  return (
    conversation ||
    extendedTextMessage?.text ||
    imageMessage?.caption ||
    videoMessage?.caption ||
    documentMessage?.caption ||
    ''
  )
}

function getQuote(message: proto.IMessage): string | undefined {
  const id = readContext(message, 'stanzaId')
  return typeof id === 'string' && id !== '' ? id : undefined
}

function readContext(message: proto.IMessage, name: keyof proto.IContextInfo): unknown {
  for (const part of Object.values(message)) {
    const context: unknown = part && typeof part === 'object' && 'contextInfo' in part ? part.contextInfo : undefined
    if (context && typeof context === 'object' && name in context)
      return Object.entries(context).find(([key]) => key === name)?.[1]
  }
  return undefined
}
