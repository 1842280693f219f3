/** What a phone may send, and how it looks on the wire. */
import { proto } from '@whiskeysockets/baileys'
import type { Change, Content } from './content'
import { readMessage } from './content'
import { type MediaKind, upload } from './media'
import type { World } from './world'

interface WithQuote {
  /** Id of the message this one answers. */
  quote?: string
}

export type Outgoing =
  | ({ type: 'text'; text: string } & WithQuote)
  | ({
      type: MediaKind
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
  | { type: 'edit'; of: string; text: string }
  | { type: 'revoke'; of: string }
  /** Any message of the protocol, for kinds that have no word here. */
  | { type: 'raw'; message: proto.IMessage }

export interface Composed {
  message: proto.IMessage
  content: Content | undefined
  change: Change | undefined
  quote: string | undefined
  /** The stanza's `type` and `edit`. */
  kind: 'text' | 'media' | 'reaction' | 'poll'
  edit: string | undefined
}

/** Who a referred message is by and in which chat, from the sender's view. */
export type KeyOf = (id: string) => proto.IMessageKey

const MIMETYPES: Record<MediaKind, string> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  voice: 'audio/ogg; codecs=opus',
  document: 'application/octet-stream',
  sticker: 'image/webp',
}

export async function compose(world: World, outgoing: Outgoing, keyOf: KeyOf): Promise<Composed> {
  const message = await messageOf(world, outgoing, keyOf)
  if ('quote' in outgoing && outgoing.quote) addQuote(message, keyOf(outgoing.quote))
  const { content, change, quote } = readMessage(message)
  return {
    message,
    content,
    change,
    quote,
    kind: kindOf(outgoing),
    edit: outgoing.type === 'edit' ? '1' : outgoing.type === 'revoke' ? '7' : undefined,
  }
}

function kindOf({ type }: Outgoing): Composed['kind'] {
  if (type === 'reaction' || type === 'poll') return type
  return type in MIMETYPES || type === 'contact' || type === 'contacts' || type === 'location' ? 'media' : 'text'
}

async function messageOf(world: World, outgoing: Outgoing, keyOf: KeyOf): Promise<proto.IMessage> {
  const Type = proto.Message.ProtocolMessage.Type
  switch (outgoing.type) {
    case 'text':
      return 'quote' in outgoing && outgoing.quote
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
      return { contactMessage: card(outgoing) }
    case 'contacts':
      return {
        contactsArrayMessage: {
          displayName: `${outgoing.contacts.length} contacts`,
          contacts: outgoing.contacts.map(card),
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
    case 'edit':
      return {
        protocolMessage: {
          key: keyOf(outgoing.of),
          type: Type.MESSAGE_EDIT,
          editedMessage: { conversation: outgoing.text },
          timestampMs: Date.now(),
        },
      }
    case 'revoke':
      return { protocolMessage: { key: keyOf(outgoing.of), type: Type.REVOKE } }
    case 'raw':
      return outgoing.message
    default:
      return mediaMessage(world, outgoing)
  }
}

type OutgoingMedia = Extract<Outgoing, { type: MediaKind }>

async function mediaMessage(world: World, outgoing: OutgoingMedia): Promise<proto.IMessage> {
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

function card({ name, number }: { name: string; number: string }): proto.Message.IContactMessage {
  const lines = ['BEGIN:VCARD', 'VERSION:3.0', `N:;${name};;;`, `FN:${name}`]
  const vcard = [...lines, `TEL;type=CELL;waid=${number}:+${number}`, 'END:VCARD'].join('\n')
  return { displayName: name, vcard }
}

function addQuote(message: proto.IMessage, key: proto.IMessageKey): void {
  const contextInfo = {
    stanzaId: key.id ?? null,
    participant: key.participant ?? key.remoteJid ?? null,
    quotedMessage: { conversation: '' },
  }
  for (const part of Object.values(message)) {
    if (part && typeof part === 'object') Object.assign(part, { contextInfo })
  }
}
