import type { Endpoint } from '../kit/endpoint.ts'
import { LIMITS } from '../kit/limits.ts'
import {
  ClientId,
  Cursor,
  changes,
  changesNote,
  Files,
  Id,
  IgnoredLog,
  Nullable,
  page,
  type Static,
  Type,
} from '../kit/schema.ts'
import { Choices } from './choices.ts'
import { ErrorLog, Message } from './message.ts'

/**
 * A page of a conversation, oldest first. `cursor` goes on: to older messages with the answer's `nextCursor`, to newer ones with its
 * `newerCursor` (null where the newest are in the page); `around` gives the page that holds one message, `unread` the page around the
 * first one of the ticket that is not read (`unreadFrom`), or the newest where all are; `at` the page around the first message of a day or an
 * instant, or of the next one after it, and where there is none the newest. `ahead` fetches what nobody has opened yet:
 * where it may not be seen (any more) nothing has failed, and the page says `refused`.
 */
export const MessagePage = Type.Object({
  messages: Type.Array(Message),
  ...page,
  newerCursor: Nullable(Type.String()),
  unreadFrom: Type.Optional(Id),
  refused: Type.Optional(Type.Literal(true)),
})

const PageQuery = Type.Object({
  pageNumber: Type.Optional(Type.Integer({ minimum: 1 })),
  cursor: Cursor,
  around: Type.Optional(Id),
  at: Type.Optional(Type.String({ maxLength: 30 })),
  unread: Type.Optional(Type.Boolean()),
  ahead: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.messagesMost })),
  ios: Type.Optional(Type.String({ maxLength: 10 })),
  userId: Type.Optional(Id),
})

/** A text to send. `--` in front makes it an internal comment, in which `@` and a name call the colleague who may see the ticket. `clientId` makes a repeat harmless: the same message comes back. */
export const NewMessage = Type.Object({
  body: Type.String({ maxLength: 65_536 }),
  read: Type.Optional(Type.Unknown()),
  fromMe: Type.Optional(Type.Unknown()),
  mediaUrl: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  quotedMsg: Type.Optional(Nullable(Type.Object({ id: Id }))),
  editedMsg: Type.Optional(Nullable(Type.Unknown())),
  userId: Type.Optional(Nullable(Id)),
  /** What the customer is to choose from: pressed where the kind has that, lines with numbers under the words elsewhere. */
  choices: Type.Optional(Choices),
  clientId: Type.Optional(Type.String({ maxLength: 64 })),
  mentions: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: LIMITS.mentions,
      description:
        'in a group, the members a text names, by their id in `GET /contact/group/{id}`; the text has `@` and the digits of each id',
    }),
  ),
  /** A file uploaded before by `PUT /uploads`. */
  uploadId: Type.Optional(Type.String({ maxLength: 64 })),
  voice: Type.Optional(Type.Boolean()),
  /** Of a voice note: its length, and its loudness over time as 0 to 100. */
  seconds: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400 })),
  waveform: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 100 }), { maxItems: 128 })),
})

/** Fields a client of the specification sends with files; the server knows them by the session. */
const Ignored = { fromMe: Type.Optional(Type.String()), userId: Type.Optional(Type.String()) }

/** The message that is edited, as it stands in the conversation; only its id counts. */
export const EditedMessage = Nullable(Type.Union([Type.Object({ id: Id }), Type.String({ maxLength: 65_536 })]))

/** Where forwarded messages did not go, which, and why: the code of a refusal with what it tells. */
export const ForwardRefusal = Type.Object({
  contactId: Id,
  messageIds: Type.Array(Id),
  name: Type.String(),
  error: Type.String(),
  details: Type.Optional(Type.Unknown()),
})

/** How far a message came and when, who sent it, and what it said before. Times are null where nobody told them. */
export const MessageInformation = Type.Object({
  message: Message,
  connection: Type.String(),
  queuedAt: Nullable(Type.String()),
  sentAt: Nullable(Type.String()),
  deliveredAt: Nullable(Type.String()),
  readAt: Nullable(Type.String()),
  /** Earlier texts, oldest first; `at` is when each was replaced, `by` who of the team did it. */
  edits: Type.Array(Type.Object({ body: Type.String(), at: Type.String(), by: Nullable(Type.String()) })),
  errorLog: Nullable(ErrorLog),
})
export type MessageInformation = Static<typeof MessageInformation>

const PAGE = {
  errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_MESSAGE_FOUND'],
  query: PageQuery,
  answer: MessagePage,
} as const

