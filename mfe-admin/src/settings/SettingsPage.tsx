import { canWriteSetting } from '@balcao/contract/settings/settings'
import { useActions } from '@balcao/ui/actions'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, Card, CardSkeletons, EmptyState, ErrorState, SearchInput, toast, useSkeleton } from '@balcao/ui/parts'
import { useLocation, useNavigate } from '@balcao/ui/router'
import { FoldedSection, useHeldPage } from '@balcao/ui/screens'
import { session, useUser } from '@balcao/ui/session'
import { CompanyTryIt } from '@balcao/ui/try-it'
import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { NextStep } from '../first-steps/NextStep.tsx'
import './texts.ts'
import { groupPath, useAddressedGroup } from './address.ts'
import { ChoiceRow, PersonRow, ZoneRow } from './ChoiceRow.tsx'
import { useDraftNames } from './drafts.ts'
import { findSettings } from './find.ts'
import { GroupList } from './GroupList.tsx'
import { HolidaysRow } from './HolidaysRow.tsx'
import { GROUPS, type ItemKind, NOT_SHOWN } from './items.ts'
import type { RowProps } from './row.ts'
import { NumberRow, TextRow } from './TextRow.tsx'
import { DaysRow, TimeRow } from './TimeRow.tsx'
import { ToggleRow } from './ToggleRow.tsx'
import { AddressRow, TokenRow, tokens } from './TokenRow.tsx'
import { drafts } from './use-draft.ts'
import { useSettings } from './use-settings.ts'

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

/** The settings of the company (spec 2 §2): a short page for each group, all found by ordinary words, saved at once. */
export default function SettingsPage() {
  const t = useTexts('settings')
  const desk = useSettings()
  const user = useUser()
  const { search: query } = useLocation()
  const [search, setSearch] = useState(() => new URLSearchParams(query).get('search') ?? '')
  const field = useRef<HTMLInputElement>(null)
  const page = useRef<HTMLDivElement>(null)
  const skeleton = useSkeleton(!desk.isThere && desk.error === null)
  const isStanding = desk.isThere && !skeleton
  const groups = useMemo(
    () =>
      GROUPS.map(group => ({
        ...group,
        items: group.items.filter(({ keys }) => keys.every(key => canWriteSetting(user, key) && !NOT_SHOWN.has(key))),
      })),
    [user],
  )
  const found = findSettings(groups, search)
  const isSearching = found.words.length > 0
  const { group, item } = useAddressedGroup(groups)
  const shown = isSearching ? found.groups.filter(({ items }) => items.length > 0) : group ? [group] : []
  const unsaved = useUnsavedGroups()
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
  // A group and a search begin at the top; a row that the address names stands in the middle, its control ready.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown changes with them
  useLayoutEffect(() => {
    page.current?.scrollTo({ top: 0 })
  }, [group?.id, search])
  useLayoutEffect(() => {
    const row = item && isStanding && page.current?.querySelector(`[data-item="${item}"]`)
    if (!row) return
    row.scrollIntoView({ block: 'center' })
    row.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
  }, [item, isStanding])

  return (
    <div
      ref={page}
      className="b-page grid content-start gap-x-8 gap-y-4 max-md:block md:grid-cols-[13rem_minmax(0,46.5rem)]"
    >
      <div className="self-start max-md:mb-4 md:sticky md:top-0">
        <h1 className="b-page-title mb-3">{t('title')}</h1>
        <SearchInput
          ref={field}
          label={t('search')}
          shortcut="/"
          value={search}
          onChange={setSearch}
          maxLength={100}
          className="w-full bg-surface"
        />
        <GroupList
          groups={isSearching ? found.groups : groups}
          current={isSearching ? null : (group?.id ?? null)}
          unsaved={unsaved}
          onFound={id => page.current?.querySelector(`[data-group="${id}"]`)?.scrollIntoView({ block: 'start' })}
        />
        <p className="mt-3 mb-0 px-3 text-small text-muted empty:hidden max-md:px-0" role="status">
          {isSearching && found.count > 0 && t('found', { count: found.count, search: search.trim() })}
        </p>
      </div>
      <div className="min-w-0">
        {shown[0]?.id === 'schedule' && !isSearching && (
          // The row that the address names is scrolled to: what is to be done with it stays in sight.
          <div className="sticky top-0 z-10">
            <NextStep after="hours" />
          </div>
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {skeleton ? (
            <CardSkeletons />
          ) : isStanding ? (
            shown.map(({ id, items }) => (
              <div key={id} data-group={id} className="scroll-mt-6">
                <Card title={t(`group.${id}`)} text={t(`about.${id}`)}>
                  <div className="divide-y divide-line">
                    {items.map(each => {
                      const Row = ROWS[each.kind]
                      return (
                        <div
                          key={each.id}
                          data-item={each.id}
                          className={each.id === item && !isSearching ? 'bg-primary-tint' : undefined}
                        >
                          <Row item={each} desk={desk} marked={found.words} />
                        </div>
                      )
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
          ) : desk.error !== null ? (
            <ErrorState
              title={t('failed.title')}
              text={describeError(desk.error)}
              onRetry={() => void desk.load()}
              retryIn={15}
            />
          ) : null}
          {isSearching && found.count === 0 && (
            <EmptyState icon={Search} title={t('nothing.title', { search: search.trim() })} text={t('nothing.text')}>
              <Button onClick={() => setSearch('')}>{t('nothing.clear')}</Button>
            </EmptyState>
          )}
        </div>
      </div>
    </div>
  )
}

/** The groups with something not saved. The browser asks before it loses it; who leaves the page is told where it stands still. */
function useUnsavedGroups(): ReadonlySet<string> {
  const t = useTexts('settings')
  const navigate = useNavigate()
  const written = useDraftNames(drafts)
  const made = useDraftNames(tokens)
  useHeldPage(written.length + made.length > 0)
  const tell = useEffectEvent(() => {
    const group = findGroups(Object.keys(drafts))[0]
    if (session.status !== 'in' || !group) return
    const action = { label: t('kept.back'), perform: () => void navigate(groupPath(group)) }
    toast.info(t('kept.text'), { key: 'settings.kept', action, shownMs: 8000 })
  })
  useEffect(() => () => tell(), [])
  return new Set(findGroups([...written, ...made]))
}

/** The groups that hold these items. */
function findGroups(items: readonly string[]): string[] {
  return GROUPS.filter(group => group.items.some(({ id }) => items.includes(id))).map(({ id }) => id)
}
