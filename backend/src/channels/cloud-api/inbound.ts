// A notification of Meta → neutral events. Batches are loops over entries, changes, messages and statuses.
import type { Ack, MediaType } from '@balcao/contract'
import type { ChannelEvent, MediaHandle, MessageRef, Peer } from '../driver.ts'
import { locationBody } from '../location.ts'
import { vcardOf } from '../vcard.ts'
import { errorOf, isRecord, records, text } from './graph.ts'

type Fields = Record<string, unknown>

/** The events of one notification that concern this number; other numbers of the same account are somebody else's. */
export function eventsOfNotification(body: unknown, phoneNumberId: string): ChannelEvent[] {
  if (!isRecord(body)) return []
  return records(body.entry)
    .flatMap(entry => records(entry.changes))
    .filter(change => change.field === 'messages' || change.field === 'smb_message_echoes')
    .flatMap(change => (isRecord(change.value) ? eventsOfValue(change.value, phoneNumberId) : []))
}

function eventsOfValue(value: Fields, phoneNumberId: string): ChannelEvent[] {
  const metadata = isRecord(value.metadata) ? value.metadata : {}
  if (metadata.phone_number_id !== phoneNumberId) return []
  const people = records(value.contacts)
  const messages = records(value.messages).flatMap(message => messageEvents(message, personOf(message, people)))
  const echoes = records(value.message_echoes).flatMap(changeOfOurs)
  return [...messages, ...echoes, ...records(value.statuses).flatMap(statusEvents)]
}

interface Person {
  readonly peer: Peer
  readonly name?: string
}

/** Who wrote: by phone, by Meta's id of the person, or by both. Somebody with a username may show no phone. */
function personOf(message: Fields, people: readonly Fields[]): Person | null {
  const from = text(message.from)
  const fromUser = text(message.from_user_id)
  const known =
    people.find(person => (from && person.wa_id === from) || (fromUser && person.user_id === fromUser)) ??
    (people.length === 1 ? people[0] : undefined)
  const pn = from ?? text(known?.wa_id)
  const bsuid = fromUser ?? text(known?.user_id)
  const jid = pn ?? bsuid
  if (!jid) return null
  const profile = isRecord(known?.profile) ? known.profile : {}
  const name = text(profile.name) ?? text(profile.username)
  return { peer: { jid, ...(pn && { pn }), ...(bsuid && { bsuid }), group: false }, ...(name && { name }) }
}

function messageEvents(message: Fields, person: Person | null): ChannelEvent[] {
  const id = text(message.id)
  if (message.type === 'system') return moved(message)
  if (!id || !person) return []
  const { peer, name } = person
  const at = Number(message.timestamp ?? 0) * 1000 || Date.now()
  const ref: MessageRef = { chat: peer.jid, id, fromMe: false }
  if (message.type === 'reaction') return reaction(message, person, at)
  if (message.type === 'edit' || message.type === 'revoke') return change(message, peer, false, at)
  const { mediaType, body, media } = contentOf(message)
  const quote = quoteOf(message, peer)
  const context = isRecord(message.context) ? message.context : {}
  const forward = context.frequently_forwarded ? 'frequently' : context.forwarded ? 'true' : undefined
  return [
    ...identities(peer),
    {
      type: 'message',
      ref,
      chat: peer,
      at,
      ...(name && { name }),
      mediaType,
      body,
      ...(media && { media }),
      ...(quote && { quote }),
      ...(forward && { forward }),
      replay: false,
      raw: message,
    },
  ]
}

/** A message from what was kept of its notification, as this version understands it; null if it is none. */
export function reread(raw: unknown): Extract<ChannelEvent, { type: 'message' }> | null {
  if (!isRecord(raw)) return null
  return messageEvents(raw, personOf(raw, [])).find(event => event.type === 'message') ?? null
}

