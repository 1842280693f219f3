// The keys of the list while a conversation fills the window: the next customer, a new conversation, one row on or back, the search.
import { useActions } from '@balcao/ui/actions'
import { useCallback, useSyncExternalStore } from 'react'
import { getStores } from '../desk/stores.ts'
import { NEW_CONVERSATION } from '../new-ticket/NewConversation.tsx'
import { useNextAction } from './NextWaiting.tsx'
import { wishForSearch } from './search-wish.ts'
import { readListChoice, toListName } from './tabs.ts'
import { useStepping } from './use-stepping.ts'

interface ListKeysProps {
  readonly ticketId: number | null
  readonly onOpen: (ticketId: number | null) => void
}

export default function ListKeys({ ticketId, onOpen }: ListKeysProps) {
  const { tickets } = getStores()
  const filters = useSyncExternalStore(tickets.onFilters, () => tickets.filters)
  const { tab, sub } = readListChoice()
  const onSearch = useCallback(() => {
    wishForSearch()
    onOpen(null)
  }, [onOpen])
  useActions(NEW_CONVERSATION)
  useNextAction(filters, onOpen)
  useStepping({ list: toListName(tab, sub), isSearching: tab === 'search', ticketId, onOpen, onSearch })
  return null
}
