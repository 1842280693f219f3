import type { RowQuery, useSelection } from '@balcao/ui/screens'
import { getSearchText } from './list.ts'

/** Contacts that something is done to: these, or all that a search finds; and how many they are, where that is known. */
export interface ContactSelection {
  readonly chosen: { readonly ids: number[] } | { readonly searchParam: string }
  readonly count: number | null
}

/** What is sent of a choice. All that a list shows is all it was asked for: everybody, where what is typed is too short to be searched. */
export function toChosen(
  { all, ids }: Pick<ReturnType<typeof useSelection>, 'all' | 'ids'>,
  { search }: RowQuery,
): ContactSelection['chosen'] {
  return all ? { searchParam: getSearchText(search) ?? '' } : { ids: [...ids] }
}
