// Messages that came in: whose, into which ticket, in which order; many at once in a handful of statements.
import type postgres from 'postgres'
import { markNumbersProven, resolveContact } from '../../desk/contacts/identity.ts'
import { createNewcomers } from '../../desk/contacts/newcomers.ts'
import { publishContactEvents } from '../../desk/contacts/present.ts'
import { type ContactHint, findUnchangedContacts, lockContacts } from '../../desk/contacts/unchanged.ts'
import { mayHaveAddress, requestPreviews } from '../../desk/link-previews/request.ts'
import { buildMessageEvents } from '../../desk/messages/present.ts'
import { buildTicketEvents, publishTicketEvents, type TicketChange } from '../../desk/tickets/present.ts'
import { wakeAnswered } from '../../desk/tickets/wake.ts'
import { type InboundMessage, type Peer, UNREADABLE } from '../../platform/channel/driver.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { appendEvents } from '../../platform/live/append.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { applyAcks } from './acks.ts'
import { applyMoves, writeReplies } from './apply-follow-ups.ts'
import type { AckEvent, InboxBatch, Named, OpenedTicket, PlacedMessage } from './batch.ts'
import { isCard } from './content.ts'
import { insertMessages } from './insert-messages.ts'
import { resolveMentionNames } from './mentions.ts'
import { isAboutSends, planFollowUps } from './plan-follow-ups.ts'
import { findOrOpenTicket, isThanksForResolved, lockLiveTickets, openTickets } from './tickets.ts'
import { claimUnanswered, storeUnanswered, type UnansweredMessage } from './unanswered.ts'
import { replaceCards } from './unreadable.ts'

/** Stores messages; returns the provider ids whose content is there now, for changes that came before them. */
export async function applyMessages(receiving: InboxBatch, inbound: readonly InboundMessage[]): Promise<string[]> {
  const events = await resolveMentionNames<Named<InboundMessage>>(receiving, inbound)
  // Together: statements of one transaction that do not need each other travel in one go.
  const [known, people] = await Promise.all([knownMessages(receiving, events), familiarPeople(receiving, events)])
  const fresh = await withoutEchoes(receiving, events, known)
  const placed: PlacedMessage[] = []
  const late: { id: number; event: Named<InboundMessage> }[] = []
  const next: InboundMessage[] = []
  const ended = new Set<number>()
  const times = lastTimes(fresh)
  const unanswered: UnansweredMessage[] = []
  const ids = [...people.values()].map(one => one.id)
  const [held, live] = await Promise.all([lockContacts(receiving.tx, ids), lockLiveTickets(receiving, ids)])
  const tickets: Map<number, OpenedTicket | null> = live
  // Who was merged meanwhile is looked up anew.
  for (const [key, one] of people) if (!held.has(one.id)) people.delete(key)
  const whoOf = async (event: InboundMessage) => {
    const { chat, author } = listPeople(event)
    const contact = await once(people, receiving, chat, times, !event.ref.fromMe)
    return { contact, author: author && (await once(people, receiving, author, times, true)) }
  }
  await meetNewcomers(receiving, fresh, people, times)
  // All of them first: one may turn out to be another, and nothing is stored for whom that ends.
  for (const event of fresh) await whoOf(event)
  const present = new Set([...people.values()].map(one => one.id))
  if (ids.some(id => !present.has(id))) tickets.clear()
  const first = new Map<number, InboundMessage>()
  for (const event of fresh) {
    const { contact } = await whoOf(event)
    const isStored = known.some(row => row.provider_id === event.ref.id && row.contact_id === contact.id)
    if (!isStored && !tickets.has(contact.id) && !first.has(contact.id)) first.set(contact.id, event)
  }
  for (const [contactId, ticket] of await openTickets(receiving, first)) tickets.set(contactId, ticket)
  for (const event of fresh) {
    const { contact, author } = await whoOf(event)
    // Twice in one batch, by two addresses of one chat.
    const isPlaced = ({ ref }: InboundMessage) =>
      placed.some(one => one.contactId === contact.id && one.event.ref.id === ref.id)
    if (isPlaced(event)) continue
    const stored = known.find(row => row.provider_id === event.ref.id && row.contact_id === contact.id)
    const isItsContent = stored?.is_card && !isCard(event) && (!author || stored.author_id === author.id)
    if (stored && isItsContent) late.push({ id: Number(stored.id), event })
    if (stored) continue
    const there = tickets.get(contact.id)
    if (ended.has(contact.id) || (there && (await isEnded(receiving, placed, there)))) {
      ended.add(contact.id)
      next.push(event)
      continue
    }
    const quiet =
      event.past === true ||
      (await isAboutSends(receiving, contact.id, event, there)) ||
      ((!there || there.conversation.status === 'nps') && (await isThanksForResolved(receiving, contact.id, event)))
    const ticket = there ?? (await findOrOpenTicket(receiving, contact.id, { ...event, quiet }))
    if (!ticket && event.ref.fromMe) unanswered.push({ contactId: contact.id, event })
    const isLive = ticket !== null && ticket.conversation.status !== 'closed'
    const isFirstAnswer = there ? there.hasUnanswered : isLive
    if (ticket && isFirstAnswer && !quiet && !event.ref.fromMe) {
      const own = unanswered.filter(one => one.contactId === contact.id).map(one => one.event)
      for (const before of [
        ...(await resolveMentionNames<Named<InboundMessage>>(receiving, await claimUnanswered(receiving, contact.id))),
        ...own,
      ])
        if (!isPlaced(before))
          placed.push({ event: { ...before, past: true }, contactId: contact.id, authorId: null, ticket, quiet: true })
    }
    // Where the past is kept, or what opens none, is not where somebody who writes now belongs.
    if (!quiet && isLive) tickets.set(contact.id, ticket)
    if (ticket) placed.push({ event, contactId: contact.id, authorId: author?.id ?? null, ticket, quiet })
  }
  await replaceCards(receiving, late)
  await storeUnanswered(
    receiving,
    unanswered.filter(one => {
      return !placed.some(({ contactId, event }) => contactId === one.contactId && event.ref.id === one.event.ref.id)
    }),
  )
  const changed = [...people.values()].filter(one => one.changed)
  await publishContactEvents(receiving.tx, toIds(changed))
  if (placed.length > 0) await store(receiving, placed)
  const taken = [...late, ...placed].map(({ event }) => event.ref.id)
  return next.length === 0 ? taken : [...taken, ...(await applyMessages(receiving, next))]
}

