// Where a webhook stands in the list, and whether a search finds it: all of them are there, so the page searches by itself.
import type { Webhook } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { compareByText, makeTextMatcher } from '@balcao/ui/rows'
import { type LiveRowOptions, type RowQuery, subscribeToRows } from '@balcao/ui/screens'

const compareWebhooks = compareByText<Webhook>(({ name }) => name)
const matches = makeTextMatcher<Webhook>(({ name, address }) => [name, address])

export const WEBHOOKS: LiveRowOptions<Webhook, RowQuery> = {
  start: { search: '' },
  order: compareWebhooks,
  matches,
  async page(query, _cursor, signal) {
    const rows = (await api('GET /integrations', { signal })).filter(row => matches(row, query)).sort(compareWebhooks)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: subscribeToRows('webhook'),
}
