// A notification of Meta → neutral events. Batches are loops over entries, changes, messages and statuses; one row a field.

import { type Ack, getCardMediaType, getCardText, type MessageCard, parseMoney, truncateText } from '@balcao/contract'
import type { ChannelEvent, InboundMessage, MessageRef, Peer } from '../../../platform/channel/driver.ts'
import { createOwnId } from '../../../platform/channel/ids.ts'
import { isRecord, lookUp, toNumber, toRecords, toText } from '../shared/json.ts'
import { extractFormMessages, toContent } from './content.ts'
import { toGraphError } from './graph.ts'
import { toNewsEvent } from './news.ts'
import {
  type CloudAuthor,
  type ContactCards,
  findRecipient,
  findSender,
  isSender,
  NO_CARDS,
  parsePersonNames,
  readContactCards,
  toPeer,
} from './people.ts'

type Fields = Record<string, unknown>

/** The number a notification is for, and its account. */
export interface Addressee {
  readonly phoneNumberId: string
  readonly wabaId: string
}

/** The events of one notification that concern this number; other numbers of the same account are somebody else's. */
export function toNotificationEvents(body: unknown, { phoneNumberId, wabaId }: Addressee): ChannelEvent[] {
  if (!isRecord(body)) return []
  return toRecords(body.entry).flatMap(entry =>
    toRecords(entry.changes).flatMap(({ field, value }) => {
      if (typeof field !== 'string' || !isRecord(value)) return []
      const number = isRecord(value.metadata) ? value.metadata.phone_number_id : undefined
      // News of the whole account name no number.
      if (number === undefined ? wabaId === '' || entry.id !== wabaId : number !== phoneNumberId) return []
      const news = toNewsEvent(field, value, entry)
      return [...(news ? [news] : []), ...(number === undefined ? [] : (lookUp(FIELDS, field)?.(value) ?? []))]
    }),
  )
}

const FIELDS: Readonly<Record<string, (value: Fields) => ChannelEvent[]>> = {
  messages: value => {
    const messages = toRecords(value.messages)
    const people = readContactCards(value, messages)
    return [
      ...messages.flatMap(message => messageEvents(message, findSender(message, people))),
      ...toRecords(value.statuses).flatMap(statusEvents),
    ]
  },
  // What is sent, changed or taken back on the phone beside us.
  smb_message_echoes: value =>
    toRecords(value.message_echoes).flatMap(echo => messageEvents(echo, findRecipient(echo), true)),
  history: value => [...toRecords(value.history).flatMap(pastEvents), ...pastFiles(value)],
  smb_app_state_sync: value => toRecords(value.state_sync).flatMap(nameEvents),
  calls: value => {
    const calls = toRecords(value.calls)
    return calls.flatMap(call => callEvents(call, findSender(call, readContactCards(value, calls))))
  },
  user_id_update: value => toRecords(value.user_id_update).flatMap(idEvents),
  user_preferences: value => {
    const preferences = toRecords(value.user_preferences).map(one => ({
      ...one,
      from: one.wa_id,
      from_user_id: one.user_id,
    }))
    return preferences.flatMap(one => preferenceEvents(one, readContactCards(value, preferences)))
  },
  group_settings_update: value => toRecords(value.groups).flatMap(groupEvents),
}

function messageEvents(message: Fields, person: CloudAuthor | null, fromMe = false): ChannelEvent[] {
  const id = toText(message.id)
  if (message.type === 'system') return moved(message)
  if (!id || !person) return []
  const group = toText(message.group_id)
  const chat: Peer = group ? { jid: `${group}@g.us`, group: true } : person.peer
  const by = group && !fromMe ? { by: person.peer } : {}
  const at = parseTime(message.timestamp) || Date.now()
  if (message.type === 'reaction') return reaction(message, { ...person, chat, fromMe, at })
  const known = group ? [] : identities(person.peer)
  if (message.type === 'edit' || message.type === 'revoke')
    return change(message, { chat, ...by, fromMe, at }).flatMap(event => [...known, event])
  const content = toContent(message)
  if (!content) return []
  const quote = toQuote(message, chat)
  const context = isRecord(message.context) ? message.context : {}
  const forward = context.frequently_forwarded ? 'frequently' : context.forwarded ? 'true' : undefined
  const { name } = person
  return [
    ...known,
    {
      type: 'message',
      ref: { chat: chat.jid, id, fromMe },
      chat,
      ...(group && !fromMe && { author: person.peer }),
      at,
      ...(name && !fromMe && { name }),
      ...content,
      ...(quote && { quote }),
      ...(forward && { forward }),
      ...(fromMe && { ack: 'sent' }),
      replay: false,
      raw: message,
    },
    ...extractFormMessages(message).flatMap(file => messageEvents(file, person, fromMe)),
  ]
}

/** Meta counts seconds. */
function parseTime(value: unknown): number {
  const at = toNumber(value) * 1000
  return Number.isFinite(at) ? at : 0
}

