// Where J and K go on from a conversation that has left its list: it was resolved, paused, handed over or deleted.
import { getStores } from './stores.ts'
import { type Neighbours, view } from './view.ts'

/** Called before a conversation may leave the list it stands in. */
export function keepNeighbours(ticketId: number) {
  const ids = listShownIds()
  const at = ids.indexOf(ticketId)
  if (at !== -1) view.neighbours = { of: ticketId, above: ids[at - 1], below: ids[at + 1] }
}

/** The conversation to go on with once this one has left its list by what was done here; none in an empty list. */
export function findNextTicket(ticketId: number): number | undefined {
  const { neighbours } = view
  return neighbours?.of === ticketId ? findNeighbour(listShownIds(), ticketId, 1, neighbours) : undefined
}

function listShownIds(): readonly number[] {
  const { tickets, shown } = getStores()
  return shown.list ? tickets.list(shown.list).ids : []
}

/** The row one step from `ticketId` in `ids`; from one that has left the list, the one that stood there. */
export function findNeighbour(
  ids: readonly number[],
  ticketId: number | null,
  by: 1 | -1,
  neighbours: Neighbours | null,
): number | undefined {
  const at = ticketId === null ? -1 : ids.indexOf(ticketId)
  if (at !== -1) return ids[at + by]
  const left =
    neighbours !== null && (ticketId === null || neighbours.of === ticketId) ? [neighbours.below, neighbours.above] : []
  const there = (by === 1 ? left : left.toReversed()).find(id => id !== undefined && ids.includes(id))
  return there ?? ids[0]
}