/** Whether what somebody said just before ends the conversation (a rating, the end of the bot): what comes after that is of the next one. */
async function isEnded(
  receiving: InboxBatch,
  placed: readonly PlacedMessage[],
  { id, conversation }: OpenedTicket,
): Promise<boolean> {
  const own = placed.filter(({ ticket }) => ticket.id === id)
  if (own.length === 0 || (conversation.status !== 'nps' && conversation.status !== 'bot')) return false
  const { moves } = await planFollowUps(receiving, own)
  return moves.some(({ step }) => step.do === 'set status' && step.status === 'closed')
}

/**
 * Stores messages with what follows them, and tells of both. Statements that need nothing of each other's answers travel in one go:
 * what a message waits for is the way to the database and back.
 */
async function store(receiving: InboxBatch, placed: readonly PlacedMessage[]): Promise<void> {
  const { tx } = receiving
  const stored = (await insertMessages(receiving, placed)).map(({ messageId }) => messageId)
  const { moves, sayings } = await planFollowUps(receiving, placed)
  const before = new Map([...(await applyMoves(receiving, moves)), ...(await wakeAnsweredTickets(receiving, placed))])
  const ticketIds = [...new Set(placed.map(({ ticket }) => ticket.id))]
  const changes = listTicketChanges(placed).map(change => ({ ...change, before: before.get(change.ticketId) }))
  const [messages, tickets] = await Promise.all([
    buildMessageEvents(tx, stored, 'create', ticketIds),
    sayings.length === 0 ? buildTicketEvents(tx, changes) : [],
    touchChannels(receiving, placed),
  ])
  await appendEvents(tx, [...messages, ...tickets])
  await writeReplies(receiving, sayings)
  // Whoever was answered is told of at the end, as things then stand.
  if (sayings.length > 0) await publishTicketEvents(tx, changes)
  if (placed.some(one => one.event.media)) receiving.withMedia = true
  if (placed.some(one => mayHaveAddress(one.event.body))) await requestPreviews(tx, receiving.settings, stored)
}