/** A message from what was kept of its notification, as this version understands it; null if it is none. */
export function rereadMessage(raw: unknown): InboundMessage | null {
  if (!isRecord(raw)) return null
  const ours = findRecipient(raw)
  return (
    messageEvents(raw, ours ?? findSender(raw, NO_CARDS), ours !== null).find(event => event.type === 'message') ?? null
  )
}

function identities({ pn, bsuid }: Peer): ChannelEvent[] {
  return pn && bsuid ? [{ type: 'identity', pn, bsuid }] : []
}

/** `context` also marks forwards and answers to catalogues: only one with an id quotes a message. */
function toQuote(message: Fields, chat: Peer): MessageRef | undefined {
  if (!isRecord(message.context)) return undefined
  const id = toText(message.context.id)
  const from = toText(message.context.from)
  return id
    ? { chat: chat.jid, id, fromMe: from === undefined || (from !== chat.pn && from !== chat.bsuid) }
    : undefined
}

/** Who did something in a chat, and when. */
interface Doing {
  readonly chat: Peer
  readonly by?: Peer
  readonly fromMe: boolean
  readonly at: number
}

/** No emoji: the reaction was taken back. Which side wrote the message reacted to is not told; the id is enough. */
function reaction(message: Fields, { chat, peer, name, fromMe, at }: Doing & CloudAuthor): ChannelEvent[] {
  const part = isRecord(message.reaction) ? message.reaction : {}
  const id = toText(part.message_id)
  if (!id) return []
  const ref = { chat: chat.jid, id, fromMe: !fromMe }
  const own = toText(message.id)
  const named = { ref, ...(own && { id: own }), chat }
  return [{ type: 'reaction', ...named, by: peer, fromMe, ...(name && { name }), emoji: toText(part.emoji) ?? '', at }]
}

/** An edit carries the whole message anew, a revoke only the name of the one that is gone. Both name it as `original_message_id`. */
function change(message: Fields, { fromMe, ...doing }: Doing): ChannelEvent[] {
  const part = message.type === 'edit' ? message.edit : message.revoke
  const id = isRecord(part) ? toText(part.original_message_id) : undefined
  if (!isRecord(part) || !id) return []
  const ref = { chat: doing.chat.jid, id, fromMe }
  if (message.type === 'revoke') return [{ type: 'revoke', ref, ...doing }]
  // Of what it says now that nobody can show, only the phone knows.
  const content = isRecord(part.message) ? toContent(part.message) : null
  const own = toText(message.id)
  const named = { ref, ...(own && { id: own }), ...doing }
  if (!content || content.mediaType === 'unknown') return [{ type: 'edit', ...named, body: null }]
  const { body, details } = content
  return [{ type: 'edit', ...named, body, ...(details && { details }) }]
}

/** What was said before the number was connected: theirs, and ours, which name whom they went to or say so. */
function pastEvents(chunk: Fields): ChannelEvent[] {
  return toRecords(chunk.threads).flatMap(thread => {
    const context = isRecord(thread.context) ? thread.context : {}
    const peer = toPeer(toText(thread.id) ?? toText(context.wa_id), toText(context.user_id))
    if (!peer) return []
    return toRecords(thread.messages).flatMap(message => pastMessage(message, { peer }))
  })
}

/** The files of what was said, which come later and by themselves. */
function pastFiles(value: Fields): ChannelEvent[] {
  const messages = toRecords(value.messages)
  const people = readContactCards(value, messages)
  return messages.flatMap(message => {
    const person = toText(message.to) ? findRecipient(message) : findSender(message, people)
    return person ? pastMessage(message, person) : []
  })
}

const PAST: Readonly<Record<string, Ack>> = { DELIVERED: 'delivered', READ: 'read', PLAYED: 'read' }

function pastMessage(message: Fields, person: CloudAuthor): ChannelEvent[] {
  const context = isRecord(message.history_context) ? message.history_context : {}
  const from = toText(message.from)
  const fromMe =
    context.from_me === true || toText(message.to) !== undefined || (from !== undefined && !isSender(person, from))
  const ack = PAST[toText(context.status)?.toUpperCase() ?? '']
  return messageEvents(message, person, fromMe).map(event =>
    event.type === 'message' ? { ...event, past: true, ...(fromMe && ack && { ack }) } : event,
  )
}

/** A name of the phone's contact book, or that it was taken out of there. */
function nameEvents({ type, action, contact }: Fields): ChannelEvent[] {
  if (type !== 'contact' || !isRecord(contact)) return []
  const peer = toPeer(toText(contact.phone_number), toText(contact.user_id))
  const name = toText(contact.full_name) ?? toText(contact.first_name)
  if (!peer || (action !== 'remove' && !name)) return []
  return [{ type: 'contact', peer, source: 'phone', ...(action !== 'remove' && name && { name }) }]
}

