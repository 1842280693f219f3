/** What a company's phone shows, in the form a page of WhatsApp Web keeps it. */
import { CustomerPhone } from '../whatsapp/customer'
import type { ChatGroup } from '../whatsapp/group'
import type { Phone, PhoneMessage, Tick } from '../whatsapp/phone'
import type { WhatsAppNetwork } from '../whatsapp/world'
import type { PageGroup, PageMessage, PagePerson } from './frames'

export const ACKS: Record<Tick, number> = { failed: -1, waiting: 0, sent: 1, delivered: 2, read: 3 }

const FILES = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'ptt',
  document: 'document',
  sticker: 'sticker',
} as const

/** A page's address of a phone: numbers are written with `@c.us` there. */
export function toWid(jid: string): string {
  return jid.replace('@s.whatsapp.net', '@c.us')
}

export function toJid(wid: string): string {
  return wid.replace('@c.us', '@s.whatsapp.net')
}

export function toPagePerson(phone: Phone): PagePerson {
  const address = phone instanceof CustomerPhone ? phone.address : phone.jid
  return { pn: toWid(phone.jid), lid: phone.lid, name: phone.name, address: toWid(address) }
}

export function toPageGroup(group: ChatGroup): PageGroup {
  const [first] = group.members
  return {
    jid: group.jid,
    subject: group.subject,
    description: group.description ?? '',
    members: group.members.map(member => ({ id: toWid(group.addressOf(member)), isAdmin: member === first })),
  }
}

/** The page's address of a chat of the company: a number of the world, or a group. */
export function toPageChat(world: WhatsAppNetwork, chat: string): string {
  const phone = world.byNumber(chat)
  return phone ? toPagePerson(phone).address : chat
}

export function toPageMessage(world: WhatsAppNetwork, company: Phone, message: PhoneMessage): PageMessage {
  const { id, fromMe, at, tick, quote } = message
  const group = world.groups.get(message.chat)
  const author = world.byNumber(message.from)
  const quoted = quote ? company.message(message.chat, quote) : undefined
  const wrote = quoted && world.byNumber(quoted.from)
  const shown = toMessageFields(message)
  return {
    id,
    chat: toPageChat(world, message.chat),
    fromMe,
    ...(group && author && { author: toWid(group.addressOf(author)) }),
    t: Math.floor(at.getTime() / 1000),
    ...(tick && { ack: ACKS[tick] }),
    ...(author && !fromMe && { notifyName: author.name }),
    ...(quote &&
      wrote && {
        quote: { id: quote, by: toWid(group ? group.addressOf(wrote) : wrote.jid), body: getText(quoted) },
      }),
    ...shown,
    fields: { ...shown.fields, ...(message.timer && { ephemeralDuration: message.timer }) },
  }
}

function getText({ content }: PhoneMessage): string {
  return content.type === 'text' ? content.text : 'caption' in content ? (content.caption ?? '') : ''
}

function toMessageFields(message: PhoneMessage): Pick<PageMessage, 'type' | 'fields'> {
  const { content } = message
  if (message.revoked) return { type: 'revoked', fields: {} }
  const edited = message.edited ? { latestEditSenderTimestampMs: Date.now() } : {}
  switch (content.type) {
    case 'text':
      return { type: 'chat', fields: { body: content.text, ...edited } }
    case 'location': {
      const loc = [content.name, content.address].filter(Boolean).join('\n')
      return { type: 'location', fields: { body: '', lat: content.latitude, lng: content.longitude, loc } }
    }
    case 'contacts': {
      const [first] = content.contacts
      if (first && content.contacts.length === 1)
        return { type: 'vcard', fields: { body: first.vcard, vcardFormattedName: first.name } }
      const vcardList = content.contacts.map(({ name, vcard }) => ({ displayName: name, vcard }))
      return { type: 'multi_vcard', fields: { body: '', vcardList } }
    }
    case 'poll':
      return {
        type: 'poll_creation',
        fields: {
          pollName: content.name,
          pollOptions: content.options.map((name, localId) => ({ name, localId })),
          pollSelectableOptionsCount: 1,
        },
      }
    case 'card':
      return { type: content.name, fields: { body: content.text } }
    case 'call':
      return {
        type: 'call_log',
        fields: { isVideoCall: content.video, callOutcome: content.missed ? 'Missed' : 'Completed' },
      }
    case 'unknown':
      return { type: content.kind, fields: {} }
    default: {
      const { media, caption, fileName, seconds, waveform } = content
      return {
        type: FILES[content.type],
        fields: {
          body: '',
          directPath: media.path,
          mediaKey: Buffer.from(media.key).toString('base64'),
          mimetype: content.mimetype,
          size: media.length,
          filehash: Buffer.from(media.sha256).toString('base64'),
          ...(caption && { caption }),
          ...(fileName && { filename: fileName }),
          ...(seconds && { duration: seconds }),
          ...(waveform && { waveform }),
          ...edited,
        },
      }
    }
  }
}
