// What the desk sends → the gateway's calls. Addresses are always whole: digits alone become a group when they are many.
import { getCapabilities } from '@balcao/contract'
import { readAddress } from '../../../platform/channel/addresses.ts'
import { ChannelError, type DriverHost, type Outgoing, type Sendable } from '../../../platform/channel/driver.ts'
import { readVcard } from '../../../platform/channel/vcard.ts'
import { convertFile, toBlob } from '../shared/convert-file.ts'
import { isRecord, toNumber, toText } from '../shared/json.ts'
import type { Gateway } from './gateway.ts'
import type { FormPart } from './multipart.ts'

type Media = Extract<Outgoing, { type: 'media' }>

/** The call of a file and the field it lies in. */
const FIELDS = { image: 'image', video: 'video', audio: 'audio', application: 'file', sticker: 'sticker' } as const

/** Sends one thing. @returns the id WhatsApp knows it by. Throws `ChannelError` for what this kind cannot do, and what `Gateway` throws. */
export async function dispatchMessage(
  gateway: Gateway,
  host: Pick<DriverHost, 'openMedia'>,
  to: string,
  message: Sendable,
): Promise<string> {
  const timer = MADE.has(message.type) ? await readTimer(gateway, to) : {}
  const response = await call(gateway, host, to, message, timer)
  return (isRecord(response) ? toText(response.message_id) : undefined) ?? ''
}

function call(
  gateway: Gateway,
  host: Pick<DriverHost, 'openMedia'>,
  phone: string,
  message: Sendable,
  timer: ChatTimer,
): Promise<unknown> {
  const forwarded = 'forward' in message && message.forward ? { is_forwarded: true } : {}
  const mark = { ...forwarded, ...timer }
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

/** What becomes a message of its own, and vanishes by itself. */
const MADE: ReadonlySet<string> = new Set(['text', 'media', 'location', 'contacts'])
/** The gateway takes no others. */
const DURATIONS: ReadonlySet<number> = new Set([86_400, 604_800, 7_776_000])
/** A message waits for it no longer. */
const LONGEST_WAIT_MS = 3000

interface ChatTimer {
  readonly duration?: number
}

/** After how many seconds the chat's messages vanish. Not every call of the gateway keeps to it by itself, and what it keeps may be old. */
async function readTimer(gateway: Gateway, chat: string): Promise<ChatTimer> {
  const response = gateway.get(['chat', chat, 'messages'], { limit: 1 }).catch(() => null)
  const answer = await Promise.race([response, Bun.sleep(LONGEST_WAIT_MS).then(() => null)])
  const info = isRecord(answer) && isRecord(answer.chat_info) ? answer.chat_info : {}
  const duration = toNumber(info.ephemeral_expiration)
  return DURATIONS.has(duration) ? { duration } : {}
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