/** Nobody answers calls here: one that ended without an answer was missed. */
function callEvents(call: Fields, person: CloudAuthor | null): ChannelEvent[] {
  const id = toText(call.id)
  if (!id || !person || call.event !== 'terminate' || call.direction === 'BUSINESS_INITIATED') return []
  if (toNumber(call.duration) > 0) return []
  const { peer, name } = person
  const at = parseTime(call.timestamp) || Date.now()
  return [
    ...identities(peer),
    { type: 'call', id, from: peer, video: false, state: 'missed', at, ...(name && { name }) },
  ]
}

function preferenceEvents(one: Fields, people: ContactCards): ChannelEvent[] {
  const value = toText(one.value)
  const person = findSender(one, people)
  if (one.category !== 'marketing_messages' || !person || (value !== 'stop' && value !== 'resume')) return []
  const at = parseTime(one.timestamp) || Date.now()
  return [{ type: 'preference', person: person.peer, advertising: value === 'resume', at }]
}

function groupEvents(group: Fields): ChannelEvent[] {
  const id = toText(group.group_id)
  const named = isRecord(group.group_subject) ? group.group_subject : {}
  const subject = toText(named.text)
  return id && subject && named.update_successful !== false ? [{ type: 'group', jid: `${id}@g.us`, subject }] : []
}

/**
 * Somebody has a new number, or a new id of Meta's: the same person. Meta names the new ones in `system`, the old number as the sender;
 * the old id is there for some, and with a new number comes a new id.
 */
function moved(message: Fields): ChannelEvent[] {
  const system = isRecord(message.system) ? message.system : {}
  const id = toText(message.id)
  if (!/_changed_(number|user_id)$/.test(toText(system.type) ?? '')) return []
  const to = parsePersonNames(toText(system.wa_id) ?? toText(system.new_wa_id), toText(system.user_id))
  const before = parsePersonNames(toText(message.from) ?? toText(system.customer), toText(system.previous_user_id))
  // The sender's id may be the new one already.
  const bsuid = before.bsuid ?? (before.pn ? undefined : toText(message.from_user_id))
  const from = { ...(before.pn && { pn: before.pn }), ...(bsuid && bsuid !== to.bsuid && { bsuid }) }
  const isTold = id && Object.keys(from).length > 0 && Object.keys(to).length > 0
  const at = parseTime(message.timestamp)
  return isTold ? [{ type: 'moved', id, ...(at > 0 && { at }), from, to }] : []
}

/** The same, told of the account's id alone. */
function idEvents(update: Fields): ChannelEvent[] {
  const ids = isRecord(update.user_id) ? update.user_id : {}
  const [before, now] = [toText(ids.previous), toText(ids.current)]
  if (!before || !now || before === now) return []
  const at = parseTime(update.timestamp)
  const names = { from: { bsuid: before }, to: { bsuid: now } }
  return [{ type: 'moved', id: `${now}:${at}`, ...(at > 0 && { at }), ...names }]
}

const ACKS: Record<string, Ack> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'error',
}

/** Ours are UUIDs; other programs on the same number may send what they like. */
function parseTrace(input: string | undefined): string | undefined {
  return input && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(input) ? input : undefined
}

/** Their order is not guaranteed, and "delivered" may be left out: the inbox lets acks only grow. */
function statusEvents(status: Fields): ChannelEvent[] {
  if (status.type === 'payment') return paymentEvents(status)
  const id = toText(status.id)
  const ack = lookUp(ACKS, status.status)
  if (!id || !ack) return []
  const isGroup = status.recipient_type === 'group'
  const { pn, bsuid } = parsePersonNames(
    isGroup ? undefined : toText(status.recipient_id),
    toText(status.recipient_user_id),
  )
  const at = parseTime(status.timestamp)
  const trace = parseTrace(toText(status.biz_opaque_callback_data))
  const [error] = toRecords(status.errors)
  const refusal = error && toGraphError(error, 0)
  return [
    ...(pn && bsuid && !isGroup ? [{ type: 'identity', pn, bsuid } as const] : []),
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

const PAYMENTS: Readonly<Record<string, 'paid' | 'declined' | 'canceled'>> = {
  captured: 'paid',
  failed: 'declined',
  canceled: 'canceled',
}

/** What became of a payment that the customer makes in the chat. */
function paymentEvents(status: Fields): ChannelEvent[] {
  const payment = isRecord(status.payment) ? status.payment : {}
  const state = lookUp(PAYMENTS, status.status)
  const chat = toPeer(toText(status.recipient_id), toText(status.recipient_user_id))
  const reference = toText(payment.reference_id) ?? toText(status.id)
  if (!state || !chat || !reference) return []
  const amount = isRecord(payment.amount) ? payment.amount : {}
  const total = parseMoney(amount.value, payment.currency, toNumber(amount.offset) || 1)
  const card: MessageCard = { kind: 'payment', state, total, reference: truncateText(reference, 200), lines: [] }
  return [
    {
      type: 'message',
      ref: { chat: chat.jid, id: createOwnId('payment', reference, state), fromMe: false },
      chat,
      at: parseTime(status.timestamp) || Date.now(),
      mediaType: getCardMediaType(card),
      body: getCardText(card),
      details: { card },
      replay: false,
      byProvider: true,
      raw: status,
    },
  ]
}
