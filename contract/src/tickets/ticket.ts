import { ConnectionBrief } from '../connections/connection.ts'
import { ContactBrief } from '../contacts/contact.ts'
import { Id, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { MessageState } from '../messages/message.ts'
import { QueueBrief } from '../queues/queue.ts'
import { Profile, UserBrief } from '../users/user.ts'

/** So many tickets a person may have on top of the list. */
export const PINS_MOST = 10

export const TICKET_STATUSES = ['pending', 'open', 'paused', 'bot', 'nps', 'closed'] as const
export const TicketStatus = StringEnum(TICKET_STATUSES)
export type TicketStatus = Static<typeof TicketStatus>

/** A ticket in one of these is live: at most one per contact and connection (decisions §1). */
export const LIVE_STATUSES: readonly TicketStatus[] = ['pending', 'open', 'paused', 'bot', 'nps']

/**
 * A ticket as in lists. `version` grows with every change: of two copies the higher one is the newer.
 * `lastMessageState` is the state of the last message if we sent it. `windowUntil`: until when a
 * `cloud_api` contact may get free text (24 h after its last message). `isOutOfGroup`: the connection's number
 * is not in this group any more, so nothing can be written there.
 */
export const Ticket = Type.Object({
  id: Id,
  status: TicketStatus,
  queueId: Nullable(Id),
  queue: Nullable(QueueBrief),
  userId: Nullable(Id),
  user: Nullable(UserBrief),
  contactId: Id,
  contact: ContactBrief,
  whatsappId: Id,
  whatsapp: ConnectionBrief,
  isGroup: Type.Boolean(),
  lastMessage: Type.String(),
  lastMessageType: Type.String({ description: 'a media type, or `deleted` when the last message was taken back' }),
  lastMessageFromMe: Type.Boolean(),
  lastMessageState: Nullable(MessageState),
  lastMessageAt: Type.String(),
  unreadMessages: Type.Integer(),
  pauseTag: Nullable(Type.String()),
  pauseUntil: Nullable(
    Type.String({ description: 'when a pause ends by itself, an instant, or `answer`; it always ends with an answer' }),
  ),
  wokenAt: Type.Optional(
    Type.String({ description: 'when its pause ended by its time, as long as nobody has written since' }),
  ),
  answerSince: Nullable(Type.String({ description: 'since when the customer waits for the answer of a person' })),
  answerDueAt: Nullable(Type.String({ description: 'until when that answer is due, by the target of the queue' })),
  windowUntil: Nullable(Type.String()),
  isOutOfGroup: Type.Boolean(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  acceptedAt: Nullable(Type.String()),
  closedAt: Nullable(Type.String()),
  followers: Type.Optional(
    Type.Array(UserBrief, {
      description: 'the colleagues who were asked in, the first one first; not there without any',
    }),
  ),
  /** With `followers`: by it a page knows who of them serves the ticket, too. */
  ownerProfile: Type.Optional(Nullable(Profile)),
  version: Type.Integer(),
})
export type Ticket = Static<typeof Ticket>

/**
 * What `ERR_OTHER_OPEN_TICKET` says of the ticket that is in the way (spec 1 §8). Who may not see it learns only who has it and where;
 * `ticket` is there for everybody else.
 */
export const OtherOpenTicket = Type.Object({
  ticketId: Id,
  status: TicketStatus,
  userId: Nullable(Id),
  user: Nullable(Type.String()),
  queue: Nullable(Type.String()),
  askPass: Type.Optional(Type.String({ description: 'for POST /tickets/:id/ask, where the ticket is not to be seen' })),
  ticket: Type.Optional(Ticket),
})
export type OtherOpenTicket = Static<typeof OtherOpenTicket>

/** The badge numbers of the lists: cheap by design, read from a running tally. */
export const TicketCounts = Type.Object({
  assigned: Type.Integer({ description: 'open, no group, mine (or all with showAll)' }),
  groups: Type.Integer(),
  pending: Type.Integer(),
  paused: Type.Integer(),
  pausedUnread: Type.Integer({ description: 'of the paused, those where the customer wrote meanwhile' }),
  bot: Type.Integer(),
  unread: Type.Integer({ description: 'tickets of mine or waiting with something unread' }),
  followed: Type.Integer({ description: 'those one was asked into, of whatever queue' }),
  followedUnread: Type.Integer(),
})
export type TicketCounts = Static<typeof TicketCounts>
