// Live events and the frames of the socket (spec 1 §4, design "Live"). Reducers take them by version: an older or equal version changes nothing.

import { ApiToken } from './api/token.ts'
import { ChatMessage, SharedChat } from './chats/chat.ts'
import { Connection, ConnectionBrief } from './connections/connection.ts'
import { Contact } from './contacts/contact.ts'
import { Job } from './jobs/job.ts'
import { Id, Nullable, type Static, StringEnum, type TProperties, Type } from './kit/schema.ts'
import { LISTS, type ListEvent } from './lists.ts'
import { Message } from './messages/message.ts'
import { Notice } from './notifications/notifications.ts'
import { Protocol } from './protocols/protocol.ts'
import { Setting } from './settings/setting.ts'
import { Ticket } from './tickets/ticket.ts'
import { User, UserBrief } from './users/user.ts'
import { Webhook } from './webhooks/webhook.ts'

const Version = Type.Integer({ minimum: 0 })
const CHANGE = ['create', 'update'] as const
const GONE = ['delete'] as const

const ownEvents = [
  /** A ticket appeared or changed (`updateUnread`: because something unread arrived, so lists move it to the top). */
  defineLiveEvent('ticket', ['create', 'update', 'updateUnread'], { ticket: Ticket }),
  /** A ticket is gone: `deleted` for everybody, `hidden` for this audience only (moved to another queue or person). */
  defineLiveEvent('ticket', GONE, { ticketId: Id, reason: StringEnum(['deleted', 'hidden']) }),
  /** A ticket came to the bot, or changed there; beside the event `ticket`, which says all of it (spec 1 §4). */
  defineLiveEvent('ticketBot', CHANGE, { ticket: Ticket }),
  /** One left the bot, or is gone: who shows them asks for them anew. */
  defineLiveEvent('ticketBot', ['reload'], { ticketId: Id }),
  /** A colleague asks for a ticket; for whoever has it, or may give it. */
  defineLiveEvent('ticketAsked', ['create'], {
    ticketId: Id,
    contactName: Type.String(),
    user: UserBrief,
    at: Type.String(),
  }),
  /** The comments of a ticket that call somebody were seen, for that person. */
  defineLiveEvent('mention', ['update'], { ticketId: Id }),
  /** One pinned a ticket or let go of it, in another of one's pages perhaps. */
  defineLiveEvent('ticketPin', ['update'], { ticketId: Id, pinned: Type.Boolean() }),
  /** A protocol was generated or its details changed. */
  defineLiveEvent('protocolo', CHANGE, { protocolo: Protocol }),
  /** Long work began, went on or ended; for who started it. */
  defineLiveEvent('job', CHANGE, { job: Job }),
  defineLiveEvent('appMessage', CHANGE, { message: Message }),
  defineLiveEvent('appMessage', GONE, { messageId: Id, ticketId: Id }),
  /** Administrators get the whole connection, everybody else the brief one. */
  defineLiveEvent('whatsapp', CHANGE, { whatsapp: Type.Union([Connection, ConnectionBrief]) }),
  defineLiveEvent('whatsapp', GONE, { whatsappId: Id }),
  /** Status, QR code, pair code of a connection: administrators only. */
  defineLiveEvent('whatsappSession', ['update'], { session: Connection }),
  defineLiveEvent('user', CHANGE, { user: User }),
  defineLiveEvent('user', GONE, { userId: Id }),
  defineLiveEvent('contact', CHANGE, { contact: Contact }),
  /** Many came, changed or went at once: who lists contacts asks anew. */
  defineLiveEvent('contact', ['reload'], {}),
  /** `mergedInto`: the contact turned out to be the same person as another one. */
  defineLiveEvent('contact', GONE, { contactId: Id, mergedInto: Nullable(Id) }),
  /** A scheduled send appeared, changed or went; who shows them asks for them, and gets those the policy allows. */
  defineLiveEvent('agendamento', ['create', 'update', 'delete'], { agendamentoId: Id }),
  /** A mass send appeared, changed or went on; for managers and administrators, who ask for it. */
  defineLiveEvent('envioMassa', CHANGE, { envioMassaId: Id }),
  /** `version` is the setting's own; who changed it is asked for by those who may know. */
  defineLiveEvent('settings', ['update'], { setting: Type.Pick(Setting, ['key', 'value']) }),
  /** An address that is told appeared or changed; for administrators. */
  defineLiveEvent('webhook', CHANGE, { webhook: Webhook }),
  defineLiveEvent('webhook', GONE, { webhookId: Id }),
  /** A token of programs appeared or changed; for administrators. */
  defineLiveEvent('apiToken', CHANGE, { apiToken: ApiToken }),
  defineLiveEvent('apiToken', GONE, { apiTokenId: Id }),
  /** An internal chat appeared or changed; what is unread by whom stands at its members. */
  defineLiveEvent('chat', CHANGE, { chat: SharedChat }),
  /** For whom it reaches a chat is gone: they are no longer in it. */
  defineLiveEvent('chat', GONE, { chatId: Id }),
  /** A message of an internal chat; a deleted one comes as an update, with nothing in it. */
  defineLiveEvent('appMessageChat', CHANGE, { message: ChatMessage }),
  /** Something unread came into an internal chat: for everybody in it but the sender. */
  defineLiveEvent('ticketChat', ['updateUnread'], { chat: SharedChat }),
  /** Somebody has read a chat up to a message; `version` is the chat's. */
  defineLiveEvent('unreadMessageChat', ['update'], {
    chatId: Id,
    userId: Id,
    unreadMessages: Type.Integer(),
    readSeq: Type.Integer(),
  }),
]

