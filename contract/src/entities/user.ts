import { Id, Nullable, OneOf, type Static, Type } from '../schema.ts'
import { QueueBrief } from './queue.ts'

/** The three profiles (spec 1 §6): `gerente` is a manager, `user` an attendant. */
export const PROFILES = ['admin', 'gerente', 'user'] as const
export const Profile = OneOf(PROFILES)
export type Profile = Static<typeof Profile>

export const Presence = OneOf(['online', 'away', 'offline'])
export type Presence = Static<typeof Presence>

export const UserBrief = Type.Object({ id: Id, name: Type.String(), profilePicUrl: Nullable(Type.String()) })
export type UserBrief = Static<typeof UserBrief>

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
  version: Type.Integer(),
})
export type User = Static<typeof User>