/** What was paused until the customer answers comes back with the answer. */
async function wakeAnsweredTickets({ tx, settings }: InboxBatch, placed: readonly PlacedMessage[]) {
  const ids = placed.flatMap(({ ticket, event, quiet }) =>
    ticket.conversation.status === 'paused' && !event.ref.fromMe && !quiet ? [ticket.id] : [],
  )
  return ids.length === 0 ? [] : wakeAnswered(tx, ids, settings)
}

/** Our own messages come back as echoes: they are receipts for what we have already. */
async function withoutEchoes(
  receiving: InboxBatch,
  events: readonly InboundMessage[],
  known: readonly KnownMessage[],
): Promise<readonly InboundMessage[]> {
  const own = new Set(known.filter(row => row.from_me).map(row => row.provider_id))
  const isEcho = (event: InboundMessage) => event.ref.fromMe && own.has(event.ref.id)
  const receipts = events.filter(isEcho).map(({ ref, ack, at }): AckEvent => {
    return { type: 'ack', ref, ack: ack && ack !== 'pending' ? ack : 'sent', at }
  })
  if (receipts.length > 0) await applyAcks(receiving, receipts)
  return events.filter(event => !isEcho(event))
}

interface KnownMessage {
  readonly provider_id: string
  readonly contact_id: number
  readonly from_me: boolean
  readonly id: string
  readonly is_card: boolean
  readonly author_id: number | null
}

/** Messages stored before under the same ids: echoes, or the same message told again under another address of the chat. */
async function knownMessages(receiving: InboxBatch, events: readonly InboundMessage[]): Promise<KnownMessage[]> {
  return getSql(receiving.tx)<KnownMessage[]>`
    select id, provider_id, contact_id, from_me, author_id, media_type = 'unknown' and body = ${UNREADABLE} as is_card from message where whatsapp_id = ${receiving.connection.id} and provider_id = any(${events.map(event => event.ref.id)}::text[])`
}

/** Whom a message tells of: its chat, and in a group who wrote it. One typed on the phone tells our own name. */
function listPeople({ chat, chatName, author, ref, name }: InboundMessage): {
  chat: ContactHint
  author: ContactHint | null
} {
  const person = (peer: Peer, name: string | undefined): ContactHint => {
    return { peer, hint: { ...(name ? { name } : {}), source: 'push' } }
  }
  if (!chat.group) return { chat: person(chat, ref.fromMe ? undefined : name), author: null }
  return { chat: person(chat, chatName), author: author && !ref.fromMe ? person(author, name) : null }
}

/** The people of a batch who are known and bring nothing new, in one look-up; the others are looked at one by one. */
async function familiarPeople(
  receiving: InboxBatch,
  events: readonly InboundMessage[],
): Promise<Map<string, { id: number; changed: boolean }>> {
  const addresses = events.map(listPeople).flatMap(({ chat, author }) => (author ? [chat, author] : [chat]))
  const wanted = new Map(addresses.map(one => [personKey(one), one]))
  const ids = await findUnchangedContacts(receiving.tx, [...wanted.values()])
  const found = [...wanted.keys()].map((key, at) => [key, ids[at] ?? null] as const)
  return new Map(found.flatMap(([key, id]) => (id === null ? [] : [[key, { id, changed: false }] as const])))
}

/** Those of a batch whom nobody knows, in one statement; who is known in part is looked at one by one. */
async function meetNewcomers(
  { tx }: InboxBatch,
  events: readonly InboundMessage[],
  people: Map<string, { id: number; changed: boolean }>,
  times: ReadonlyMap<string, number>,
): Promise<void> {
  const addresses = events.map(listPeople).flatMap(({ chat, author }) => (author ? [chat, author] : [chat]))
  const unknown = new Map(addresses.map(one => [personKey(one), one] as const).filter(([key]) => !people.has(key)))
  const ids = await createNewcomers(
    tx,
    [...unknown].map(([key, { peer, hint }]) => ({ peer, hint: { ...hint, at: times.get(key) ?? Date.now() } })),
  )
  for (const [at, key] of [...unknown.keys()].entries()) {
    const id = ids[at]
    if (id != null) people.set(key, { id, changed: true })
  }
}

