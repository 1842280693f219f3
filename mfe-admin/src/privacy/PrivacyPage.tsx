import type { Erasure } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useDebounced, useQuery } from '@balcao/ui/ask'
import { addTexts, describeError, useTexts } from '@balcao/ui/i18n'
import { Badge, Banner, EmptyState, ErrorState, Page, RowSkeletons, SearchInput, Segments } from '@balcao/ui/parts'
import { Search, ShieldCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import pt from '../../locales/privacy/pt.json'
import { Held } from './Held.tsx'
import { People } from './People.tsx'
import { Requests } from './Requests.tsx'
import { useFollowed } from './use-followed.ts'

addTexts('privacy', {
  pt,
  en: () => import('../../locales/privacy/en.json'),
  es: () => import('../../locales/privacy/es.json'),
})

type View = 'find' | 'requests'

const NOTHING: readonly Erasure[] = []

/** The privacy desk (decisions-2 §19): find one person, say what is held, hand it over, erase it. */
export default function PrivacyPage() {
  const t = useTexts('privacy')
  const [view, setView] = useState<View>('find')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const searchText = useDebounced(search.trim(), 250)
  const { now, last, error, again } = useQuery(`find ${searchText}`, async signal => ({
    asked: searchText,
    ...(await api('GET /privacy', { query: { searchParam: searchText }, signal })),
  }))
  const found = now ?? last
  useFollowed(found?.requests ?? NOTHING, again)
  const waiting = found?.requests.filter(({ state }) => state === 'waiting' || state === 'running').length ?? 0
  const people = found?.people ?? []
  const person = people.find(({ id }) => id === chosen) ?? (people.length === 1 ? people[0] : undefined)
  // What was found for these words stands; what was found for others would be taken for the answer.
  const failed =
    error === null ? null : found && (view === 'requests' || found.asked === searchText) ? (
      <Banner kind="danger" icon={TriangleAlert}>
        {t('failed')}: {describeError(error)}
      </Banner>
    ) : (
      <ErrorState title={t('failed')} text={describeError(error)} onRetry={again} />
    )
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        <Segments
          label={t('views')}
          tabs={[
            { id: 'find', label: t('find') },
            { id: 'requests', label: t('requests'), badge: waiting > 0 && <Badge count={waiting} /> },
          ]}
          chosen={view}
          onChoose={setView}
        />
      }
    >
      {view === 'requests' ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {failed}
          {found && <Requests requests={found.requests} onChanged={again} />}
          {!found && error === null && <RowSkeletons rows={4} />}
        </div>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <SearchInput
            label={t('search')}
            placeholder={t('searchHint')}
            value={search}
            onChange={setSearch}
            maxLength={200}
            className="w-full bg-surface md:max-w-[744px]"
          />
          {failed}
          {error !== null && found?.asked !== searchText ? null : searchText === '' ? (
            <EmptyState icon={ShieldCheck} tone="info" title={t('begin')} text={t('beginText')} />
          ) : people.length === 0 && now ? (
            <EmptyState icon={Search} title={t('nobody', { search: searchText })} text={t('nobodyText')} />
          ) : (
            <>
              <People people={people} chosen={person?.id ?? null} onChoose={setChosen} />
              {person && <Held key={person.id} personId={person.id} onChanged={again} />}
            </>
          )}
        </div>
      )}
    </Page>
  )
}
