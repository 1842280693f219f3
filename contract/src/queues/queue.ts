import { Id, Nullable, type Static, Type } from '../kit/schema.ts'

export const QueueBrief = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
export type QueueBrief = Static<typeof QueueBrief>

/** Means no order of its own: after all others, by name. */
export const NO_ORDER = 999

/** Somebody of the team who takes turns in a queue. */
const QueueUser = Type.Object({ id: Id, name: Type.String(), profilePicUrl: Nullable(Type.String()) })

/**
 * A queue (team) that groups tickets and users. People belong to it by their own `queueIds`; `userIds`, and `queuesUser` with their
 * names, are those of them who take turns when idle tickets are given out, nobody meaning everybody (decisions §22).
 */
export const Queue = Type.Object({
  id: Id,
  name: Type.String(),
  color: Type.String(),
  customOrder: Type.Integer(),
  greetingMessage: Type.String(),
  firstAnswerMinutes: Nullable(Type.Integer({ description: 'working time until a person answers a new ticket' })),
  answerMinutes: Nullable(Type.Integer({ description: 'the same of every later answer' })),
  queuesUser: Type.Array(QueueUser),
  userIds: Type.Array(Id),
  users: Type.Integer({ description: 'active people in this queue' }),
  open: Type.Integer({ description: 'tickets in service' }),
  version: Type.Integer(),
})
export type Queue = Static<typeof Queue>

/** What `ERR_QUEUE_IN_USE` says: how many tickets that are not closed are in the queue, and in which status. */
export const QueueInUse = Type.Object({
  tickets: Type.Integer(),
  pending: Type.Integer(),
  open: Type.Integer(),
  paused: Type.Integer(),
  bot: Type.Integer(),
  nps: Type.Integer(),
})
export type QueueInUse = Static<typeof QueueInUse>
