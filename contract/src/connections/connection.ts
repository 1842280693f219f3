import { Id, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { QueueBrief } from '../queues/queue.ts'
import { ConnectionNews } from './connection-news.ts'
import { KINDS } from './kind-names.ts'

export const ConnectionKind = StringEnum(KINDS)

/** Connection statuses (spec 2 §4). */
export const CONNECTION_STATUSES = [
  'DISCONNECTED',
  'OPENING',
  'qrcode',
  'LOGGEDOUT',
  'CONNECTED',
  'TIMEOUT',
  'PAIRING',
] as const
export const ConnectionStatus = StringEnum(CONNECTION_STATUSES)
export type ConnectionStatus = Static<typeof ConnectionStatus>

export const ConnectionBrief = Type.Object({
  id: Id,
  name: Type.String(),
  api: ConnectionKind,
  status: ConnectionStatus,
  /** In lists of connections only. */
  isDefault: Type.Optional(Type.Boolean()),
  /** Since when nothing goes out; null while it is connected, or where nobody knows. In lists of connections only. */
  downSince: Type.Optional(Nullable(Type.String())),
  /** Its tickets with the bot have a flow of Typebot's in place of the questions. In lists of connections only. */
  hasFlow: Type.Optional(Type.Boolean()),
  /** In lists of connections only. */
  queueIds: Type.Optional(Type.Array(Id)),
})
export type ConnectionBrief = Static<typeof ConnectionBrief>

/** What a kind of connection can do; the client shows nothing the connection cannot. */
export const Capabilities = Type.Object({
  pair: Type.Array(StringEnum(['qr', 'code', 'token'])),
  qrTtlMs: Type.Integer(),
  /** The newest code is given to who asks for it, worth asking this often in ms; 0: it comes by itself. */
  qrAskMs: Type.Integer(),
  edit: Type.Union([Type.Literal(false), Type.Object({ windowMin: Type.Integer() })]),
  revoke: Type.Boolean(),
  react: Type.Boolean(),
  groups: Type.Boolean(),
  /** The pictures of customers are fetched. */
  profile: Type.Boolean(),
  /** It tells that a customer is writing. */
  typing: Type.Boolean(),
  check: Type.Boolean(),
  contactsSync: Type.Boolean(),
  calls: Type.Boolean(),
  templates: Type.Boolean(),
  /** What is offered to choose from is pressed; elsewhere it stands in lines with numbers. */
  menus: Type.Boolean(),
  /** Free words are taken only within 24 hours after the customer wrote; templates always. */
  window24h: Type.Boolean(),
  /** The provider posts to an address of ours, which somebody enters there. */
  webhook: Type.Boolean(),
  /** A lost connection is taken up again as it was paired; a new code is no way back. */
  reconnect: Type.Boolean(),
  /** Whether sending a message again under the same id is harmless (never doubled at the customer). */
  resendSafe: Type.Boolean(),
  maxBytes: Type.Object({
    image: Type.Integer(),
    audio: Type.Integer(),
    video: Type.Integer(),
    application: Type.Integer(),
    sticker: Type.Integer(),
  }),
})
export type Capabilities = Static<typeof Capabilities>

export const TROUBLE_REASONS = [
  'network',
  'restart',
  'server',
  'qr_not_read',
  'logged_out',
  'banned',
  'client_too_old',
  'replaced',
  'multi_device_off',
  'bad_session',
  'token_refused',
  'token_unreadable',
  'number_missing',
  'browser',
  'no_browser',
  'gateway_unset',
  'gateway_down',
  'gateway_refused',
  'gateway_odd',
  'restored',
  'other',
] as const

/** Why a connection is not connected, and what happens next. `code` is the provider's, `next` says who must act. */
export const ConnectionTrouble = Type.Object({
  code: Type.String({ description: "provider's code, for example 428 or 190" }),
  reason: StringEnum(TROUBLE_REASONS),
  since: Type.String(),
  attempt: Type.Integer(),
  nextTryAt: Nullable(Type.String()),
  next: StringEnum(['retry', 'read_qr', 'new_token', 'ask_support', 'confirm', 'none']),
})
export type ConnectionTrouble = Static<typeof ConnectionTrouble>

/** A WhatsApp connection. `tokenMeta` never leaves the server; `hasToken` says that there is one. */
export const Connection = Type.Object({
  id: Id,
  name: Type.String(),
  isDefault: Type.Boolean(),
  nps: Type.Boolean(),
  api: ConnectionKind,
  status: ConnectionStatus,
  battery: Nullable(Type.Integer()),
  number: Nullable(Type.String()),
  qrcode: Nullable(Type.String({ description: 'text of the newest QR code, for admins while pairing' })),
  qrExpiresAt: Nullable(Type.String()),
  pairCode: Nullable(Type.String()),
  retries: Type.Integer(),
  trouble: Nullable(ConnectionTrouble),
  waiting: Type.Integer({ description: 'messages waiting in the outbox' }),
  lastMessageAt: Nullable(Type.String()),
  dailyCap: Nullable(Type.Integer({ description: 'messages of sends in a day; null: as the setting says' })),
  news: Type.Array(ConnectionNews, { description: 'what the provider tells of the account, newest first' }),
  newsSeenAt: Nullable(Type.String({ description: 'until when an administrator has seen them' })),
  updatedAt: Type.String(),
  queues: Type.Array(QueueBrief),
  queueIds: Type.Array(Id),
  greetingMessage: Type.String(),
  greetingBotMessage: Type.String(),
  greetingMessageRedirect: Type.String(),
  farewellMessage: Type.String(),
  npsMessage: Type.String(),
  npsTksMessage: Type.String(),
  metaIntegration: Type.Boolean(),
  phoneNumberId: Type.String(),
  wabaId: Type.String(),
  hasToken: Type.Boolean(),
  publicDNSTypebot: Type.String(),
  publicIDTypebot: Type.String(),
  webhookUrl: Nullable(Type.String()),
  capabilities: Capabilities,
  version: Type.Integer(),
})
export type Connection = Static<typeof Connection>
