import { Id, Instant, Nullable, type Static, Type } from '../kit/schema.ts'
import { Tag } from '../tags/tag.ts'
import { UserBrief } from '../users/user.ts'
import { Contact } from './contact.ts'

/**
 * What a merge of `other` into `contact` would do: how many of the other's things move, what the one that stays gets that it has not,
 * and how many live tickets are closed because both have one on a connection.
 */
export const MergePreview = Type.Object({
  contact: Contact,
  other: Contact,
  tickets: Type.Integer(),
  protocols: Type.Integer(),
  schedules: Type.Integer({ description: 'scheduled sends that name it' }),
  sends: Type.Integer({ description: 'sends it is waiting for' }),
  closes: Type.Integer(),
  numbers: Type.Array(Type.String()),
  tags: Type.Array(Tag),
  redirect: Contact.properties.redirect,
  extraInfo: Contact.properties.extraInfo,
})
export type MergePreview = Static<typeof MergePreview>

/** A merge that can be taken back until then. */
export const UndoableMerge = Type.Object({ id: Id, until: Instant })
export type UndoableMerge = Static<typeof UndoableMerge>

/**
 * Something that happened with a contact: what was done to it (an action of the log), its tickets opened and closed, ratings, protocols and
 * sends. `merge`: it can be taken back.
 */
export const ContactActivity = Type.Object({
  id: Type.String(),
  at: Instant,
  what: Type.String({
    description:
      'an action of the log that begins with contact, or ticket.opened, ticket.closed, rating, protocol, send.handed, send.excluded',
  }),
  ticketId: Nullable(Id),
  user: Nullable(UserBrief),
  params: Nullable(Type.Record(Type.String(), Type.Unknown())),
  other: Nullable(Type.Object({ id: Id, name: Type.String() }, { description: 'the other contact it is about' })),
  merge: Nullable(UndoableMerge),
})
export type ContactActivity = Static<typeof ContactActivity>