function identities({ pn, bsuid }: Peer): ChannelEvent[] {
  return pn && bsuid ? [{ type: 'identity', pn, bsuid }] : []
}

interface Content {
  readonly mediaType: MediaType
  readonly body: string
  readonly media?: MediaHandle
}

const FILES: Record<string, MediaType> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  document: 'application',
  sticker: 'sticker',
}

/** Unknown kinds become a card with the kind's name, they are never dropped. */
function contentOf(message: Fields): Content {
  const type = text(message.type) ?? 'unknown'
  const part = isRecord(message[type]) ? message[type] : {}
  const file = FILES[type]
  if (file) return { mediaType: file, body: text(part.caption) ?? '', media: handleOf(part) }
  switch (type) {
    case 'text':
      return { mediaType: 'chat', body: text(part.body) ?? '' }
    case 'button':
      return { mediaType: 'chat', body: text(part.text) ?? text(part.payload) ?? '' }
    case 'interactive':
      return { mediaType: 'chat', body: answerText(part) }
    case 'location': {
      const place = { lat: Number(part.latitude ?? 0), lng: Number(part.longitude ?? 0), thumbnail: null }
      const description = [text(part.name), text(part.address)].filter(Boolean).join(' - ')
      return { mediaType: 'location', body: locationBody({ ...place, description }) }
    }
    case 'contacts': {
      const cards = records(message.contacts).map(cardOf)
      return { mediaType: cards.length > 1 ? 'contact_array' : 'vcard', body: cards.join('\n') }
    }
    case 'unsupported': {
      const unsupported = isRecord(message.unsupported) ? text(message.unsupported.type) : undefined
      return { mediaType: 'unknown', body: unsupported && unsupported !== 'unknown' ? unsupported : 'unsupported' }
    }
    default:
      return { mediaType: 'unknown', body: type }
  }
}

function handleOf(part: Fields): MediaHandle {
  const name = text(part.filename)
  return {
    handle: { id: text(part.id) ?? '' },
    mime: text(part.mime_type) ?? 'application/octet-stream',
    ...(name && { name }),
    ...(typeof part.voice === 'boolean' && { voice: part.voice }),
  }
}

/** What somebody chose or filled in, as one would read it. */
function answerText(part: Fields): string {
  for (const kind of ['button_reply', 'list_reply']) {
    const reply = part[kind]
    if (isRecord(reply)) return text(reply.title) ?? text(reply.id) ?? ''
  }
  const form = part.nfm_reply
  if (!isRecord(form)) return text(part.type) ?? ''
  return [text(form.body), filledIn(form.response_json)].filter(Boolean).join('\n')
}

function filledIn(json: unknown): string {
  try {
    const fields: unknown = JSON.parse(text(json) ?? '{}')
    if (!isRecord(fields)) return ''
    return Object.entries(fields)
      .filter(([name, value]) => name !== 'flow_token' && value !== null && typeof value !== 'object')
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')
  } catch {
    return text(json) ?? ''
  }
}

function cardOf(card: Fields): string {
  const name = isRecord(card.name) ? card.name : {}
  const phones = records(card.phones).map(phone => ({ phone: text(phone.phone) ?? '', waId: text(phone.wa_id) }))
  return vcardOf(text(name.formatted_name) ?? text(name.first_name) ?? '', phones)
}

/** `context` also marks forwards and answers to catalogues: only one with an id quotes a message. */
function quoteOf(message: Fields, chat: Peer): MessageRef | undefined {
  if (!isRecord(message.context)) return undefined
  const id = text(message.context.id)
  return id ? { chat: chat.jid, id, fromMe: text(message.context.from) !== chat.pn } : undefined
}