export const messageEndpoints = {
  'GET /messages/:ticketId': {
    scope: 'readMessages',
    ...PAGE,
    summary: 'A page of the conversation this ticket belongs to',
  },
  'GET /messages/changes': {
    scope: 'readMessages',
    summary:
      'Messages that changed since a cursor, out of the last 24 hours, as they are now; without a cursor one to begin with',
    description: changesNote,
    query: Type.Object({ cursor: Cursor }),
    answer: Type.Object({ messages: Type.Array(Message), ...changes }),
  },
  'GET /messages/ios/:ticketId': {
    ...PAGE,
    summary: 'As GET /messages/:ticketId, under the name the specification has for phones',
  },
  'POST /messages/:ticketId': {
    scope: 'send',
    summary: 'Send a text, a comment or an uploaded file (JSON), or files (multipart: medias, body, clientId)',
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_MESSAGE_FOUND',
      'ERR_NO_FILE_FOUND',
      'ERR_SENDING_WAPP_MSG',
      'ERR_WAPP_NOT_INITIALIZED',
      'ERR_WINDOW_CLOSED',
      'ERR_TEXT_TOO_LONG',
      'ERR_CREATING_MESSAGE',
      'ERR_FILE_TOO_LARGE',
      'ERR_FILE_TYPE',
      'ERR_NO_SPACE',
      'ERR_FETCH_GROUP',
    ],
    bodyKind: 'multipart',
    body: NewMessage,
    form: Type.Object({
      medias: Files,
      body: Type.Optional(Type.String()),
      clientId: Type.Optional(Type.String()),
      ...Ignored,
    }),
    answer: Type.Union([Message, Type.Array(Message)]),
    status: 201,
  },
  'PUT /messages/:ticketId': {
    scope: 'send',
    summary: 'Edit an own text, named by messageId, id or editedMsg',
    description: 'A program changes its own comments alone.',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_MESSAGE_FOUND', 'ERR_EDIT_WAPP_MSG', 'ERR_TEXT_TOO_LONG'],
    body: Type.Object({
      id: Type.Optional(Id),
      messageId: Type.Optional(Id),
      body: Type.String({ maxLength: 65_536 }),
      editedMsg: Type.Optional(EditedMessage),
    }),
    answer: Message,
  },
  'POST /messages/vcard/:ticketId': {
    summary: 'Send a contact as a card',
    errors: [
      'ERR_NO_TICKET_FOUND',
      'ERR_NO_CONTACT_FOUND',
      'ERR_WAPP_INVALID_CONTACT',
      'ERR_SENDING_WAPP_MSG',
      'ERR_WINDOW_CLOSED',
    ],
    body: Type.Object({ contactId: Id, clientId: ClientId }),
    answer: Message,
    status: 201,
  },
  'DELETE /messages/:id': {
    summary: 'Revoke an own message',
    errors: ['ERR_NO_MESSAGE_FOUND', 'ERR_DELETE_WAPP_MSG'],
    status: 204,
  },
  'POST /messages/retry/:id': {
    summary: 'Send a failed message again, under the same id',
    errors: ['ERR_NO_MESSAGE_FOUND', 'ERR_SENDING_WAPP_MSG', 'ERR_WINDOW_CLOSED'],
    answer: Message,
  },
  'POST /messages/react/:id': {
    summary: 'React with one emoji; empty takes it back',
    errors: ['ERR_NO_MESSAGE_FOUND', 'ERR_SENDING_WAPP_MSG'],
    body: Type.Object({ emoji: Type.String({ maxLength: 40 }) }),
    answer: Message,
  },
  'POST /messages/forward/:id': {
    summary:
      'Forward a message, or several in their order, to several contacts, each in the live ticket or a new one; `refused` says what did not go where',
    errors: ['ERR_NO_MESSAGE_FOUND', 'ERR_NO_CONTACT_FOUND', 'ERR_FORWARD_WAPP_MSG', 'ERR_TEXT_TOO_LONG'],
    body: Type.Object({
      contacts: Type.Array(Type.Union([Id, Type.Object({ id: Id })]), { minItems: 1, maxItems: 50 }),
      /** Messages that go after this one, in this order. */
      further: Type.Optional(Type.Array(Id, { maxItems: LIMITS.forwardedMost - 1 })),
      /** The same again gives the same messages. */
      clientId: Type.Optional(Type.String({ maxLength: 40 })),
      log: IgnoredLog,
    }),
    answer: Type.Object({ messages: Type.Array(Message), refused: Type.Array(ForwardRefusal) }),
    status: 201,
  },
  'GET /messages/info/:id': {
    summary: 'When a message was sent, delivered and read, who sent it, what it said before, why it failed',
    errors: ['ERR_NO_MESSAGE_FOUND'],
    answer: MessageInformation,
  },
  'POST /messages/download/:id': {
    summary: 'Fetch the file of a received message again',
    errors: ['ERR_NO_MESSAGE_FOUND', 'ERR_FETCH_WAPP_MSG', 'ERR_WAPP_DOWNLOAD_MEDIA', 'ERR_WAPP_DOWNLOAD_MEDIA_DENIED'],
    answer: Message,
    status: 202,
  },
  'GET /messages/search/:ticketId': {
    summary: 'Find messages in a conversation',
    errors: ['ERR_NO_TICKET_FOUND'],
    query: Type.Object({ messageToSearch: Type.String({ minLength: 1, maxLength: 200 }), userId: Type.Optional(Id) }),
    answer: Type.Object({ messages: Type.Array(Message) }),
  },
  'PUT /uploads': {
    scope: 'send',
    summary: 'Upload one file as the raw body; the answer is good for one message within 24 h',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_CHAT_FOUND', 'ERR_FILE_TOO_LARGE', 'ERR_FILE_TYPE', 'ERR_NO_SPACE'],
    bodyKind: 'raw',
    query: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 1000 }),
      ticketId: Type.Optional(Id),
      chatId: Type.Optional(Id),
      /** `true` for a recording: it is put into the form voice notes have. */
      voice: Type.Optional(Type.String({ maxLength: 5 })),
    }),
    answer: Type.Object({
      uploadId: Type.String(),
      name: Type.String(),
      mime: Type.String(),
      size: Type.Integer(),
      mediaType: Type.String(),
    }),
    status: 201,
  },
} as const satisfies Record<string, Endpoint>
