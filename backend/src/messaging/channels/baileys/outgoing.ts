// What the desk sends → what the library takes.
import { type AnyMessageContent, proto, type WAMessage, type WAMessageKey } from '@whiskeysockets/baileys'
import type { DriverHost, MessageRef, Outgoing, QuoteRef, Sendable } from '../../../platform/channel/driver.ts'
import { readVcard } from '../../../platform/channel/vcard.ts'
import { convertFile, type FileForKind, toBlob } from '../shared/convert-file.ts'
import { toProtoMessage } from './plain-message.ts'

/** The library's content for a message; files are streamed from where our store keeps them. */
export async function buildContent(message: Sendable, host: Pick<DriverHost, 'openMedia'>): Promise<AnyMessageContent> {
  const content = await plainContent(message, host)
  const mark = 'forward' in message ? message.forward : undefined
  if (!mark) return content
  // WhatsApp shows "many times" from a score of five.
  return Object.assign(content, {
    contextInfo: { isForwarded: true, forwardingScore: mark === 'frequently' ? 5 : 1 },
  })
}

async function plainContent(message: Sendable, host: Pick<DriverHost, 'openMedia'>): Promise<AnyMessageContent> {
  switch (message.type) {
    case 'text':
      return { text: message.text, ...(message.mentions?.length && { mentions: [...message.mentions] }) }
    case 'media':
      return mediaContent(message, host)
    case 'location':
      return {
        location: { degreesLatitude: message.lat, degreesLongitude: message.lng, name: message.name ?? null },
      }
    case 'contacts':
      return { contacts: contactList(message.vcards) }
    case 'edit':
      return { text: message.text, edit: toMessageKey(message.ref) }
    case 'revoke':
      return { delete: toMessageKey(message.ref) }
    case 'reaction':
      return { react: { key: toMessageKey(message.ref), text: message.emoji } }
  }
}

async function mediaContent(
  message: Extract<Outgoing, { type: 'media' }>,
  host: Pick<DriverHost, 'openMedia'>,
): Promise<AnyMessageContent> {
  const { as, content, mime, name, voice, loops } = await convertFile('baileys', host, message)
  const caption = message.caption ? { caption: message.caption } : {}
  const media = 'path' in content ? { url: content.path } : Buffer.from(content.bytes)
  switch (as) {
    case 'image':
      return { image: media, mimetype: mime, ...caption, ...(await thumbnail(content, mime)) }
    case 'video':
      return { video: media, mimetype: mime, ...caption, jpegThumbnail: '', ...(loops && { gifPlayback: true }) }
    case 'sticker':
      return { sticker: media }
    case 'application':
      return { document: media, mimetype: mime, fileName: name, ...caption }
    case 'audio': {
      const seconds = message.seconds ? { seconds: Math.max(1, Math.round(message.seconds)) } : {}
      // The library would decode the file for it with a package we do without.
      const waveform = message.waveform ? { waveform: Uint8Array.from(message.waveform) } : {}
      return { audio: media, mimetype: mime, ptt: voice, ...seconds, ...(voice && waveform) }
    }
  }
}

/** Small pictures are their own preview; for larger ones the library would need an image tool, so they go without. */
async function thumbnail(content: FileForKind['content'], mime: string): Promise<{ jpegThumbnail: string }> {
  if (mime !== 'image/jpeg') return { jpegThumbnail: '' }
  const file = toBlob(content)
  return { jpegThumbnail: file.size <= 12 * 1024 ? Buffer.from(await file.bytes()).toString('base64') : '' }
}

function contactList(vcards: readonly string[]) {
  const contacts = vcards.map(vcard => ({ displayName: readVcard(vcard).name, vcard }))
  return { displayName: contacts.length === 1 ? (contacts[0]?.displayName ?? '') : `${contacts.length}`, contacts }
}

/** The quoted message as the library wants it: ours as stored, or rebuilt from its text. */
export function buildQuotedMessage(quote: QuoteRef): WAMessage {
  const message = toProtoMessage(quote.raw) ?? proto.Message.fromObject({ conversation: quote.body })
  return { key: toMessageKey(quote), message }
}

export function toMessageKey(ref: MessageRef): WAMessageKey {
  return {
    remoteJid: ref.chat,
    id: ref.id,
    fromMe: ref.fromMe,
    ...(ref.participant && { participant: ref.participant }),
  }
}
