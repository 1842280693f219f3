// Where a tag stands in the list, and whether a search finds it: all of them are there, so the page searches by itself.
import type { TagRow } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { compareByText, makeTextMatcher } from '@balcao/ui/rows'
import { type LiveRowOptions, type RowQuery, subscribeToRows } from '@balcao/ui/screens'

export const compareByName = compareByText<TagRow>(({ name }) => name)
export const isTagMatch = makeTextMatcher<TagRow>(({ name }) => [name])

export const TAGS: LiveRowOptions<TagRow, RowQuery> = {
  start: { search: '' },
  order: compareByName,
  matches: isTagMatch,
  async page(query, _cursor, signal) {
    const rows = (await api('GET /tag', { signal })).filter(row => isTagMatch(row, query)).sort(compareByName)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: subscribeToRows('tag'),
}
