import { Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { ConnectionStatus, ConnectionTrouble } from './connection.ts'
import { ConnectionNews } from './connection-news.ts'

const { reason, next } = ConnectionTrouble.properties

/** What is known against a version of a library; its words are the reader's language's. */
export const LIBRARY_FAULTS = ['no_hidden_ids', 'old_web', 'graph_ended'] as const
export type LibraryFault = (typeof LIBRARY_FAULTS)[number]

/** How a connection is doing, and was in the last seven days (decisions-2 §17, §22). */
export const ConnectionHealth = Type.Object({
  status: ConnectionStatus,
  since: Instant,
  reason: Nullable(reason),
  code: Nullable(Type.String({ description: "provider's code, for example 428 or 190" })),
  /** What comes next by itself (`retry`, at) or who must act; `attempt`: failed ones in a row. */
  next: Type.Object({ action: next, at: Nullable(Type.String()), attempt: Type.Integer() }),
  lastIn: Nullable(Type.String()),
  lastOut: Nullable(Type.String()),
  waiting: Type.Integer({ description: 'messages that go out when it is back' }),
  unsure: Type.Integer({ description: 'messages of which nobody knows whether they went out' }),
  lagSeconds: Type.Integer({ description: 'how long the oldest of those that wait has waited' }),
  restarts24h: Type.Integer(),
  limits: Type.Array(ConnectionNews, { description: 'what the provider told of limits and quality, newest first' }),
  battery: Nullable(Type.Integer()),
  webhook: Type.Object({ lastAt: Nullable(Type.String()), refused24h: Type.Integer() }),
  library: Type.Object({
    name: Type.String(),
    version: Nullable(Type.String()),
    known: Nullable(StringEnum(LIBRARY_FAULTS)),
  }),
  /** Oldest first; the first may be older than seven days: how it stood when they began. */
  timeline: Type.Array(Type.Object({ at: Instant, status: ConnectionStatus, reason: Nullable(Type.String()) })),
  /** Live conversations that depend on it. */
  liveTickets: Type.Integer(),
  ignoredGroups24h: Type.Integer({
    description: 'messages of groups that were not taken in (setting CheckMsgIsGroup)',
  }),
  checkedAt: Instant,
})
export type ConnectionHealth = Static<typeof ConnectionHealth>
