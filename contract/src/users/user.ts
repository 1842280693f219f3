import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { QueueBrief } from '../queues/queue.ts'

/** The three profiles (spec 1 §6): `gerente` is a manager, `user` an attendant. */
export const PROFILES = ['admin', 'gerente', 'user'] as const
export const Profile = StringEnum(PROFILES)
export type Profile = Static<typeof Profile>

export const Presence = StringEnum(['online', 'away', 'offline'])
export type Presence = Static<typeof Presence>

export const UserBrief = Type.Object({ id: Id, name: Type.String(), profilePicUrl: Nullable(Type.String()) })
export type UserBrief = Static<typeof UserBrief>

/**
 * Who takes a person's tickets of a queue while the person is inactive (decisions-2 §8): `name` is the queue's id and `value` the
 * substitute's, as the specification writes them. `transfer`: live tickets go along at the deactivation; otherwise they wait again.
 */
export const Substitution = Type.Object({ name: Id, value: Id, transfer: Type.Boolean() })
export type Substitution = Static<typeof Substitution>

/** A member of the team. `email` is in the wire format of `wire-secret` (spec decisions §2). */
export const User = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  profile: Profile,
  active: Type.Boolean(),
  status: Presence,
  startTime: Type.String(),
  endTime: Type.String(),
  weekdays: Type.Boolean(),
  saturday: Type.Boolean(),
  sunday: Type.Boolean(),
  holidays: Type.Boolean(),
  addContact: Type.Boolean(),
  editContact: Type.Boolean(),
  delContact: Type.Boolean(),
  whatsappId: Nullable(Id),
  queues: Type.Array(QueueBrief),
  queueIds: Type.Array(Id),
  profilePicUrl: Nullable(Type.String()),
  mustChangePassword: Type.Boolean(),
  /** At most one a queue; only administrators are told. */
  substitution: Type.Array(Substitution),
  /** Signed up by themselves and was not let in yet. */
  awaitingApproval: Type.Boolean(),
  version: Type.Integer(),
})
export type User = Static<typeof User>

/** What the form of a person shows besides; only administrators are told. */
export const UserDetails = Type.Object({
  ...User.properties,
  createdAt: Nullable(Instant),
  lastSeenAt: Nullable(Instant),
  /** Live tickets the person has, by queue. */
  liveTickets: Type.Array(Type.Object({ queueId: Nullable(Id), tickets: Type.Integer() })),
})
export type UserDetails = Static<typeof UserDetails>
