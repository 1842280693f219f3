/** What somebody sends from a page of WhatsApp Web, as a phone sends it. */
import type { OutgoingMessage } from '../whatsapp/compose'
import type { PageMessage } from './frames'

const FILES = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  ptt: 'voice',
  document: 'document',
  sticker: 'sticker',
} as const

export function toOutgoing({ type, fields, quote }: PageMessage, data: string | undefined): OutgoingMessage {
  const expiration = Number(fields.ephemeralDuration ?? 0)
  const answers = { ...(quote && { quote: quote.id }), ...(expiration > 0 && { timer: expiration }) }
  const contextInfo = { expiration }
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined)
  if (isFile(type)) {
    const caption = text('caption')
    const fileName = text('filename')
    return {
      type: FILES[type],
      data: Buffer.from(data ?? '', 'base64'),
      mimetype: text('mimetype') ?? '',
      ...(caption && { caption }),
      ...(fileName && { fileName }),
      ...answers,
    }
  }
  if (type === 'location') {
    const [name, address] = (text('loc') ?? '').split('\n')
    return {
      type: 'location',
      latitude: Number(fields.lat),
      longitude: Number(fields.lng),
      ...(name && { name }),
      ...(address && { address }),
      ...answers,
    }
  }
  if (type === 'vcard')
    return {
      type: 'raw',
      message: {
        contactMessage: { displayName: text('vcardFormattedName') ?? '', vcard: text('body') ?? '', contextInfo },
      },
    }
  if (type === 'multi_vcard') {
    const contacts = Array.isArray(fields.vcardList) ? fields.vcardList : []
    return {
      type: 'raw',
      message: { contactsArrayMessage: { displayName: `${contacts.length}`, contacts, contextInfo } },
    }
  }
  return { type: 'text', text: text('body') ?? '', ...answers }
}

function isFile(type: string): type is keyof typeof FILES {
  return Object.hasOwn(FILES, type)
}
