// The tickets the bot has as a live list of rows.
import type { Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import type { LiveRowOptions } from '@balcao/ui/screens'
import { type BotQuery, compareLatestFirst, isBotTicketMatch, toBotRowChange } from './list.ts'

export const BOT_TICKETS: LiveRowOptions<Ticket, BotQuery> = {
  start: { search: '', queueId: null },
  order: compareLatestFirst,
  matches: isBotTicketMatch,
  async page(query, _cursor, signal) {
    const rows = (await api('GET /ticket2', { signal }))
      .filter(row => isBotTicketMatch(row, query))
      .sort(compareLatestFirst)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: take => live.on('ticket', event => take(toBotRowChange(event))),
}
