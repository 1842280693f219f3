import { mayWriteSetting } from '@balcao/contract/settings'
import { useActions } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import {
  Button,
  Card,
  CardSkeletons,
  classes,
  EmptyState,
  ErrorState,
  SearchInput,
  toast,
  useSkeleton,
} from '@balcao/ui/parts'
import { useLocation, useNavigate } from '@balcao/ui/router'
import { FoldedSection } from '@balcao/ui/screens'
import { session, useUser } from '@balcao/ui/session'
import { CompanyTryIt } from '@balcao/ui/try-it'
import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import './texts.ts'
import { ChoiceRow, PersonRow, ZoneRow } from './ChoiceRow.tsx'
import { findSettings } from './find.ts'
import { HolidaysRow } from './HolidaysRow.tsx'
import { GROUPS, type ItemKind, NOT_SHOWN } from './items.ts'
import type { RowProps } from './row.ts'
import { NumberRow, TextRow } from './TextRow.tsx'
import { DaysRow, TimeRow } from './TimeRow.tsx'
import { ToggleRow } from './ToggleRow.tsx'
import { AddressRow, TokenRow } from './TokenRow.tsx'
import { hasDrafts } from './use-draft.ts'
import { useSettings } from './use-settings.ts'
import { useShownGroup } from './use-shown-group.ts'

const ROWS: Readonly<Record<ItemKind, (props: RowProps) => ReactNode>> = {
  toggle: ToggleRow,
  choice: ChoiceRow,
  text: TextRow,
  number: NumberRow,
  times: TimeRow,
  days: DaysRow,
  zone: ZoneRow,
  person: PersonRow,
  holidays: HolidaysRow,
  token: TokenRow,
  url: AddressRow,
}

/** The settings of the company (spec 2 §2): found by ordinary words, each with what it does, saved at once. */
export default function SettingsPage() {
  const t = useTexts('settings')
  const desk = useSettings()
  const user = useUser()
  const { search: asked } = useLocation()
  const [search, setSearch] = useState(() => new URLSearchParams(asked).get('search') ?? '')
  const field = useRef<HTMLInputElement>(null)
  const page = useRef<HTMLDivElement>(null)
  const skeleton = useSkeleton(!desk.isThere && !desk.failed)
  const groups = useMemo(
    () =>
      GROUPS.map(group => ({
        ...group,
        items: group.items.filter(({ keys }) => keys.every(key => mayWriteSetting(user, key) && !NOT_SHOWN.has(key))),
      })),
    [user],
  )
  const found = findSettings(groups, search)
  const isSearching = found.words.length > 0
  const shown = found.groups.filter(({ items }) => items.length > 0)
  const [current, goTo] = useShownGroup(page, shown.map(({ id }) => id).join())
  useActions(
    useMemo(
      () => [
        {
          ...{
            id: 'settings.search',
            groupKey: 'settings:title',
            labelKey: 'settings:search',
            icon: Search,
            shortcut: '/',
          },
          perform: () => field.current?.focus(),
        },
      ],
      [],
    ),
  )
  useToldDrafts()
  function find(words: string) {
    setSearch(words)
    // A search begins at the top of what it finds.
    page.current?.scrollTo({ top: 0 })
  }

  return (
    <div
      ref={page}
      className="b-page grid content-start gap-x-8 gap-y-4 max-md:block md:grid-cols-[13rem_minmax(0,46.5rem)]"
    >
      <div className="self-start md:sticky md:top-0">
        <h1 className="b-page-title mb-3">{t('title')}</h1>
        <SearchInput
          ref={field}
          label={t('search')}
          shortcut="/"
          value={search}
          onChange={find}
          maxLength={100}
          className="w-full bg-surface"
        />
        <nav
          aria-label={t('groups')}
          className={classes(
            'mt-4 flex gap-1 max-md:-mx-4 max-md:mb-4 max-md:overflow-x-auto max-md:px-4 md:grid',
            // What scrolls sideways has to hold something to go to.
            found.count === 0 && 'max-md:hidden',
          )}
        >
          {found.groups.map(({ id, items }) => (
            <button
              key={id}
              type="button"
              disabled={items.length === 0}
              aria-current={id === current ? 'true' : undefined}
              onClick={() => goTo(id)}
              className={classes(
                'flex h-9 flex-none items-center gap-2 rounded-item px-3 text-left text-body max-md:h-10',
                id === current
                  ? 'bg-primary-tint font-semibold text-primary-text'
                  : items.length > 0
                    ? 'text-text-2 hover:bg-hover'
                    : 'text-muted',
              )}
            >
              {t(`group.${id}`)}
              {isSearching && items.length > 0 && (
                <span className="ml-auto text-small font-normal tabular-nums">{items.length}</span>
              )}
            </button>
          ))}
        </nav>
        <p className="mt-3 mb-0 px-3 text-small text-muted max-md:mb-3 max-md:px-0" role="status">
          {isSearching && found.count > 0 && t('found', { count: found.count, search: search.trim() })}
        </p>
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
        {skeleton ? (
          <CardSkeletons />
        ) : desk.isThere ? (
          shown.map(({ id, items }) => (
            <div key={id} data-group={id} className="scroll-mt-6">
              <Card title={t(`group.${id}`)} text={t(`about.${id}`)}>
                <div className="divide-y divide-line">
                  {items.map(item => {
                    const Row = ROWS[item.kind]
                    return <Row key={item.id} item={item} desk={desk} marked={found.words} />
                  })}
                </div>
                {id === 'messages' && !isSearching && (
                  <div className="border-t border-line p-4">
                    <FoldedSection title={t('tryIt')} open={false} lazy>
                      <CompanyTryIt settings={desk.now} />
                    </FoldedSection>
                  </div>
                )}
              </Card>
            </div>
          ))
        ) : desk.failed ? (
          <ErrorState title={t('failed.title')} text={t('failed.text')} onRetry={() => void desk.load()} retryIn={15} />
        ) : null}
        {isSearching && found.count === 0 && (
          <EmptyState icon={Search} title={t('nothing.title', { search: search.trim() })} text={t('nothing.text')}>
            <Button onClick={() => find('')}>{t('nothing.clear')}</Button>
          </EmptyState>
        )}
      </div>
    </div>
  )
}

/** Who leaves the page with something not saved is told: it stands there still. */
function useToldDrafts() {
  const t = useTexts('settings')
  const navigate = useNavigate()
  const tell = useEffectEvent(() => {
    if (session.status !== 'in' || !hasDrafts()) return
    const action = { label: t('kept.back'), perform: () => void navigate('/Settings') }
    toast.info(t('kept.text'), { key: 'settings.kept', action, shownMs: 8000 })
  })
  useEffect(() => () => tell(), [])
}
