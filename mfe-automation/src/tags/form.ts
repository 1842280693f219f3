// The form of a tag (spec 3 §5): what stands in it, and the body that is sent.
import type { TagRow } from '@balcao/contract'
import type { Pick } from '@balcao/ui/screens'

/** The colour of the specification (spec 3 §9). */
const FIRST_COLOR = '#7a7a7a'

export interface Fields {
  readonly name: string
  readonly color: string
  readonly contacts: readonly Pick[]
}

/** `contacts`: who has the tag. */
export function fieldsOf(tag: TagRow | null, contacts: readonly Pick[] = []): Fields {
  return { name: tag?.name ?? '', color: tag?.color ?? FIRST_COLOR, contacts }
}

/** Contacts go along only where others were chosen than `before`; null where they are too many to be chosen here. */
export function bodyOf({ name, color, contacts }: Fields, before: readonly Pick[] | null) {
  const ids = contacts.map(({ id }) => id)
  const known = new Set(before?.map(({ id }) => id))
  const isSame = before === null || (ids.length === known.size && ids.every(id => known.has(id)))
  return { name, color, ...(!isSame && { contacts: ids }) }
}
