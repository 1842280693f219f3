/** What a phone may send, and how it looks on the wire. */
import { randomBytes } from 'node:crypto'
import { proto } from '@whiskeysockets/baileys'
import {
  type Advertisement,
  type CardToSend,
  createAdvertisementMessage,
  createCardMessage,
  createHdFile,
  createStatusMention,
} from './cards'
import type { Change, PhoneContent } from './content'
import { readMessage } from './content'
import { type PhoneMediaKind, upload } from './media'
import { sealEdit } from './sealed-edit'
import type { WhatsAppNetwork } from './world'

interface WithQuote {
  /** Id of the message this one answers. */
  quote?: string
  /** Seconds after which it vanishes. */
  timer?: number
}

export type OutgoingMessage =
  | ({ type: 'text'; text: string } & WithQuote)
  | ({
      type: PhoneMediaKind
      data: Uint8Array
      mimetype?: string
      caption?: string
      fileName?: string
      seconds?: number
      width?: number
      height?: number
      thumbnail?: Uint8Array
    } & WithQuote)
  | ({ type: 'location'; latitude: number; longitude: number; name?: string; address?: string } & WithQuote)
  | ({ type: 'contact'; name: string; number: string } & WithQuote)
  | ({ type: 'contacts'; contacts: { name: string; number: string }[] } & WithQuote)
  | { type: 'poll'; name: string; options: string[] }
  | { type: 'reaction'; of: string; emoji: string }
  | CardToSend
  | ({ type: 'ad'; text: string } & Advertisement)
  /** The better file of a photo or film that was sent as `of`. */
  | { type: 'better'; of: string; media: 'image' | 'video'; data: Uint8Array }
  | { type: 'statusMention' }
  /** `sealed`: readable only with the secret of the original, as phones send edits today. */
  | { type: 'edit'; of: string; text: string; sealed?: boolean }
  | { type: 'revoke'; of: string }
  /** Any message of the protocol, for kinds that have no word here. */
  | { type: 'raw'; message: proto.IMessage }

export interface ComposedMessage {
  message: proto.IMessage
  content: PhoneContent | undefined
  change: Change | undefined
  quote: string | undefined
  secret: Uint8Array | undefined
  timer: number | undefined
  /** The stanza's `type` and `edit`. */
  kind: 'text' | 'media' | 'reaction' | 'poll'
  edit: string | undefined
}

/** The sender's view of messages sent before. */
export interface SentMessages {
  /** Who a message is by and in which chat. */
  keyOf(id: string): proto.IMessageKey
  secretOf(id: string): Uint8Array | undefined
  /** The sender's address in this chat. */
  address: string
}

const MIMETYPES: Record<PhoneMediaKind, string> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  voice: 'audio/ogg; codecs=opus',
  document: 'application/octet-stream',
  sticker: 'image/webp',
}

export async function compose(
  world: WhatsAppNetwork,
  outgoing: OutgoingMessage,
  memory: SentMessages,
): Promise<ComposedMessage> {
  const message = await createMessage(world, outgoing, memory)
  if ('quote' in outgoing && outgoing.quote) addQuote(message, memory.keyOf(outgoing.quote))
  if ('timer' in outgoing && outgoing.timer) addContext(message, { expiration: outgoing.timer })
  if (outgoing.type !== 'raw' && !('of' in outgoing)) message.messageContextInfo = { messageSecret: randomBytes(32) }
  const { content, change, quote, secret, timer } = readMessage(message)
  return {
    message,
    content,
    change: outgoing.type === 'edit' ? { type: 'edit', of: outgoing.of, text: outgoing.text } : change,
    quote,
    secret,
    timer,
    kind: getMessageKind(outgoing),
    edit: outgoing.type === 'edit' ? '1' : outgoing.type === 'revoke' ? '7' : undefined,
  }
}

function getMessageKind({ type }: OutgoingMessage): ComposedMessage['kind'] {
  if (type === 'reaction' || type === 'poll') return type
  return type in MIMETYPES || type === 'contact' || type === 'contacts' || type === 'location' ? 'media' : 'text'
}

