// The tickets the bot has as a live list of rows.
import type { Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import type { LiveRowMeans } from '@balcao/ui/screens'
import { type BotQuery, changeOf, matches, newestFirst } from './list.ts'

export const BOT_TICKETS: LiveRowMeans<Ticket, BotQuery> = {
  start: { search: '', queueId: null },
  order: newestFirst,
  matches,
  async page(query, _cursor, signal) {
    const rows = (await api('GET /ticket2', { signal })).filter(row => matches(row, query)).sort(newestFirst)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: take => live.on('ticket', event => take(changeOf(event))),
}
