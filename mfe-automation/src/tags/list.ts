// Where a tag stands in the list, and whether a search finds it: all of them are there, so the page searches by itself.
import type { TagRow } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { byText, foundIn } from '@balcao/ui/rows'
import { type LiveRowMeans, type RowQuery, rowEvents } from '@balcao/ui/screens'

export const byName = byText<TagRow>(({ name }) => name)
export const matches = foundIn<TagRow>(({ name }) => [name])

export const TAGS: LiveRowMeans<TagRow, RowQuery> = {
  start: { search: '' },
  order: byName,
  matches,
  async page(query, _cursor, signal) {
    const rows = (await api('GET /tag', { signal })).filter(row => matches(row, query)).sort(byName)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: rowEvents('tag'),
}
