// Where a quick answer stands in the list, and whether a search finds it: as the server says it.
import type { QuickAnswer } from '@balcao/contract'
import { withoutAccents } from '@balcao/contract/validation'

export function byShortcut(one: QuickAnswer, other: QuickAnswer) {
  return one.shortcut.localeCompare(other.shortcut, 'pt-BR') || one.id - other.id
}

/** In shortcut or message, whatever the accents and case. */
export function matches(row: Pick<QuickAnswer, 'shortcut' | 'message'>, { search }: { readonly search: string }) {
  const wanted = plain(search.trim().replace(/^\//, ''))
  return plain(row.shortcut).includes(wanted) || plain(row.message).includes(wanted)
}

function plain(text: string) {
  return withoutAccents(text).toLowerCase()
}
