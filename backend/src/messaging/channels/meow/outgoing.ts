// What the desk sends → the gateway's calls. Addresses are always whole: digits alone become a group when they are many.
import { getCapabilities } from '@balcao/contract'
import { readAddress } from '../../../platform/channel/addresses.ts'
import { ChannelError, type DriverHost, type Outgoing, type Sendable } from '../../../platform/channel/driver.ts'
import { readVcard } from '../../../platform/channel/vcard.ts'
import { convertFile, toBlob } from '../shared/convert-file.ts'
import { isRecord, toText } from '../shared/json.ts'
import type { Gateway } from './gateway.ts'
import type { FormPart } from './multipart.ts'

type Media = Extract<Outgoing, { type: 'media' }>

/** The call of a file and the field it lies in. */
const FIELDS = { image: 'image', video: 'video', audio: 'audio', application: 'file', sticker: 'sticker' } as const

/**
 * Sends one thing. `duration`: seconds after which it vanishes; 0: it stays. @returns the id WhatsApp knows it by. Throws `ChannelError` for
 * what this kind cannot do, and what `Gateway` throws.
 */
export async function dispatchMessage(
  gateway: Gateway,
  host: Pick<DriverHost, 'openMedia'>,
  to: string,
  message: Sendable,
  duration: number,
): Promise<string> {
  const response = await call(gateway, host, to, message, duration)
  return (isRecord(response) ? toText(response.message_id) : undefined) ?? ''
}

function call(
  gateway: Gateway,
  host: Pick<DriverHost, 'openMedia'>,
  phone: string,
  message: Sendable,
  duration: number,
): Promise<unknown> {
  const forwarded = 'forward' in message && message.forward ? { is_forwarded: true } : {}
  const mark = { ...forwarded, ...(duration > 0 && { duration }) }
  const reply = 'quote' in message && message.quote ? { reply_message_id: message.quote.id } : {}
  switch (message.type) {
    case 'text': {
      const mentions = message.mentions?.length ? { mentions: message.mentions.map(mentioned) } : {}
      return gateway.post(['send', 'message'], { phone, message: message.text, ...reply, ...mentions, ...mark })
    }
    case 'media':
      return upload(gateway, host, message, { phone, ...reply, ...mark })
    case 'location': {
      const place = { latitude: String(message.lat), longitude: String(message.lng) }
      return gateway.post(['send', 'location'], { phone, ...place, ...mark })
    }
    case 'contacts':
      return gateway.post(['send', 'contact'], { phone, ...parseContact(message.vcards), ...mark })
    case 'edit':
      return gateway.post(['message', message.ref.id, 'update'], { phone, message: message.text })
    case 'revoke':
      return gateway.post(['message', message.ref.id, 'revoke'], { phone })
    case 'reaction':
      if (message.emoji === '') throw new ChannelError('not_supported', 'The gateway takes no reaction back')
      return gateway.post(['message', message.ref.id, 'reaction'], { phone, emoji: message.emoji })
  }
}

async function upload(
  gateway: Gateway,
  host: Pick<DriverHost, 'openMedia'>,
  message: Media,
  words: Readonly<Record<string, string | number | boolean | undefined>>,
): Promise<unknown> {
  const { as, content, mime, name, voice } = await convertFile('meow', host, message)
  const file = toBlob(content)
  if (file.size > getCapabilities('meow').maxBytes[as])
    throw new ChannelError('upload', 'The gateway takes no file of this size')
  const field = FIELDS[as]
  const caption = message.caption && field !== 'audio' && field !== 'sticker' ? { caption: message.caption } : {}
  // It takes no answer that is a sticker.
  const { reply_message_id: _, ...unanswered } = words
  const fields = Object.entries({
    ...(field === 'sticker' ? unanswered : words),
    ...caption,
    ...(voice && { ptt: true }),
  })
  const parts: FormPart[] = fields.flatMap(([name, value]) =>
    value === undefined ? [] : { name, value: String(value) },
  )
  parts.push({ name: field, value: { file, name, mime } })
  return gateway.upload(['send', field], parts)
}

/** Hidden ids are named whole; a number by its digits. */
function mentioned(jid: string): string {
  return readAddress(jid).pn ?? jid
}

function parseContact(vcards: readonly string[]): { contact_name: string; contact_phone: string } {
  const [card, ...others] = vcards
  if (!card || others.length > 0) throw new ChannelError('not_supported', 'The gateway sends one contact at a time')
  const { name, phones } = readVcard(card)
  const phone = (phones[0]?.waId ?? phones[0]?.phone ?? '').replace(/\D/g, '')
  if (phone === '') throw new ChannelError('not_supported', 'This contact has no number')
  return { contact_name: name || phone, contact_phone: phone }
}