/** No emoji: the reaction was taken back. Which side wrote the message reacted to is not told; the id is enough. */
function reaction(message: Fields, { peer, name }: Person, at: number): ChannelEvent[] {
  const part = isRecord(message.reaction) ? message.reaction : {}
  const id = text(part.message_id)
  if (!id) return []
  const ref = { chat: peer.jid, id, fromMe: true }
  const emoji = text(part.emoji) ?? ''
  return [{ type: 'reaction', ref, chat: peer, by: peer, fromMe: false, ...(name && { name }), emoji, at }]
}

/** What we changed in the app that shares our number. */
function changeOfOurs(echo: Fields): ChannelEvent[] {
  const pn = text(echo.to)
  const bsuid = text(echo.to_user_id)
  const jid = pn ?? bsuid
  const peer = jid && { jid, ...(pn && { pn }), ...(bsuid && { bsuid }), group: false }
  return peer ? change(echo, peer, true, Number(echo.timestamp ?? 0) * 1000 || Date.now()) : []
}

/** An edit carries the whole message anew, a revoke only the name of the one that is gone. Both name it as `original_message_id`. */
function change(message: Fields, chat: Peer, fromMe: boolean, at: number): ChannelEvent[] {
  const part = message.type === 'edit' ? message.edit : message.type === 'revoke' ? message.revoke : undefined
  const id = isRecord(part) ? text(part.original_message_id) : undefined
  if (!isRecord(part) || !id) return []
  const ref = { chat: chat.jid, id, fromMe }
  if (message.type === 'revoke') return [...identities(chat), { type: 'revoke', ref, chat, at }]
  if (!isRecord(part.message)) return []
  return [...identities(chat), { type: 'edit', ref, chat, body: contentOf(part.message).body, at }]
}

/**
 * Somebody has a new number, or a new id of Meta's: the same person. Meta names the new ones in `system`, the old number as the sender;
 * the old id is there for some, and with a new number comes a new id.
 */
function moved(message: Fields): ChannelEvent[] {
  const system = isRecord(message.system) ? message.system : {}
  const id = text(message.id)
  if (!/_changed_(number|user_id)$/.test(text(system.type) ?? '')) return []
  const pn = text(system.wa_id) ?? text(system.new_wa_id)
  const bsuid = text(system.user_id)
  const oldPn = text(message.from) ?? text(system.customer)
  // The sender's id may be the new one already.
  const oldBsuid = text(system.previous_user_id) ?? (oldPn ? undefined : text(message.from_user_id))
  const from = { ...(oldPn && { pn: oldPn }), ...(oldBsuid && oldBsuid !== bsuid && { bsuid: oldBsuid }) }
  const to = { ...(pn && { pn }), ...(bsuid && { bsuid }) }
  const isTold = id && Object.keys(from).length > 0 && Object.keys(to).length > 0
  return isTold ? [{ type: 'moved', id, from, to }] : []
}

const ACKS: Record<string, Ack> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'error',
}

/** Ours are UUIDs; other programs on the same number may send what they like. */
function traceOf(given: string | undefined): string | undefined {
  return given && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given) ? given : undefined
}

/** Their order is not guaranteed, and "delivered" may be left out: the inbox lets acks only grow. */
function statusEvents(status: Fields): ChannelEvent[] {
  const id = text(status.id)
  const ack = ACKS[text(status.status) ?? '']
  if (!id || !ack) return []
  const pn = text(status.recipient_id)
  const bsuid = text(status.recipient_user_id)
  const at = Number(status.timestamp ?? 0) * 1000
  const trace = traceOf(text(status.biz_opaque_callback_data))
  const [error] = records(status.errors)
  const refusal = error && errorOf(error, 0)
  return [
    ...(pn && bsuid ? [{ type: 'identity', pn, bsuid } as const] : []),
    {
      type: 'ack',
      ref: { chat: pn ?? bsuid ?? '', id, fromMe: true },
      ...(trace && { trace }),
      ack,
      ...(at > 0 && { at }),
      ...(refusal && { code: String(refusal.code), text: refusal.title }),
      ...(refusal?.details && { details: refusal.details }),
    },
  ]
}
