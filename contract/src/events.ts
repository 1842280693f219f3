// Live events and the frames of the socket (spec 1 §4, design "Live"). Reducers take them by version: an older or equal version changes nothing.
import { ChatMessage, SharedChat } from './entities/chat.ts'
import { Connection, ConnectionBrief } from './entities/connection.ts'
import { Contact } from './entities/contact.ts'
import { Job } from './entities/job.ts'
import { Message } from './entities/message.ts'
import { Protocol } from './entities/protocol.ts'
import { Queue } from './entities/queue.ts'
import { QuickAnswer } from './entities/quick-answer.ts'
import { Tag } from './entities/tag.ts'
import { Ticket } from './entities/ticket.ts'
import { User, UserBrief } from './entities/user.ts'
import { Notice } from './notifications.ts'
import { Id, Nullable, OneOf, type Static, Type } from './schema.ts'

const Version = Type.Integer({ minimum: 0 })
const ChangeAction = OneOf(['create', 'update'])

/** A ticket appeared or changed (`updateUnread`: because something unread arrived, so lists move it to the top). */
export const TicketChanged = Type.Object({
  event: Type.Literal('ticket'),
  action: OneOf(['create', 'update', 'updateUnread']),
  version: Version,
  ticket: Ticket,
})
/** A colleague asks for a ticket; for whoever has it, or may give it. */
export const TicketAsked = Type.Object({
  event: Type.Literal('ticketAsked'),
  action: Type.Literal('create'),
  version: Version,
  ticketId: Id,
  contactName: Type.String(),
  user: UserBrief,
  at: Type.String(),
})
/** A ticket is gone: `deleted` for everybody, `hidden` for this audience only (moved to another queue or person). */
export const TicketGone = Type.Object({
  event: Type.Literal('ticket'),
  action: Type.Literal('delete'),
  version: Version,
  ticketId: Id,
  reason: OneOf(['deleted', 'hidden']),
})
export const MessageChanged = Type.Object({
  event: Type.Literal('appMessage'),
  action: ChangeAction,
  version: Version,
  message: Message,
})
export const MessageGone = Type.Object({
  event: Type.Literal('appMessage'),
  action: Type.Literal('delete'),
  version: Version,
  messageId: Id,
  ticketId: Id,
})
/** Administrators get the whole connection, everybody else the brief one. */
export const ConnectionChanged = Type.Object({
  event: Type.Literal('whatsapp'),
  action: ChangeAction,
  version: Version,
  whatsapp: Type.Union([Connection, ConnectionBrief]),
})
export const ConnectionGone = Type.Object({
  event: Type.Literal('whatsapp'),
  action: Type.Literal('delete'),
  version: Version,
  whatsappId: Id,
})
/** Status, QR code, pair code of a connection: administrators only. */
export const SessionChanged = Type.Object({
  event: Type.Literal('whatsappSession'),
  action: Type.Literal('update'),
  version: Version,
  session: Connection,
})
export const UserChanged = Type.Object({
  event: Type.Literal('user'),
  action: ChangeAction,
  version: Version,
  user: User,
})
export const UserGone = Type.Object({
  event: Type.Literal('user'),
  action: Type.Literal('delete'),
  version: Version,
  userId: Id,
})
export const ContactChanged = Type.Object({
  event: Type.Literal('contact'),
  action: ChangeAction,
  version: Version,
  contact: Contact,
})
/** `mergedInto`: the contact turned out to be the same person as another one. */
export const ContactGone = Type.Object({
  event: Type.Literal('contact'),
  action: Type.Literal('delete'),
  version: Version,
  contactId: Id,
  mergedInto: Nullable(Id),
})
export const QueueChanged = Type.Object({
  event: Type.Literal('queue'),
  action: ChangeAction,
  version: Version,
  queue: Queue,
})
export const QueueGone = Type.Object({
  event: Type.Literal('queue'),
  action: Type.Literal('delete'),
  version: Version,
  queueId: Id,
})
export const TagChanged = Type.Object({ event: Type.Literal('tag'), action: ChangeAction, version: Version, tag: Tag })
export const TagGone = Type.Object({
  event: Type.Literal('tag'),
  action: Type.Literal('delete'),
  version: Version,
  tagId: Id,
})
export const QuickAnswerChanged = Type.Object({
  event: Type.Literal('quickAnswer'),
  action: ChangeAction,
  version: Version,
  quickAnswer: QuickAnswer,
})
export const QuickAnswerGone = Type.Object({
  event: Type.Literal('quickAnswer'),
  action: Type.Literal('delete'),
  version: Version,
  quickAnswerId: Id,
})
/** A scheduled send appeared, changed or went; who shows them asks for them, and gets those the policy allows. */
export const ScheduleChanged = Type.Object({
  event: Type.Literal('agendamento'),
  action: OneOf(['create', 'update', 'delete']),
  version: Version,
  agendamentoId: Id,
})
export const SettingChanged = Type.Object({
  event: Type.Literal('settings'),
  action: Type.Literal('update'),
  version: Version,
  setting: Type.Object({ key: Type.String(), value: Type.String() }),
})

