// What a search finds: at least 3 characters, half a second after the last key, at most 50 (spec 1 §2).
import { LIMITS } from '@balcao/contract/limits'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { EmptyState, ErrorState, RowSkeletons } from '@balcao/ui/parts'
import { Search } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { desk } from '../desk/desk.ts'
import { server } from '../server.ts'
import type { ListFilters } from '../tickets/belongs-to.ts'
import { ROW_HEIGHT } from './TicketList.tsx'
import { TicketRow } from './TicketRow.tsx'
import { VirtualList } from './VirtualList.tsx'

interface SearchResultsProps {
  readonly search: string
  readonly filters: ListFilters
  readonly selectedId: number | null
  readonly showConnection: boolean
  readonly onOpen: (id: number) => void
}

interface Found {
  readonly for: string
  readonly ids: readonly number[]
  readonly error: unknown
}

export function SearchResults({ search, filters, selectedId, showConnection, onOpen }: SearchResultsProps) {
  const t = useTexts('tickets')
  const [again, setAgain] = useState(0)
  const found = useFound(search, filters, again)
  const row = useCallback((id: number) => <TicketRow id={id} showConnection={showConnection} />, [showConnection])
  const nothing = useCallback(() => undefined, [])
  if (search.length < LIMITS.searchMinimum)
    return <EmptyState icon={Search} title={t('search.short')} text={t('search.shortText')} />
  if (!found) return <RowSkeletons rows={4} />
  if (found.error)
    return <ErrorState title={t('search.failed')} text={errorText(found.error)} onRetry={() => setAgain(again + 1)} />
  if (found.ids.length === 0)
    return <EmptyState icon={Search} title={t('search.none', { text: search })} text={t('search.noneText')} />
  return (
    <VirtualList
      ids={found.ids}
      rowHeight={ROW_HEIGHT}
      selectedId={selectedId}
      label={t('search.results')}
      renderRow={row}
      onOpen={onOpen}
      onNearEnd={nothing}
      resetKey={found.for}
      footer={<p className="t-foot">{found.ids.length >= LIMITS.searchResults ? t('search.most') : t('list.end')}</p>}
    />
  )
}

/** The answer to this search, or null while it is on its way. */
function useFound(search: string, filters: ListFilters, again: number): Found | null {
  const [found, setFound] = useState<Found | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` asks once more
  useEffect(() => {
    if (search.length < LIMITS.searchMinimum) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const tickets = await server.search(search, { ...filters, showAll: true }, stop.signal)
        for (const ticket of tickets) desk().tickets.take(ticket)
        setFound({ for: search, ids: tickets.map(ticket => ticket.id), error: null })
      } catch (error) {
        if (!stop.signal.aborted) setFound({ for: search, ids: [], error })
      }
    }, LIMITS.searchDebounceMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [search, filters, again])
  return found?.for === search ? found : null
}
