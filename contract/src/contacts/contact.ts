import { Id, Nullable, type Static, Type } from '../kit/schema.ts'
import { Tag } from '../tags/tag.ts'

/** A contact as a list of chosen ones names it. */
export const NamedContact = Type.Object({ id: Id, name: Type.String(), number: Nullable(Type.String()) })

/** A contact as rows of other things show it. */
export const ContactReference = Type.Object({
  ...NamedContact.properties,
  profilePicUrl: Nullable(Type.String()),
})

export const ContactBrief = Type.Object({
  ...ContactReference.properties,
  isGroup: Type.Boolean(),
  tags: Type.Array(Tag),
})
export type ContactBrief = Static<typeof ContactBrief>

/** A customer or a group. `numbers` are all numbers it was ever known by, so an old number stays findable. */
export const Contact = Type.Object({
  ...ContactBrief.properties,
  email: Type.String(),
  respostaAutomatica: Type.Boolean(),
  numbers: Type.Array(Type.String()),
  extraInfo: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  redirect: Type.Array(Type.Object({ queueId: Id, userId: Id }), {
    description: 'to whom it goes by itself in a queue',
  }),
  queueIds: Type.Array(Id, { description: 'the queues of `redirect`' }),
  userIds: Type.Array(Id, { description: 'the people of `redirect`, each once' }),
  optedOutAt: Nullable(Type.String({ description: 'since when it takes no mass or scheduled sends' })),
  createdAt: Type.String(),
  version: Type.Integer(),
})
export type Contact = Static<typeof Contact>