function personKey({ peer: { jid, pn, lid, bsuid }, hint }: ContactHint): string {
  return JSON.stringify([jid, pn, lid, bsuid, hint.name])
}

/** When each of the people of a batch last wrote, in ms. */
function lastTimes(events: readonly InboundMessage[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const event of events) {
    const { chat, author } = listPeople(event)
    for (const person of author ? [chat, author] : [chat]) {
      const key = personKey(person)
      times.set(key, Math.max(event.at, times.get(key) ?? 0))
    }
  }
  return times
}

/** One resolution per person and batch; a later name of the same person still counts. */
async function once(
  people: Map<string, { id: number; changed: boolean }>,
  receiving: InboxBatch,
  person: ContactHint,
  times: ReadonlyMap<string, number>,
  isWriting: boolean,
): Promise<{ id: number; changed: boolean }> {
  const key = personKey(person)
  const known = people.get(key)
  if (known) return known
  const at = times.get(key)
  const hint = at === undefined ? person.hint : { ...person.hint, at }
  const resolved = await resolveContact(receiving.tx, person.peer, hint)
  if (isWriting) await markNumbersProven(receiving.tx, resolved.id, person.peer)
  // A merge may have ended a contact this batch already knows.
  for (const [other, one] of people)
    if (resolved.merged.includes(one.id)) people.set(other, { id: resolved.id, changed: true })
  const found = { id: resolved.id, changed: resolved.changed }
  people.set(key, found)
  return found
}

/** Where answers go from now on and after how long they vanish there, by what was written last however late it comes, and since when the 24-hour window runs. */
async function touchChannels(receiving: InboxBatch, placed: readonly PlacedMessage[]): Promise<void> {
  const latest = new Map<number, Touch>()
  for (const { event, contactId } of placed) {
    const before = latest.get(contactId)
    const at = new Date(Math.min(event.at, Date.now())).toISOString()
    const { jid, jid_at, timer } =
      before && before.jid_at > at
        ? before
        : { jid: event.ref.chat, jid_at: at, timer: event.timer ?? before?.timer ?? null }
    latest.set(contactId, {
      contact_id: contactId,
      jid,
      jid_at,
      timer,
      at: event.ref.fromMe || event.byProvider || (before?.at && before.at > at) ? (before?.at ?? null) : at,
    })
  }
  const sql = getSql(receiving.tx)
  await sql`
    insert into contact_channel as c (contact_id, whatsapp_id, jid, jid_at, timer, last_inbound_at)
    select x.contact_id, ${receiving.connection.id}, x.jid, x.jid_at, x.timer, x.at
    from jsonb_to_recordset(${toJsonbText([...latest.values()])}::jsonb) as x(contact_id int, jid text, jid_at timestamptz, timer int, at timestamptz)
    on conflict (contact_id, whatsapp_id) do update set
      jid = case when ${isNewer(sql)} then excluded.jid else c.jid end, timer = case when ${isNewer(sql)} then coalesce(excluded.timer, c.timer) else c.timer end,
      jid_at = greatest(excluded.jid_at, c.jid_at, c.last_inbound_at), last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at),
      is_out = c.is_out and not coalesce(excluded.last_inbound_at > c.membership_at, false)`
}

interface Touch {
  readonly contact_id: number
  readonly jid: string
  readonly jid_at: string
  readonly timer: number | null
  readonly at: string | null
}

function isNewer(sql: postgres.Sql): SqlFragment {
  return sql`excluded.jid_at >= date_trunc('second', coalesce(c.jid_at, c.last_inbound_at, '-infinity'))`
}

function listTicketChanges(placed: readonly PlacedMessage[]): TicketChange[] {
  const actions = new Map<number, TicketChange['action']>()
  for (const { ticket, event, quiet } of placed) {
    if (ticket.conversation.isNew) actions.set(ticket.id, 'create')
    else if (!event.ref.fromMe && !quiet) actions.set(ticket.id, 'updateUnread')
    else if (!actions.has(ticket.id)) actions.set(ticket.id, 'update')
  }
  return [...actions].map(([ticketId, action]) => ({ ticketId, action }))
}
