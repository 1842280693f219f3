// The tab Search: filters, then what was found (spec 1 §2).
import { parseSearchWords } from '@balcao/contract/kit/search'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { EmptyState, ErrorState, RowSkeletons, useSkeleton } from '@balcao/ui/parts'
import { Search } from 'lucide-react'
import { useSnapshot } from 'valtio'
import { FoundList } from './FoundList.tsx'
import { SearchFilters } from './SearchFilters.tsx'
import { checkSearch, type SearchRequest, search } from './search-store.ts'
import './texts.ts'
import { useFound } from './use-found.ts'

interface SearchPaneProps {
  readonly selectedId: number | null
  readonly showConnection: boolean
  readonly onOpen: (ticketId: number) => void
}

export default function SearchPane(props: SearchPaneProps) {
  const { asked, panel } = useSnapshot(search)
  return (
    <>
      <SearchFilters asked={asked} open={panel} />
      <Results asked={asked} {...props} />
    </>
  )
}

function Results({ asked, ...props }: SearchPaneProps & { readonly asked: SearchRequest }) {
  const t = useTexts('tickets')
  const { found, again } = useFound(asked)
  const ready = checkSearch(asked)
  const skeleton = useSkeleton(ready === 'ready' && !found)
  const text = [asked.text, asked.message, asked.contact].map(each => each.trim()).find(each => each !== '')
  if (ready === 'nothing') return <EmptyState icon={Search} title={t('search.start')} text={t('search.startText')} />
  if (ready === 'short') return <EmptyState icon={Search} title={t('search.short')} text={t('search.shortText')} />
  if (!found) return skeleton ? <RowSkeletons rows={4} /> : null
  if (found.error) return <ErrorState title={t('search.failed')} text={describeError(found.error)} onRetry={again} />
  if (found.tickets.length === 0 && found.hits.length === 0)
    return (
      <EmptyState
        icon={Search}
        title={text ? t('search.none', { text }) : t('search.noneFiltered')}
        text={t('search.noneText')}
      />
    )
  const words = parseSearchWords(asked.message.trim() || asked.text.trim())
  return <FoundList key={found.key} found={found} words={words} {...props} />
}
