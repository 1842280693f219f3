// What live events are to other programs. Pure: the same rows give the same events.
import type { Contact, LiveEvent, Message, Ticket, TicketFacts, WebhookData, WebhookEventType } from '@balcao/contract'
import type { Audience } from '../../platform/live/table.ts'
import { KEPT_DAYS } from './table.ts'

/** Something to tell; `key` where it is told once, however often it is seen. */
export interface WebhookEvent {
  readonly type: WebhookEventType
  readonly key: string | null
  readonly lane: string
  readonly contactId: number | null
  readonly connectionId: number | null
  readonly queueId: number | null
  readonly data: WebhookData
}

export interface EventContext {
  /** The tickets that messages stand in. */
  readonly tickets: ReadonlyMap<number, Ticket>
  /** What customers answered to the survey, by ticket. */
  readonly ratings: ReadonlyMap<number, { readonly id: string; readonly rate: number }>
  /** How connections stood; kept up to date here. */
  readonly connectionStates: Record<string, string>
  readonly now: Date
}

/** The owner of an installation is named to nobody. */
const OWNER_ID = 1
/** Of what is older nobody is told that it went on: what was told of it is forgotten by then. */
const KEPT_MS = KEPT_DAYS * 86_400_000
const SENT: readonly string[] = ['sent', 'delivered', 'read']
const STATES: readonly string[] = ['delivered', 'read', 'failed', 'unknown']
/** Lines about a ticket and comments are the team's own. */
const INSIDE: readonly string[] = ['system', 'comment']
const OVER: readonly string[] = ['closed', 'nps']

/** What one live event tells. */
export function describeEvents(event: LiveEvent, audience: Audience, context: EventContext): WebhookEvent[] {
  switch (event.event) {
    case 'appMessage':
      return event.action === 'delete' ? [] : describeMessage(event.message, event.action, context)
    case 'ticket':
      return event.action === 'delete' || audience.to !== 'ticket' ? [] : describeTicket(event, audience, context)
    case 'contact':
      return describeContact(event, context)
    case 'whatsappSession':
      return describeConnection(event.session, context)
    default:
      return []
  }
}

function describeMessage(message: Message, action: 'create' | 'update', context: EventContext): WebhookEvent[] {
  const ticket = context.tickets.get(message.ticketId)
  const isOld = context.now.getTime() - Date.parse(message.createdAt) > KEPT_MS
  if (!ticket || INSIDE.includes(message.mediaType) || (isOld && action === 'update')) return []
  const { id, state } = message
  const data = toMessageData(message, ticket)
  const tell = (type: WebhookEventType, key: string | null) => toTicketEvent(type, key, ticket, data)
  if (!message.fromMe) return action === 'create' ? [tell('message.received', `received:${id}`)] : []
  return [
    ...(SENT.includes(state) ? [tell('message.sent', `sent:${id}`)] : []),
    ...(STATES.includes(state) ? [tell('message.status', `status:${id}:${state}`)] : []),
  ]
}

function describeTicket(
  { action, ticket }: Extract<LiveEvent, { event: 'ticket'; ticket: Ticket }>,
  { before, after, handed }: Extract<Audience, { to: 'ticket' }>,
  { ratings }: EventContext,
): WebhookEvent[] {
  const tell = (type: WebhookEventType, more: WebhookData = {}, key: string | null = null) => [
    toTicketEvent(type, key, ticket, { ...toTicketData(ticket), ...more }),
  ]
  if (!after) return []
  if (action === 'create' && ticket.status !== 'closed')
    return [
      ...tell('ticket.opened', { reopened: false }, `opened:${ticket.id}`),
      ...(hasAgent(after) ? tell('ticket.accepted', {}, `taken:${ticket.id}`) : []),
    ]
  if (!before) return []
  if (before.status === 'closed' && ticket.status !== 'closed')
    return [...tell('ticket.opened', { reopened: true }), ...(hasAgent(after) ? tell('ticket.accepted') : [])]
  const rating = before.status === 'nps' && ticket.status === 'closed' ? ratings.get(ticket.id) : undefined
  if (rating) return tell('ticket.rated', { rating: rating.rate }, `rated:${rating.id}`)
  if (OVER.includes(ticket.status)) return OVER.includes(before.status) ? [] : tell('ticket.resolved')
  if (ticket.status === 'paused') return before.status === 'paused' ? [] : tell('ticket.paused')
  const isTaken = hasAgent(after) && before.userId === null
  const isTransferred = hasMoved(before, after) || (handed && !isTaken && isElsewhere(before, after))
  const from = { fromQueueId: before.queueId, fromAgentId: hideOwner(before.userId) }
  return [...(isTaken ? tell('ticket.accepted') : []), ...(isTransferred ? tell('ticket.transferred', from) : [])]
}

