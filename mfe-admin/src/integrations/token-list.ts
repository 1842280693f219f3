// Where a token stands in the list, and whether a search finds it: all of them are there, so the page searches by itself.
import type { ApiToken } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { compareByText, makeTextMatcher } from '@balcao/ui/rows'
import { type LiveRowOptions, type RowQuery, subscribeToRows } from '@balcao/ui/screens'

const compareTokens = compareByText<ApiToken>(({ name }) => name)
const matches = makeTextMatcher<ApiToken>(({ name, user }) => [name, user?.name ?? ''])

export const TOKENS: LiveRowOptions<ApiToken, RowQuery> = {
  start: { search: '' },
  order: compareTokens,
  matches,
  async page(query, _cursor, signal) {
    const all = await api('GET /integrations/tokens', { signal })
    const rows = all.filter(row => matches(row, query)).sort(compareTokens)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: subscribeToRows('apiToken'),
}
