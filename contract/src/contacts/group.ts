import { Id, Nullable, type Static, Type } from '../kit/schema.ts'

/**
 * Somebody in a group. `id` is the provider's address; `contactId` the contact it is known as here, if it is; `number` is null
 * where the group hides it. `isMe`: the connection itself.
 */
export const GroupParticipant = Type.Object({
  id: Type.String(),
  name: Type.String(),
  number: Nullable(Type.String()),
  contactId: Nullable(Id),
  profilePicUrl: Nullable(Type.String()),
  isAdmin: Type.Boolean(),
  isMe: Type.Boolean(),
})
export type GroupParticipant = Static<typeof GroupParticipant>

/** What the provider tells of a group (spec 1 §3 "Group info"). */
export const GroupInfo = Type.Object({
  subject: Type.String(),
  desc: Type.String(),
  participants: Type.Array(GroupParticipant),
})
export type GroupInfo = Static<typeof GroupInfo>
