// The tab Search: filters, then what was found (spec 1 §2).
import { parseSearchWords } from '@balcao/contract/kit/search'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState, ErrorState, RowSkeletons, useSkeleton } from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { FunnelX, Search, SlidersHorizontal, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import { FoundList } from './FoundList.tsx'
import { openFound } from './open-found.ts'
import { SearchChips } from './SearchChips.tsx'
import { SearchFilters } from './SearchFilters.tsx'
import { useSearchFieldKeys } from './search-field.ts'
import { checkSearch, clearFilters, readPeriod, toSearchKey } from './search-request.ts'
import {
  ask,
  countSearchFilters,
  NOTHING,
  type SearchRequest,
  type SearchResult,
  search,
  toResultRows,
} from './search-store.ts'
import './texts.ts'
import { useFound } from './use-found.ts'

interface SearchPaneProps {
  readonly selectedId: number | null
  readonly showConnection: boolean
  readonly onOpen: (ticketId: number) => void
}

export default function SearchPane(props: SearchPaneProps) {
  const { asked, panel } = useSnapshot(search)
  const timezone = useSetting('timezone')
  const request = readPeriod(asked, timezone)
  return (
    <>
      <SearchChips request={request} />
      <SearchFilters request={asked} open={panel} />
      <Results request={request} isNarrowing={panel} {...props} />
    </>
  )
}

interface ResultsProps extends SearchPaneProps {
  readonly request: SearchRequest
  /** The filters are open. */
  readonly isNarrowing: boolean
}

function Results({ request, isNarrowing, ...props }: ResultsProps) {
  const t = useTexts('tickets')
  const { found, again } = useFound(request)
  useFirstByEnter(request, found, props.onOpen)
  const ready = checkSearch(request)
  const skeleton = useSkeleton(ready === 'ready' && !found)
  const text = [request.text, request.message, request.contact].map(each => each.trim()).find(each => each !== '')
  if (ready === 'nothing')
    return (
      <EmptyState icon={Search} title={t('search.start')} text={!isNarrowing && t('search.startText')}>
        {!isNarrowing && (
          <Button icon={SlidersHorizontal} onClick={openFilters}>
            {t('search.narrowBy')}
          </Button>
        )}
      </EmptyState>
    )
  if (ready === 'short') return <EmptyState icon={Search} title={t('search.short')} text={t('search.shortText')} />
  if (!found) return skeleton ? <RowSkeletons rows={4} /> : null
  if (found.error) return <ErrorState title={t('search.failed')} text={describeError(found.error)} onRetry={again} />
  if (found.tickets.length === 0 && found.hits.length === 0 && !found.next)
    return (
      <EmptyState
        icon={Search}
        title={text ? t('search.none', { text }) : t('search.noneFiltered')}
        text={t(countSearchFilters(request) > 0 ? 'search.noneNarrow' : 'search.noneText')}
      >
        {countSearchFilters(search.asked) > 0 ? (
          <Button icon={FunnelX} onClick={() => leave(clearFilters)}>
            {t('search.clearAll')}
          </Button>
        ) : (
          <Button icon={X} onClick={() => leave(() => ask(NOTHING))}>
            {t('search.clearText')}
          </Button>
        )}
      </EmptyState>
    )
  const words = parseSearchWords(request.message.trim() || request.text.trim())
  return <FoundList key={found.key} request={request} found={found} words={words} {...props} />
}

function openFilters() {
  document.querySelector<HTMLElement>('.f-toggle')?.focus()
  search.panel = true
}

/** The button goes with its press: who pressed it writes on. */
function leave(change: () => void) {
  document.querySelector<HTMLElement>('.t-search input')?.focus()
  change()
}

/** Enter in the field opens the first that is found, also where that is on its way still; other letters want something else. */
function useFirstByEnter(request: SearchRequest, found: SearchResult | null, onOpen: (ticketId: number) => void) {
  const [wanted, setWanted] = useState<string | null>(null)
  const key = toSearchKey(request)
  useSearchFieldKeys(() => setWanted(checkSearch(request) === 'ready' ? key : null))
  const openFirst = useEffectEvent(() => {
    setWanted(null)
    const first = found && wanted === key ? toResultRows(found)[0] : undefined
    if (first) openFound(first, onOpen)
  })
  useEffect(() => {
    if (wanted !== null && (found || wanted !== key)) openFirst()
  }, [wanted, key, found])
}
