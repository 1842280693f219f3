import type { Endpoint } from '../kit/endpoint.ts'
import {
  Cursor,
  changes,
  changesNote,
  Id,
  IgnoredLog,
  Instant,
  JsonIds,
  Nullable,
  page,
  type Static,
  StringEnum,
  Type,
} from '../kit/schema.ts'
import { MediaType } from '../messages/message.ts'
import { MessageOrigin } from '../messages/message-details.ts'
import { SEARCH_KINDS } from '../messages/search-kinds.ts'
import { UserBrief } from '../users/user.ts'
import { Ticket, TicketCounts, TicketStatus } from './ticket.ts'

const Flag = StringEnum(['true', 'false'])

/**
 * `status` also takes the list filters `group` (live groups), `closedGroup`, `nps` and `paused`; `closed` is without groups.
 * `showAll` adds colleagues' tickets where the policy lets them be seen; without it a list holds one's own and unassigned ones.
 */
export const TicketListQuery = Type.Object({
  pageNumber: Type.Optional(Type.Integer({ minimum: 1 })),
  cursor: Cursor,
  searchParam: Type.Optional(Type.String({ maxLength: 200 })),
  status: Type.Optional(StringEnum(['open', 'pending', 'closed', 'paused', 'bot', 'group', 'nps', 'closedGroup'])),
  date: Type.Optional(Type.String({ maxLength: 30 })),
  firstDate: Type.Optional(Type.String({ maxLength: 30 })),
  lastDate: Type.Optional(Type.String({ maxLength: 30 })),
  showAll: Type.Optional(Flag),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  queueIds: Type.Optional(JsonIds),
  withUnreadMessages: Type.Optional(Flag),
  isGroup: Type.Optional(Flag),
  /**
   * `wait`: who has been waiting longest first, with `status` pending. `due`: whose answer is due first, then those with no target, with
   * `status` pending or open. Without `searchParam`.
   */
  order: Type.Optional(StringEnum(['wait', 'due'])),
  /** Only those whose answer is late, in the order `due`. */
  late: Type.Optional(Flag),
})

/**
 * `count` is the exact number only where the running tally has it (live tickets), otherwise how many rows came so far. With `searchParam` a
 * page may hold few or none while `hasMore` is true.
 */
export const TicketPage = Type.Object({
  tickets: Type.Array(Ticket),
  ...page,
})

/**
 * The newest message of a ticket that a search found. `text` is the line that holds the words: of the message, of its document's
 * name or of its transcription.
 */
export const MessageHit = Type.Object({
  ticketId: Id,
  messageId: Id,
  text: Type.String(),
  mediaType: MediaType,
  fromMe: Type.Boolean(),
  /** Who wrote it; empty for our own from the phone. */
  name: Type.String(),
  createdAt: Instant,
})
export type MessageHit = Static<typeof MessageHit>

/**
 * `hits`: tickets found by a message; `named`: ids of those found by the contact's name or number. A ticket may be both, and found by one of
 * them on a later page. A page may hold few or none while `hasMore` is true: so many tickets are looked through at once, and `searchedTo`
 * says how far back that was. A full page has no further one.
 */
export const TicketSearchPage = Type.Object({
  tickets: Type.Array(Ticket),
  hits: Type.Array(MessageHit),
  named: Type.Array(Id),
  ...page,
  searchedTo: Nullable(Instant),
})

const SearchQuery = Type.Object({
  searchParam: Type.Optional(Type.String({ maxLength: 200 })),
  searchMessage: Type.Optional(Type.String({ maxLength: 200 })),
  searchContact: Type.Optional(Type.String({ maxLength: 200 })),
  searchUser: Type.Optional(Type.String({ maxLength: 500 })),
  searchTag: Type.Optional(Type.String({ maxLength: 500 })),
  status: Type.Optional(Type.String({ maxLength: 20 })),
  showAll: Type.Optional(Flag),
  queueIds: Type.Optional(JsonIds),
  cursor: Cursor,
})

/**
 * `writtenBy` is the id of a person of the team, or `contact` for whoever writes to the company. Days count whole, by the company's clocks;
 * `lastDate` is the last one. `status` is that of the ticket.
 */
export const MessageSearchQuery = Type.Object({
  ...Type.Omit(SearchQuery, ['status']).properties,
  status: TicketListQuery.properties.status,
  writtenBy: Type.Optional(Type.String({ maxLength: 20 })),
  firstDate: TicketListQuery.properties.firstDate,
  lastDate: TicketListQuery.properties.lastDate,
  kind: Type.Optional(StringEnum(SEARCH_KINDS)),
})

