import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { UserBrief } from '../users/user.ts'

export const ERASURE_STATES = ['waiting', 'running', 'done', 'undone', 'held'] as const
/** The contact was merged into another one, a protocol came and no reason was given, who asked is no administrator any more. */
export const ERASURE_HELD = ['merged', 'protocol', 'rights', 'restored'] as const

/** What came of an erasure so far. */
export const ErasureCounts = Type.Object({
  tickets: Type.Integer(),
  messages: Type.Integer(),
  files: Type.Integer(),
  /** Rows elsewhere that named the person. */
  places: Type.Integer(),
})
export type ErasureCounts = Static<typeof ErasureCounts>

/**
 * Somebody asked for a person to be erased (decisions-2 §19). `waiting`: it begins at `dueAt` and can be taken back until then;
 * `running`: nothing can be taken back any more; `held`: when it was due something spoke against it, it has to be asked for anew. `name` is null once it began.
 */
export const Erasure = Type.Object({
  id: Id,
  contactId: Id,
  name: Nullable(Type.String()),
  state: StringEnum(ERASURE_STATES),
  /** Why protocols did not keep it; empty where there were none. */
  reason: Type.String(),
  user: Nullable(UserBrief),
  askedAt: Instant,
  dueAt: Instant,
  endedAt: Nullable(Instant),
  /** Why it was held back. */
  held: Nullable(StringEnum(ERASURE_HELD)),
  counts: ErasureCounts,
})
export type Erasure = Static<typeof Erasure>

/** One person of the book, found by any name or number. */
export const PersonMatch = Type.Object({
  id: Id,
  name: Type.String(),
  number: Nullable(Type.String()),
  email: Type.String(),
  profilePicUrl: Nullable(Type.String()),
  createdAt: Instant,
  /** How many connections know it. */
  connections: Type.Integer(),
  /** When it will be erased, where that was asked. */
  dueAt: Nullable(Instant),
})
export type PersonMatch = Static<typeof PersonMatch>

/** What is held of a person, place by place. */
export const HeldData = Type.Object({
  person: PersonMatch,
  contact: Type.Object({
    names: Type.Integer({ description: 'names: its own, and those of contacts that were merged into it' }),
    numbers: Type.Array(Type.String(), { description: 'every number it was ever known by' }),
    others: Type.Integer({ description: 'further names the networks know it by' }),
    phoneBooks: Type.Integer({ description: 'entries in address books of paired phones' }),
    tags: Type.Integer(),
    information: Type.Integer(),
  }),
  conversations: Type.Object({
    tickets: Type.Integer(),
    live: Type.Integer(),
    messages: Type.Integer(),
    firstAt: Nullable(Instant),
    lastAt: Nullable(Instant),
  }),
  files: Type.Object({
    pictures: Type.Integer(),
    recordings: Type.Integer(),
    documents: Type.Integer(),
    bytes: Type.Integer(),
  }),
  groups: Type.Object({ messages: Type.Integer() }),
  protocols: Type.Object({ count: Type.Integer(), numbers: Type.Array(Type.String(), { description: 'the newest' }) }),
  ratings: Type.Object({ count: Type.Integer(), average: Nullable(Type.Number()) }),
  sends: Type.Object({
    received: Type.Integer(),
    listed: Type.Integer({ description: 'sends that it was on the list of and that did not reach it' }),
    scheduled: Type.Integer(),
  }),
  log: Type.Object({ entries: Type.Integer() }),
  backups: Type.Object({ count: Type.Integer({ description: 'that still hold it' }), oldestAt: Nullable(Instant) }),
  erasure: Nullable(Erasure),
  graceDays: Type.Integer({ description: 'how long it can be taken back, should it be asked for now' }),
})
export type HeldData = Static<typeof HeldData>
