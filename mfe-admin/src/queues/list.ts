// Where a queue stands in the list, and whether a search finds it: all of them are there, so the page searches by itself.
import type { Queue } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { compareByText, makeTextMatcher } from '@balcao/ui/rows'
import { type LiveRowOptions, type RowQuery, subscribeToRows } from '@balcao/ui/screens'

const byName = compareByText<Queue>(({ name }) => name)
const matches = makeTextMatcher<Queue>(({ name, greetingMessage }) => [name, greetingMessage])

/** The own order first, then by name. */
export function compareQueues(one: Queue, other: Queue): number {
  return one.customOrder - other.customOrder || byName(one, other)
}

export const QUEUES: LiveRowOptions<Queue, RowQuery> = {
  start: { search: '' },
  order: compareQueues,
  matches,
  async page(query, _cursor, signal) {
    const rows = (await api('GET /queue', { signal })).filter(row => matches(row, query)).sort(compareQueues)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: subscribeToRows('queue'),
}
