// J and K step through the list or what was found, / goes to the search.
import { useActions } from '@balcao/ui/actions'
import { ArrowDown, ArrowUp, Search } from 'lucide-react'
import { useMemo } from 'react'
import { listAction } from '../actions/list-action.ts'
import { findNeighbour } from '../desk/next.ts'
import { getStores } from '../desk/stores.ts'
import { view } from '../desk/view.ts'
import { openFound } from '../search/open-found.ts'
import { search, stepToRow, toResultRows } from '../search/search-store.ts'
import type { ListName } from '../tickets/is-in-list.ts'

interface SteppingOptions {
  /** Null where internal chats or what was searched for are shown. */
  readonly list: ListName | null
  readonly isSearching: boolean
  readonly ticketId: number | null
  readonly onOpen: (id: number) => void
  /** The same function as long as it does the same. */
  readonly onSearch: () => void
}

export function useStepping({ list, isSearching, ticketId, onOpen, onSearch }: SteppingOptions) {
  const actions = useMemo(() => {
    const step = (by: 1 | -1) => async () => {
      if (isSearching) {
        const row = search.found && stepToRow(toResultRows(search.found), search.at, ticketId, by)
        if (!row) return
        view.steppedTo = row.ticketId
        return openFound(row, onOpen)
      }
      if (!list) return
      const { tickets, shown } = getStores()
      const beside = () => findNeighbour(tickets.list(list).ids, ticketId, by, view.neighbours)
      if (shown.list !== list) {
        // The address led to the conversation before there was a list.
        shown.list = list
        await tickets.open(list)
      } else if (beside() === undefined && by === 1) await tickets.loadMore(list)
      // Who went somewhere else meanwhile stays there.
      if (getStores().shown.list !== list || getStores().shown.ticketId !== ticketId) return
      const next = beside()
      if (next === undefined) return
      view.steppedTo = next
      onOpen(next)
    }
    return [
      listAction('next', 'J', step(1), { icon: ArrowDown }),
      listAction('previous', 'K', step(-1), { icon: ArrowUp }),
      listAction('search', '/', onSearch, { icon: Search, labelKey: 'tickets:search.label' }),
    ]
  }, [list, isSearching, ticketId, onOpen, onSearch])
  useActions(actions)
}
