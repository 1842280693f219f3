// Where a queue stands in the list, and whether a search finds it: all of them are there, so the page searches by itself.
import type { Queue } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { byText, foundIn } from '@balcao/ui/rows'
import { type LiveRowMeans, type RowQuery, rowEvents } from '@balcao/ui/screens'

const byName = byText<Queue>(({ name }) => name)
const matches = foundIn<Queue>(({ name, greetingMessage }) => [name, greetingMessage])

/** The own order first, then by name. */
export function inOrder(one: Queue, other: Queue): number {
  return one.customOrder - other.customOrder || byName(one, other)
}

export const QUEUES: LiveRowMeans<Queue, RowQuery> = {
  start: { search: '' },
  order: inOrder,
  matches,
  async page(query, _cursor, signal) {
    const rows = (await api('GET /queue', { signal })).filter(row => matches(row, query)).sort(inOrder)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: rowEvents('queue'),
}
