import { Id, type Static, Type } from '../kit/schema.ts'

export const Tag = Type.Object({ id: Id, name: Type.String(), color: Type.String() })
export type Tag = Static<typeof Tag>

/** A tag as its own page shows it. */
export const TagRow = Type.Object({
  ...Tag.properties,
  contactsCount: Type.Integer({ description: 'how many contacts have it' }),
  version: Type.Integer(),
})
export type TagRow = Static<typeof TagRow>

/** How many contacts a tag tells by name, and takes as a list; who gives it to more does so on the page of contacts. */
export const MOST_TAGGED = 1000

/** A tag with its contacts, by name (spec 3 §3); of more than `MOST_TAGGED` the first ones. */
export const TagWithContacts = Type.Object({
  ...TagRow.properties,
  contacts: Type.Array(Type.Object({ id: Id, name: Type.String() })),
})
export type TagWithContacts = Static<typeof TagWithContacts>
