// A message of a phone in the gateway's words: as it is posted, and as the gateway keeps it in its chats.
import { CustomerPhone } from '../whatsapp/customer.ts'
import type { ChatGroup } from '../whatsapp/group.ts'
import type { CompanyPhone, Phone, PhoneContent, PhoneMessage } from '../whatsapp/index.ts'

/** Whom a chat is with. */
export type ChatPartner = Phone | ChatGroup | CustomerPhone

type Fields = Record<string, unknown>

/** Who wrote in which chat, as every webhook of a message begins. */
export function createCommonFields(company: CompanyPhone, other: ChatPartner, by: Phone, id: string, at: Date): Fields {
  const own = by === company
  return {
    id,
    chat_id: other.jid,
    ...(findHiddenId(other) && { chat_lid: findHiddenId(other) }),
    from: by.jid,
    ...(!own && findHiddenId(by) && { from_lid: findHiddenId(by) }),
    from_name: by.name,
    timestamp: formatRfc3339(at),
    is_from_me: own,
  }
}

/** By which companies see somebody who shows no number. */
export function findHiddenId(other: ChatPartner): string | undefined {
  return other instanceof CustomerPhone && other.addressing === 'lid' ? other.lid : undefined
}

/** What a message says; nothing to show for kinds the gateway does not know. */
export function toContentFields(message: PhoneMessage, path: () => string): Fields {
  const { content } = message
  switch (content.type) {
    case 'text':
      return { body: content.text }
    case 'location':
      return {
        location: {
          degreesLatitude: content.latitude,
          degreesLongitude: content.longitude,
          ...(content.name && { name: content.name }),
          ...(content.address && { address: content.address }),
        },
      }
    case 'contacts': {
      const cards = content.contacts.map(({ name, vcard }) => ({ displayName: name, vcard }))
      return cards.length === 1 ? { contact: cards[0] } : { contacts_array: cards }
    }
    case 'card':
      return { interactive: content.text }
    case 'poll':
    case 'call':
    case 'unknown':
      return {}
    default: {
      const field = FIELDS[content.type]
      const { caption } = content
      return { ...(caption && { body: caption }), [field]: caption ? { path: path(), caption } : path() }
    }
  }
}

const FIELDS = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'audio',
  document: 'document',
  sticker: 'sticker',
} as const

/** As `/chat/{jid}/messages` answers it. */
export function toStoredMessage(message: PhoneMessage, chatJid: string, by: Phone): Fields {
  const { content } = message
  const media = 'media' in content ? content : undefined
  return {
    id: message.id,
    chat_jid: chatJid,
    sender_jid: by.jid,
    sender_display_name: by.name,
    content: getContentText(content),
    timestamp: formatRfc3339(message.at),
    is_from_me: message.fromMe,
    media_type: media ? FIELDS[media.type] : content.type === 'call' ? 'call' : '',
    ...(media && {
      filename: media.fileName ?? `${message.id}${getFileEnding(media.mimetype)}`,
      url: `https://mmg.whatsapp.net${media.media.path}`,
      file_length: media.media.length,
    }),
    created_at: formatRfc3339(message.at),
    updated_at: formatRfc3339(message.at),
  }
}

function getContentText(content: PhoneContent): string {
  if (content.type === 'text' || content.type === 'card') return content.text
  if (content.type === 'location') return content.name ?? ''
  if (content.type === 'contacts') return content.contacts.map(one => one.name).join(', ')
  return 'caption' in content ? (content.caption ?? '') : ''
}

/** Where a file lies that was downloaded by itself: under a name that says nothing. */
export function makeStaticPath(mimetype: string): string {
  return `statics/media/${Math.floor(Date.now() / 1000)}-${crypto.randomUUID()}${getFileEnding(mimetype)}`
}

export function getFileEnding(mimetype: string): string {
  return ENDINGS[mimetype.split(';')[0] ?? ''] ?? '.bin'
}

const ENDINGS: Record<string, string> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'video/mp4': '.mp4',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'audio/mp4': '.m4a',
  'application/pdf': '.pdf',
}

export function formatRfc3339(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z')
}
