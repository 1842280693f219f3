// The form of a tag (spec 3 §5): what stands in it, and the body that is sent.
import type { TagRow } from '@balcao/contract'
import type { Pick } from '@balcao/ui/screens'

/** The colour of the specification (spec 3 §9). */
const FIRST_COLOR = '#7a7a7a'

export interface TagFields {
  readonly name: string
  readonly color: string
  readonly contacts: readonly Pick[]
}

/** `contacts`: who has the tag. */
export function toFields(tag: TagRow | null, contacts: readonly Pick[] = []): TagFields {
  return { name: tag?.name ?? '', color: tag?.color ?? FIRST_COLOR, contacts }
}

/**
 * What was changed of those who had it `before`: whoever got or lost it meanwhile is not touched. Null where they are too many to be chosen
 * here.
 */
export function toBody({ name, color, contacts }: TagFields, before: readonly Pick[] | null) {
  if (before === null) return { name, color }
  const [give, take] = [listMissingIds(contacts, before), listMissingIds(before, contacts)]
  return { name, color, ...(give.length > 0 && { give }), ...(take.length > 0 && { take }) }
}

function listMissingIds(some: readonly Pick[], others: readonly Pick[]): number[] {
  const known = new Set(others.map(({ id }) => id))
  return some.flatMap(({ id }) => (known.has(id) ? [] : [id]))
}