/**
 * Messages, newest first, and their tickets. A page may hold few or none while `hasMore` is true: so many messages are looked through at once,
 * and `searchedTo` says how far back that was.
 */
export const MessageSearchPage = Type.Object({
  hits: Type.Array(MessageHit),
  tickets: Type.Array(Ticket),
  ...page,
  searchedTo: Nullable(Instant),
})

export const ticketEndpoints = {
  'GET /tickets': {
    scope: 'readTickets',
    summary: 'A page of tickets, newest activity first',
    query: TicketListQuery,
    answer: TicketPage,
  },
  'GET /tickets/changes': {
    scope: 'readTickets',
    summary:
      'Tickets that changed since a cursor, out of the last 24 hours, as they are now; without a cursor one to begin with',
    description: changesNote,
    query: Type.Object({ cursor: Cursor }),
    answer: Type.Object({ tickets: Type.Array(Ticket), ...changes }),
  },
  'GET /tickets/counts': {
    summary:
      'Badge numbers of the lists; with late, of those in service and of those who wait only the late ones count, up to 1000 each',
    query: Type.Pick(TicketListQuery, ['showAll', 'queueIds', 'withUnreadMessages', 'late']),
    answer: TicketCounts,
  },
  'GET /tickets/pinned': {
    summary:
      'The conversations one keeps on top of the list, as far as one may see them, the one pinned first before the others',
    answer: Type.Array(Ticket),
  },
  'GET /tickets/followed': {
    summary: 'The conversations one follows because a colleague asked one in, newest activity first',
    answer: Type.Array(Ticket),
  },
  'GET /tickets/load': {
    summary: 'How many conversations each person serves now; who serves none is left out',
    answer: Type.Array(Type.Object({ userId: Id, tickets: Type.Integer() })),
  },
  'GET /ticket2': {
    summary: 'Tickets with the bot, newest activity first, at most 1000; their number is the badge of the bot',
    answer: Type.Array(Ticket),
  },
  'PUT /ticket2/:id': {
    summary: 'Take a ticket from the bot: it waits for people, or is closed without a word',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_INVALID_TRANSITION'],
    body: Type.Object({
      status: StringEnum(['pending', 'closed']),
      ticket: Type.Optional(Type.Unknown({ description: 'accepted for compatibility' })),
      user: Type.Optional(Type.Unknown({ description: 'accepted for compatibility: it is who asks' })),
      log: IgnoredLog,
    }),
    answer: Ticket,
  },
  'GET /tickets/filter': {
    summary:
      'Search tickets (at least 3 characters, at most 50 results a page): searchParam looks for a name, a number or a message, searchMessage for messages only; users and tags are ids, one or a JSON array',
    query: SearchQuery,
    answer: TicketSearchPage,
  },
  'GET /tickets/messages': {
    summary:
      'Messages of the tickets one may see, newest first, by their words, who wrote them, when, and of which kind; searchParam and searchMessage both look in messages',
    query: MessageSearchQuery,
    answer: MessageSearchPage,
  },
  'GET /tickets/:id': { scope: 'readTickets', summary: 'One ticket', errors: ['ERR_NO_TICKET_FOUND'], answer: Ticket },
  'GET /tickets/:id/context': {
    summary:
      'What brought the customer here: the newest advertisement, post or product that a message of the ticket names; and after how many seconds messages of the chat disappear, null where they stay',
    errors: ['ERR_NO_TICKET_FOUND'],
    answer: Type.Object({ origin: Nullable(MessageOrigin), disappearsAfter: Nullable(Type.Integer()) }),
  },
  'GET /tickets/contact/:contactId': {
    scope: 'readTickets',
    summary: 'The live ticket of a contact, on one connection or any',
    errors: ['ERR_NO_CONTACT_FOUND'],
    query: Type.Object({ whatsappId: Type.Optional(Id) }),
    answer: Nullable(Ticket),
  },
  'POST /tickets': {
    scope: 'serve',
    summary: 'Open a ticket with a contact; 409 ERR_OTHER_OPEN_TICKET names the one that is live already',
    errors: [
      'ERR_OTHER_OPEN_TICKET',
      'ERR_NO_CONTACT_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_NO_QUEUE_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_CREATING_TICKET',
    ],
    body: Type.Object({
      contactId: Id,
      queueId: Type.Optional(Nullable(Id)),
      whatsappId: Type.Optional(Nullable(Id)),
      userId: Type.Optional(Nullable(Id)),
      status: Type.Optional(Type.Literal('open')),
      log: IgnoredLog,
    }),
    answer: Ticket,
    status: 201,
  },
  'POST /tickets/next': {
    scope: 'serve',
    needsPerson: true,
    summary:
      'Accept the first conversation of those who wait and one may take; null where none waits. One whose queue has to be chosen is answered as it is, still pending: accept it by its id',
    description:
      'What one has pinned is first, then who has been waiting longest; with `order` due whose answer is due first.',
    body: Type.Object({
      queueIds: Type.Optional(Type.Array(Id, { maxItems: 500, description: 'only of these' })),
      order: TicketListQuery.properties.order,
      late: Type.Optional(Type.Boolean({ description: 'only those whose answer is late, in the order `due`' })),
      withUnreadMessages: Type.Optional(Type.Boolean({ description: 'only those with something unread' })),
    }),
    answer: Nullable(Ticket),
  },
  'PUT /tickets/:id': {
    scope: 'serve',
    summary: 'Change a ticket: accept, return, resolve, pause, resume, reopen, transfer',
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_CONTACT_FOUND',
      'ERR_NO_QUEUE_FOUND',
      'ERR_NO_USER_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_INVALID_TRANSITION',
      'ERR_OTHER_OPEN_TICKET',
    ],
    body: Type.Object({
      status: Type.Optional(TicketStatus),
      userId: Type.Optional(Nullable(Id)),
      queueId: Type.Optional(Nullable(Id)),
      whatsappId: Type.Optional(Id),
      onlyClose: Type.Optional(Type.Boolean()),
      pauseTag: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
      pauseUntil: Type.Optional(
        Nullable(
          Type.String({
            maxLength: 40,
            description:
              'an instant ahead, at most a year, or `answer`: the pause ends then, or when the customer answers',
          }),
        ),
      ),
      pauseMessage: Type.Optional(Nullable(Type.String({ maxLength: 4096 }))),
      transferMessage: Type.Optional(Nullable(Type.String({ maxLength: 4096 }))),
      log: IgnoredLog,
    }),
    answer: Ticket,
  },
  'PUT /tickets/:id/pin': {
    summary: 'Keep a live ticket on top of the list, for oneself, or let go of it',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_INVALID_TRANSITION'],
    body: Type.Object({ pinned: Type.Boolean() }),
    status: 204,
  },
  'PUT /tickets/:id/followers/:userId': {
    summary: 'Ask a colleague in, who follows a live ticket from then on and may comment in it',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_INVALID_TRANSITION', 'ERR_NO_USER_FOUND'],
    answer: Ticket,
  },
  'DELETE /tickets/:id/followers/:userId': {
    summary: 'End that a colleague, or oneself, follows a ticket',
    errors: ['ERR_NO_TICKET_FOUND'],
    status: 204,
  },
  'POST /tickets/:id/ask': {
    summary:
      'Ask whoever has a live ticket, serves its queue or is an administrator to hand it over; they are told at once; of a ticket that one does not see with the pass of ERR_OTHER_OPEN_TICKET',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_INVALID_TRANSITION', 'ERR_NO_PERMISSION', 'ERR_TOO_MANY_ATTEMPTS'],
    query: Type.Object({ askPass: Type.Optional(Type.String({ maxLength: 100 })) }),
    status: 204,
  },
  'GET /tickets/:id/colleagues': {
    summary: 'The colleagues who may see a ticket, by name: whom a comment in it can call',
    errors: ['ERR_NO_TICKET_FOUND'],
    answer: Type.Array(UserBrief),
  },
  'POST /tickets/:id/mentions/seen': {
    summary: 'The comments of a ticket that call the one who asks were seen: they leave the bell',
    errors: ['ERR_NO_TICKET_FOUND'],
    status: 204,
  },
  'POST /tickets/:id/read': {
    scope: 'serve',
    summary: "Mark the customer's messages as read, here and at the customer; with `upTo` none behind that one",
    errors: ['ERR_NO_TICKET_FOUND'],
    query: Type.Object({ upTo: Type.Optional(Id) }),
    status: 204,
  },
  'POST /tickets/:id/unread': {
    summary: 'Mark a live ticket as unread, for somebody to come back to; the customer is told nothing',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_INVALID_TRANSITION'],
    status: 204,
  },
  'DELETE /tickets/:id': {
    summary: 'Delete a ticket with its messages (admins)',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_PROTOCOL_LINKED'],
    body: Type.Optional(Type.Object({ log: IgnoredLog })),
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