function describeContact(event: Extract<LiveEvent, { event: 'contact' }>, { now }: EventContext): WebhookEvent[] {
  if (event.action === 'reload') return []
  if (event.action === 'delete') {
    const { contactId, mergedInto } = event
    const [type, data] =
      mergedInto === null
        ? (['contact.deleted', { contactId }] as const)
        : (['contact.merged', { contactId, mergedInto }] as const)
    return [toContactEvent(type, null, contactId, data)]
  }
  const { contact, action } = event
  const data = toContactData(contact)
  const { optedOutAt, id } = contact
  const isNew = optedOutAt !== null && now.getTime() - Date.parse(optedOutAt) < KEPT_MS
  return [
    toContactEvent(action === 'create' ? 'contact.created' : 'contact.changed', null, id, data),
    ...(isNew ? [toContactEvent('contact.optedOut', `optedOut:${id}:${optedOutAt}`, id, { ...data, optedOutAt })] : []),
  ]
}

function describeConnection(
  { id, name, status, trouble }: Extract<LiveEvent, { event: 'whatsappSession' }>['session'],
  { connectionStates }: EventContext,
): WebhookEvent[] {
  if (connectionStates[id] === status) return []
  connectionStates[id] = status
  const data = { connectionId: id, connectionName: name, status, reason: trouble?.reason ?? null }
  const about = { contactId: null, connectionId: id, queueId: null }
  return [{ type: 'connection.state', key: null, lane: `connection:${id}`, ...about, data }]
}

function hasAgent({ status, userId }: TicketFacts): boolean {
  return status === 'open' && userId !== null
}

/** Given from one queue or person to another; back to its queue, or put into its first one, is no transfer. */
function hasMoved(before: TicketFacts, after: TicketFacts): boolean {
  const isOther = (from: number | null, to: number | null) => from !== null && to !== null && from !== to
  return isOther(before.queueId, after.queueId) || isOther(before.userId, after.userId)
}

/** Whoever is asked to follow a ticket gets word of it, and it stays where it is. */
function isElsewhere(before: TicketFacts, after: TicketFacts): boolean {
  return before.queueId !== after.queueId || before.userId !== after.userId
}

function toTicketEvent(type: WebhookEventType, key: string | null, ticket: Ticket, data: WebhookData): WebhookEvent {
  const { id, contactId, whatsappId: connectionId, queueId } = ticket
  return { type, key, lane: `ticket:${id}`, contactId, connectionId, queueId, data }
}

function toContactEvent(type: WebhookEventType, key: string | null, contactId: number, data: WebhookData) {
  return { type, key, lane: `contact:${contactId}`, contactId, connectionId: null, queueId: null, data }
}

function toTicketData(ticket: Ticket): WebhookData {
  const { id: ticketId, status, whatsappId: connectionId, queueId, isGroup, createdAt, user } = ticket
  return { ticketId, status, ...toContactPart(ticket), connectionId, queueId, ...toAgent(user), isGroup, createdAt }
}

function toMessageData(message: Message, ticket: Ticket): WebhookData {
  const { id: messageId, mediaType, fromMe, state, createdAt, body: messageText, user } = message
  const { id: ticketId, whatsappId: connectionId, queueId, isGroup } = ticket
  const place = { messageId, ticketId, ...toContactPart(ticket), connectionId, queueId, isGroup }
  return { ...place, mediaType, fromMe, state, createdAt, ...(fromMe && toAgent(user)), messageText }
}

function toContactPart({ contactId, contact }: Ticket): WebhookData {
  const { name: contactName, number: contactNumber, tags } = contact
  return { contactId, contactName, contactNumber, contactTags: tags.map(({ name }) => name) }
}

function toContactData({ id, name, number, email, tags, isGroup, version }: Contact): WebhookData {
  const contactTags = tags.map(tag => tag.name)
  return { contactId: id, contactName: name, contactNumber: number, contactTags, contactEmail: email, isGroup, version }
}

function toAgent(user: Message['user']): WebhookData {
  const shown = user && user.id !== OWNER_ID ? user : null
  return { agentId: shown?.id ?? null, agentName: shown?.name ?? null }
}

function hideOwner(userId: number | null): number | null {
  return userId === OWNER_ID ? null : userId
}