async function createMessage(
  world: WhatsAppNetwork,
  outgoing: OutgoingMessage,
  memory: SentMessages,
): Promise<proto.IMessage> {
  const { keyOf } = memory
  const Type = proto.Message.ProtocolMessage.Type
  switch (outgoing.type) {
    case 'text':
      return ('quote' in outgoing && outgoing.quote) || ('timer' in outgoing && outgoing.timer)
        ? { extendedTextMessage: { text: outgoing.text } }
        : { conversation: outgoing.text }
    case 'location':
      return {
        locationMessage: {
          degreesLatitude: outgoing.latitude,
          degreesLongitude: outgoing.longitude,
          name: outgoing.name ?? null,
          address: outgoing.address ?? null,
        },
      }
    case 'contact':
      return { contactMessage: createContactMessage(outgoing) }
    case 'contacts':
      return {
        contactsArrayMessage: {
          displayName: `${outgoing.contacts.length} contacts`,
          contacts: outgoing.contacts.map(createContactMessage),
        },
      }
    case 'poll':
      return {
        pollCreationMessage: {
          name: outgoing.name,
          options: outgoing.options.map(optionName => ({ optionName })),
          selectableOptionsCount: 1,
        },
      }
    case 'reaction':
      return {
        reactionMessage: { key: keyOf(outgoing.of), text: outgoing.emoji, senderTimestampMs: Date.now() },
      }
    case 'edit': {
      const { of: id, text, sealed } = outgoing
      const key = keyOf(id)
      const editedMessage = { conversation: text }
      const edit = { protocolMessage: { key, type: Type.MESSAGE_EDIT, editedMessage, timestampMs: Date.now() } }
      if (!sealed) return edit
      const names = { id, author: memory.address, editor: memory.address }
      return sealEdit(names, memory.secretOf(id) ?? randomBytes(32), key, edit)
    }
    case 'ad':
      return createAdvertisementMessage(outgoing.text, outgoing)
    case 'better': {
      const { of, media, data } = outgoing
      return createHdFile(keyOf(of), await createMediaMessage(world, { type: media, data }))
    }
    case 'statusMention':
      return createStatusMention()
    case 'order':
    case 'product':
    case 'pix':
    case 'charge':
    case 'interactive':
    case 'event': {
      const data = 'data' in outgoing ? outgoing.data : undefined
      return createCardMessage(outgoing, data && (await upload(world.media, world.downloadHost, 'image', data)))
    }
    case 'revoke':
      return { protocolMessage: { key: keyOf(outgoing.of), type: Type.REVOKE } }
    case 'raw':
      return outgoing.message
    default:
      return createMediaMessage(world, outgoing)
  }
}

type OutgoingMedia = Extract<OutgoingMessage, { type: PhoneMediaKind }>

async function createMediaMessage(world: WhatsAppNetwork, outgoing: OutgoingMedia): Promise<proto.IMessage> {
  const file = await upload(world.media, world.downloadHost, outgoing.type, outgoing.data)
  const common = { ...file, mimetype: outgoing.mimetype ?? MIMETYPES[outgoing.type] }
  const caption = outgoing.caption ?? null
  const size = { width: outgoing.width ?? null, height: outgoing.height ?? null }
  const jpegThumbnail = outgoing.thumbnail ?? null
  const duration = outgoing.seconds ?? null
  switch (outgoing.type) {
    case 'image':
      return { imageMessage: { ...common, ...size, caption, jpegThumbnail } }
    case 'video':
      return { videoMessage: { ...common, ...size, caption, jpegThumbnail, seconds: duration } }
    case 'audio':
      return { audioMessage: { ...common, seconds: duration, ptt: false } }
    case 'voice':
      return { audioMessage: { ...common, seconds: duration, ptt: true } }
    case 'sticker':
      return { stickerMessage: { ...common, ...size } }
    case 'document': {
      const document = { ...common, fileName: outgoing.fileName ?? 'file', title: outgoing.fileName ?? null, caption }
      return outgoing.caption
        ? { documentWithCaptionMessage: { message: { documentMessage: document } } }
        : { documentMessage: document }
    }
  }
}

function createContactMessage({ name, number }: { name: string; number: string }): proto.Message.IContactMessage {
  const lines = ['BEGIN:VCARD', 'VERSION:3.0', `N:;${name};;;`, `FN:${name}`]
  const vcard = [...lines, `TEL;type=CELL;waid=${number}:+${number}`, 'END:VCARD'].join('\n')
  return { displayName: name, vcard }
}

function addQuote(message: proto.IMessage, key: proto.IMessageKey): void {
  addContext(message, {
    stanzaId: key.id ?? null,
    participant: key.participant ?? key.remoteJid ?? null,
    quotedMessage: { conversation: '' },
  })
}

function addContext(message: proto.IMessage, more: proto.IContextInfo): void {
  for (const part of Object.values(message)) {
    if (!part || typeof part !== 'object') continue
    const before = 'contextInfo' in part ? part.contextInfo : {}
    Object.assign(part, { contextInfo: Object.assign({}, before, more) })
  }
}