/** An internal chat appeared or changed; what is unread by whom stands at its members. */
export const ChatChanged = Type.Object({
  event: Type.Literal('chat'),
  action: ChangeAction,
  version: Version,
  chat: SharedChat,
})
/** For whom it reaches a chat is gone: they are no longer in it. */
export const ChatGone = Type.Object({
  event: Type.Literal('chat'),
  action: Type.Literal('delete'),
  version: Version,
  chatId: Id,
})
/** A message of an internal chat; a deleted one comes as an update, with nothing in it. */
export const ChatMessageChanged = Type.Object({
  event: Type.Literal('appMessageChat'),
  action: ChangeAction,
  version: Version,
  message: ChatMessage,
})
/** Something unread came into an internal chat: for everybody in it but the sender. */
export const ChatUnread = Type.Object({
  event: Type.Literal('ticketChat'),
  action: Type.Literal('updateUnread'),
  version: Version,
  chat: SharedChat,
})
/** Somebody has read a chat up to a message; `version` is the chat's. */
export const ChatRead = Type.Object({
  event: Type.Literal('unreadMessageChat'),
  action: Type.Literal('update'),
  version: Version,
  chatId: Id,
  userId: Id,
  unreadMessages: Type.Integer(),
  readSeq: Type.Integer(),
})

/** A protocol was generated or its details changed. */
export const ProtocolChanged = Type.Object({
  event: Type.Literal('protocolo'),
  action: ChangeAction,
  version: Version,
  protocolo: Protocol,
})

/** Long work began, went on or ended; for who started it. */
export const JobChanged = Type.Object({ event: Type.Literal('job'), action: ChangeAction, version: Version, job: Job })

export const LiveEvent = Type.Union([
  TicketChanged,
  TicketGone,
  TicketAsked,
  ProtocolChanged,
  JobChanged,
  MessageChanged,
  MessageGone,
  ConnectionChanged,
  ConnectionGone,
  SessionChanged,
  UserChanged,
  UserGone,
  ContactChanged,
  ContactGone,
  QueueChanged,
  QueueGone,
  TagChanged,
  TagGone,
  QuickAnswerChanged,
  QuickAnswerGone,
  ScheduleChanged,
  SettingChanged,
  ChatChanged,
  ChatGone,
  ChatMessageChanged,
  ChatUnread,
  ChatRead,
])
export type LiveEvent = Static<typeof LiveEvent>
export type LiveEventName = LiveEvent['event']
export type LiveEventOf<N extends LiveEventName> = Extract<LiveEvent, { event: N }>

/** Somebody who looks at a ticket; `writing`: has begun to answer the customer. */
export const Viewing = Type.Object({ ...UserBrief.properties, writing: Type.Boolean() })
export type Viewing = Static<typeof Viewing>

/** What happens now and is stored nowhere: who types, who looks, who is there. */
export const Volatile = Type.Union([
  Type.Object({
    kind: Type.Literal('typing'),
    ticketId: Id,
    by: OneOf(['contact', 'user']),
    user: Nullable(UserBrief),
    state: OneOf(['typing', 'recording', 'paused']),
  }),
  Type.Object({
    kind: Type.Literal('typingChat'),
    chatId: Id,
    user: UserBrief,
    state: OneOf(['typing', 'paused']),
  }),
  Type.Object({
    kind: Type.Literal('viewing'),
    /** Everything one may know; what was known before is void. */
    all: Type.Boolean(),
    tickets: Type.Array(Type.Object({ ticketId: Id, users: Type.Array(Viewing) })),
  }),
  Type.Object({ kind: Type.Literal('notice'), notice: Notice }),
  Type.Object({ kind: Type.Literal('presence'), userId: Id, status: OneOf(['online', 'away', 'offline']) }),
])
export type Volatile = Static<typeof Volatile>

/** Frames from the client. `cursor` null: a fresh start, nothing to catch up with. `page`: whether the tab is seen now; who sees one gets no web push. */
export const ClientFrame = Type.Union([
  Type.Object({ type: Type.Literal('hello'), cursor: Nullable(Type.String({ maxLength: 64 })) }),
  Type.Object({ type: Type.Literal('joinChatBox'), ticketId: Id }),
  Type.Object({ type: Type.Literal('leaveChatBox'), ticketId: Id }),
  Type.Object({ type: Type.Literal('joinChatBoxChat'), chatId: Id }),
  Type.Object({ type: Type.Literal('typingChat'), chatId: Id, state: OneOf(['typing', 'paused']) }),
  /** `idle`: connected, but nobody has touched the screen for a while. */
  Type.Object({ type: Type.Literal('user-heartbeat'), idle: Type.Optional(Type.Boolean()) }),
  Type.Object({ type: Type.Literal('page'), visible: Type.Boolean() }),
  /** Whether the line still stands: the server says the same back, at once. */
  Type.Object({ type: Type.Literal('pulse') }),
  Type.Object({ type: Type.Literal('typing'), ticketId: Id, state: OneOf(['typing', 'recording', 'paused']) }),
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
  Type.Object({ type: Type.Literal('volatile'), volatile: Volatile }),
  Type.Object({ type: Type.Literal('pulse') }),
  Type.Object({ type: Type.Literal('error'), error: Type.String(), message: Type.String() }),
])
export type ServerFrame = Static<typeof ServerFrame>
