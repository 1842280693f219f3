import { view } from '../desk/view.ts'
import { type SearchResultRow, search } from './search-store.ts'

/** Opens what a row found; a message is scrolled to and blinks. */
export function openFound(row: SearchResultRow, open: (ticketId: number) => void) {
  search.at = row.key
  if (row.hit) {
    const { messageId, ticketId } = row.hit
    view.jumpTo = { messageId, ticketId, lane: ticketId, at: Date.now() }
  }
  open(row.ticketId)
}