export const LiveEvent = Type.Unsafe<Static<(typeof ownEvents)[number]> | ListEvent>(
  Type.Union([
    ...ownEvents,
    ...Object.entries(LISTS).flatMap(([name, { Row }]) => [
      defineLiveEvent(name, CHANGE, { [name]: Row }),
      defineLiveEvent(name, GONE, { [`${name}Id`]: Id }),
    ]),
  ]),
)
export type LiveEvent = Static<typeof LiveEvent>
export type LiveEventName = LiveEvent['event']
export type NamedLiveEvent<N extends LiveEventName> = Extract<LiveEvent, { event: N }>

/** Somebody who looks at a ticket; `writing`: has begun to answer the customer. */
export const PresenceViewer = Type.Object({ ...UserBrief.properties, writing: Type.Boolean() })
export type PresenceViewer = Static<typeof PresenceViewer>

/** What happens now and is stored nowhere: who types, who looks, who is there. */
export const VolatileEvent = Type.Union([
  Type.Object({
    kind: Type.Literal('typing'),
    ticketId: Id,
    by: StringEnum(['contact', 'user']),
    user: Nullable(UserBrief),
    state: StringEnum(['typing', 'recording', 'paused']),
  }),
  Type.Object({
    kind: Type.Literal('typingChat'),
    chatId: Id,
    user: UserBrief,
    state: StringEnum(['typing', 'paused']),
  }),
  Type.Object({
    kind: Type.Literal('viewing'),
    /** Everything one may know; what was known before is void. */
    all: Type.Boolean(),
    tickets: Type.Array(Type.Object({ ticketId: Id, users: Type.Array(PresenceViewer) })),
  }),
  Type.Object({ kind: Type.Literal('notice'), notice: Notice }),
  /** Who came, went or is away now, told in rounds. `all`: everybody who is there; whoever is not named is offline. */
  Type.Object({
    kind: Type.Literal('presence'),
    all: Type.Boolean(),
    online: Type.Array(Id),
    away: Type.Array(Id),
    offline: Type.Array(Id),
  }),
])
export type VolatileEvent = Static<typeof VolatileEvent>

/** Frames from the client. `cursor` null: a fresh start, nothing to catch up with. `page`: whether the tab is seen now; who sees one gets no web push. */
export const ClientFrame = Type.Union([
  Type.Object({ type: Type.Literal('hello'), cursor: Nullable(Type.String({ maxLength: 64 })) }),
  Type.Object({ type: Type.Literal('joinChatBox'), ticketId: Id }),
  Type.Object({ type: Type.Literal('leaveChatBox'), ticketId: Id }),
  Type.Object({ type: Type.Literal('joinChatBoxChat'), chatId: Id }),
  Type.Object({ type: Type.Literal('typingChat'), chatId: Id, state: StringEnum(['typing', 'paused']) }),
  /** `idle`: connected, but nobody has touched the screen for a while. */
  Type.Object({ type: Type.Literal('user-heartbeat'), idle: Type.Optional(Type.Boolean()) }),
  Type.Object({ type: Type.Literal('page'), visible: Type.Boolean() }),
  /** Whether the line still stands: the server says the same back, at once. */
  Type.Object({ type: Type.Literal('pulse') }),
  Type.Object({ type: Type.Literal('typing'), ticketId: Id, state: StringEnum(['typing', 'recording', 'paused']) }),
])
export type ClientFrame = Static<typeof ClientFrame>

/** Frames from the server. `remaining`: how many events are still to come while catching up. */
export const ServerFrame = Type.Union([
  Type.Object({ type: Type.Literal('welcome'), cursor: Type.String() }),
  Type.Object({
    type: Type.Literal('events'),
    cursor: Type.String(),
    events: Type.Array(LiveEvent),
    remaining: Type.Optional(Type.Integer()),
  }),
  Type.Object({ type: Type.Literal('reset'), cursor: Type.String() }),
  Type.Object({ type: Type.Literal('volatile'), volatile: VolatileEvent }),
  Type.Object({ type: Type.Literal('pulse') }),
  Type.Object({ type: Type.Literal('error'), error: Type.String(), message: Type.String() }),
])
export type ServerFrame = Static<typeof ServerFrame>

function defineLiveEvent<const Name extends string, const Action extends string, Payload extends TProperties>(
  event: Name,
  actions: readonly Action[],
  payload: Payload,
) {
  return Type.Object({ event: Type.Literal(event), action: StringEnum(actions), version: Version, ...payload })
}
