import { ConnectionKind } from '../connections/connection.ts'
import { SEND_ERRORS } from '../errors.ts'
import { Id, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { MessageDetails } from './message-details.ts'

/**
 * Media types of a message (spec 1 §3), plus the cards that customers and companies send, `system` (a line about the ticket) and
 * `unknown` (shown as a card, never dropped). What each is to the desk stands in `message-kinds.ts`.
 */
export const MEDIA_TYPES = [
  'chat',
  'image',
  'audio',
  'video',
  'application',
  'sticker',
  'location',
  'vcard',
  'contact_array',
  'comment',
  'call_log',
  'template',
  'actions',
  'order',
  'product',
  'payment',
  'event',
  'poll',
  'form',
  'system',
  'unknown',
] as const
export const MediaType = StringEnum(MEDIA_TYPES)
export type MediaType = Static<typeof MediaType>

/** Neutral states. `received` is the customer's; the others are ours, in the order they may only grow, with two dead ends. */
export const MESSAGE_STATES = [
  'received',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
] as const
export const MessageState = StringEnum(MESSAGE_STATES)
export type MessageState = Static<typeof MessageState>

export const QuotedMessage = Type.Object({
  /** Null: the desk does not have the message, only what came along with its answer. */
  id: Nullable(Id),
  body: Type.String(),
  fromMe: Type.Boolean(),
  contact: Type.Object({ name: Type.String() }),
  isEdited: Type.Boolean(),
  editedMsg: Nullable(Type.String()),
  mediaUrl: Nullable(Type.String()),
  thumbUrl: Nullable(Type.String({ description: 'a small picture of it: a path, or a data: address' })),
  mediaType: MediaType,
  isDeleted: Type.Boolean(),
})
export type QuotedMessage = Static<typeof QuotedMessage>

export const Reaction = Type.Object({
  by: Type.String({ description: 'a name to show' }),
  fromMe: Type.Boolean(),
  emoji: Type.String(),
  person: Type.Optional(
    Type.String({ description: 'whose it is; names may be shared. Absent on ours and on old ones' }),
  ),
})
export type Reaction = Static<typeof Reaction>

/** A colleague whom a comment calls, by the name of now. */
export const Mention = Type.Object({ id: Id, name: Type.String() })
export type Mention = Static<typeof Mention>

/** Why a message did not go out: the provider's code and words, for developers, and `reason`, for people. */
export const ErrorLog = Type.Object({
  reason: Type.Optional(StringEnum(SEND_ERRORS)),
  code: Type.Union([Type.String(), Type.Integer()]),
  message: Type.String(),
  error_data: Type.Optional(Type.Object({ details: Type.String() })),
})
export type ErrorLog = Static<typeof ErrorLog>

/** What is known of a file. `state`: `pending` is still being fetched, `failed` can be asked for again, unless it was refused (`ERR_WAPP_DOWNLOAD_MEDIA_DENIED`). */
export const MediaInfo = Type.Object({
  state: StringEnum(['pending', 'ready', 'failed']),
  name: Type.String(),
  mime: Type.String(),
  size: Nullable(Type.Integer({ description: 'bytes' })),
  seconds: Nullable(Type.Number()),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  voice: Type.Boolean({ description: 'recorded as a voice note' }),
  waveform: Nullable(Type.Array(Type.Integer())),
  thumbUrl: Nullable(Type.String()),
  error: Nullable(Type.String({ description: 'why it failed, a code of the catalogue' })),
})
export type MediaInfo = Static<typeof MediaInfo>

/**
 * A message of a conversation. `createdAt` is the provider's time, by which messages are ordered; ties by `ticketId`, `seq`.
 * `ack` is the number of the connection's kind (spec 1 §4), `state` the neutral one our own client uses.
 * `clientId` is given back as the sender gave it, so an optimistic bubble finds its message.
 */
export const Message = Type.Object({
  id: Id,
  ticketId: Id,
  contactId: Id,
  seq: Type.Integer(),
  body: Type.String(),
  fromMe: Type.Boolean(),
  read: Type.Boolean(),
  mediaType: MediaType,
  mediaUrl: Nullable(Type.String()),
  media: Nullable(MediaInfo),
  createdAt: Type.String(),
  ack: Type.Integer(),
  state: MessageState,
  isDeleted: Type.Boolean(),
  isEdited: Type.Boolean(),
  editedMsg: Nullable(Type.String()),
  quotedMsg: Nullable(QuotedMessage),
  forward: Nullable(StringEnum(['true', 'frequently'])),
  userId: Nullable(Id),
  user: Nullable(
    Type.Object({
      id: Nullable(Type.Integer({ description: 'null: a program that acts as the company' })),
      name: Type.String(),
    }),
  ),
  contact: Type.Object(
    { id: Nullable(Id), name: Type.String() },
    { description: 'the author, for groups and received messages' },
  ),
  reactions: Type.Array(Reaction),
  mentions: Type.Optional(
    Type.Array(Mention, {
      description: 'the colleagues a comment calls by `@` and their name; absent where it calls nobody',
    }),
  ),
  errorLog: Nullable(ErrorLog),
  automatic: Type.Boolean({ description: 'the desk wrote it by itself: a greeting, a farewell, words at a transfer' }),
  templateData: Nullable(Type.Unknown()),
  details: Nullable(MessageDetails),
  system: Nullable(Type.Object({ code: Type.String(), params: Type.Record(Type.String(), Type.String()) })),
  transcription: Nullable(Type.String()),
  /** `pending` while a recording is being written out, `failed` when that did not work. */
  transcriptionState: Nullable(StringEnum(['pending', 'failed'])),
  clientId: Nullable(Type.String()),
  ticket: Type.Object({ whatsapp: Type.Object({ api: ConnectionKind }) }),
  version: Type.Integer(),
})
export type Message = Static<typeof Message>
