// The left side: search, tabs, filters and the list they choose.
import { runAction } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import {
  Badge,
  defineLatePart,
  IconButton,
  SearchInput,
  Segments,
  Switch,
  Tabs,
  useNarrowerThan,
} from '@balcao/ui/parts'
import { BellRing } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Bulk } from '../bulk/Bulk.tsx'
import { useUnreadInChats } from '../chats/unread.ts'
import { useLookups } from '../desk/lookups.ts'
import { getStores } from '../desk/stores.ts'
import { NewConversation } from '../new-ticket/NewConversation.tsx'
import { ask, countSearchFilters, search } from '../search/search-store.ts'
import type { ListName } from '../tickets/is-in-list.ts'
import { useCounts } from '../tickets/use-tickets.ts'
import { useLateAddress } from './late-address.ts'
import { NextWaiting } from './NextWaiting.tsx'
import { QueueFilter } from './QueueFilter.tsx'
import { takeSearchWish } from './search-wish.ts'
import { TicketList } from './TicketList.tsx'
import { type ListTab, type SubTab, toListName, useListChoice } from './tabs.ts'
import { type Filters as FilterChoice, useFilters } from './use-filters.ts'
import { useStepping } from './use-stepping.ts'

const FilterButtons = defineLatePart(() => import('./FilterButtons.tsx'), 'nowhere')
const ChatPane = defineLatePart(() => import('../chats/ChatPane.tsx'), 'inline')
const SearchPane = defineLatePart(() => import('../search/SearchPane.tsx'), 'inline')

interface ListPaneProps {
  readonly ticketId: number | null
  readonly chatId: number | null
  /** The address is the one of internal chats (`/tickets/0`). */
  readonly internal: boolean
  readonly onOpen: (ticketId: number | null) => void
}

export function ListPane({ ticketId, chatId, internal, onOpen }: ListPaneProps) {
  const t = useTexts('tickets')
  const field = useRef<HTMLInputElement>(null)
  const filtering = useFilters()
  const { filters } = filtering
  const choice = useListChoice(ticketId, chatId, internal, () => onOpen(null))
  const list = toListName(choice.tab, choice.sub)
  const { connections } = useLookups()
  const showConnection = connections.length > 1
  const [text, setText] = useSearchField(choice)
  const phone = useNarrowerThan('phone')
  const focusSearch = useCallback(() => field.current?.focus(), [])
  useStepping({ list, isSearching: choice.tab === 'search', ticketId, onOpen, onSearch: focusSearch })
  useEffect(() => {
    if (takeSearchWish()) focusSearch()
  }, [focusSearch])
  useLateAddress((sub, queueId) => {
    choice.choose({ tab: 'open', sub })
    filtering.choose({ showAll: true, queueIds: queueId ? [queueId] : null, onlyLate: true })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters are other lists
  useEffect(() => {
    getStores().shown.list = list
    if (list) void getStores().tickets.open(list)
  }, [list, filters])

  return (
    <section className="t-pane" aria-label={t('title')}>
      {!phone && (
        <header className="t-head">
          <h1>{t('title')}</h1>
          <span className="t-head-buttons">
            <NotifyButton />
            <NewConversation />
          </span>
        </header>
      )}
      {phone && (
        <>
          <h1 className="b-only-read">{t('title')}</h1>
          <NewConversation />
        </>
      )}
      <div className="t-search">
        <SearchInput
          ref={field}
          label={t(choice.tab === 'internal' ? 'search.chats' : 'search.label')}
          shortcut={phone ? undefined : '/'}
          value={text}
          onChange={setText}
          onKeyDown={focusList}
        />
      </div>
      <Lists
        choice={choice}
        onTab={tab => {
          choice.setTab(tab)
          // Who presses 'Buscar' wants to write; the arrows stay among the tabs.
          if (tab === 'search') field.current?.focus()
        }}
      />
      <NextWaiting filters={filters} list={list} onOpen={onOpen} />
      {list ? (
        <>
          <Filters {...filtering} list={list} />
          <TicketList
            key={list}
            name={list}
            selectedId={ticketId}
            onOpen={onOpen}
            showConnection={showConnection}
            filters={filters}
            mayShowAll={filtering.mayShowAll}
            onFilters={filtering.choose}
          />
        </>
      ) : choice.tab === 'search' ? (
        <SearchPane selectedId={ticketId} onOpen={onOpen} showConnection={showConnection} />
      ) : (
        <ChatPane chatId={chatId} search={text} />
      )}
      <Bulk />
    </section>
  )
}

/** Opens the prompt in which this device begins to tell its person of what waits (spec 1 §2). */
function NotifyButton() {
  const t = useTexts('tickets')
  return <IconButton icon={BellRing} label={t('action.notify')} onClick={() => runAction('shell.bell.device')} />
}

/** Down from the search field lies what it found; its own key writes nothing into it. */
function focusList(event: KeyboardEvent<HTMLInputElement>) {
  // Who presses the key of the search twice is in it already.
  if (event.key === '/' && event.currentTarget.value === '') event.preventDefault()
  if (event.key !== 'ArrowDown') return
  const list = event.currentTarget.closest('.t-pane')?.querySelector<HTMLElement>('[role=listbox]')
  if (!list) return
  event.preventDefault()
  list.focus()
}

function Lists({
  choice,
  onTab,
}: {
  readonly choice: ReturnType<typeof useListChoice>
  onTab: (tab: ListTab) => void
}) {
  const t = useTexts('tickets')
  const counts = useCounts()
  const unread = useUnreadInChats()
  const tabs = (['open', 'closed', 'paused', 'internal', 'search'] as const).map((id: ListTab) => ({
    id,
    label: t(`tab.${id}`),
    badge:
      id === 'internal' ? (
        <Badge count={unread} label={t('row.unread', { count: unread })} />
      ) : id === 'paused' && counts && counts.pausedUnread > 0 ? (
        <Badge count={counts.pausedUnread} label={t('row.answered', { count: counts.pausedUnread })} />
      ) : id === 'paused' && counts && counts.paused > 0 ? (
        <span className="t-total">{counts.paused}</span>
      ) : undefined,
  }))
  const total = (n: number | undefined) => (n ? <span className="t-total">{n > 999 ? '999+' : n}</span> : undefined)
  const unreadFollowed = counts?.followedUnread ?? 0
  const followed = {
    id: 'followed' as const,
    label: t('tab.followed'),
    badge: unreadFollowed ? (
      <Badge count={unreadFollowed} label={t('row.unread', { count: unreadFollowed })} />
    ) : (
      total(counts?.followed)
    ),
  }
  const subs: { id: SubTab; label: string; badge?: React.ReactNode }[] =
    choice.tab === 'open'
      ? [
          { id: 'assigned', label: t('tab.assigned'), badge: total(counts?.assigned) },
          { id: 'groups', label: t('tab.groups'), badge: total(counts?.groups) },
          { id: 'pending', label: t('tab.pending'), badge: counts ? <Badge count={counts.pending} /> : undefined },
          ...(counts?.followed || choice.sub === 'followed' ? [followed] : []),
        ]
      : [
          { id: 'contacts', label: t('tab.contacts') },
          { id: 'groups', label: t('tab.groups') },
        ]
  return (
    <>
      <Tabs label={t('tab.lists')} tabs={tabs} chosen={choice.tab} onChoose={onTab} className="t-tabs" />
      {(choice.tab === 'open' || choice.tab === 'closed') && (
        <div className="t-subs">
          <Segments label={t('tab.subs')} tabs={subs} chosen={choice.sub} onChoose={choice.setSub} />
        </div>
      )}
    </>
  )
}

/**
 * The field above the lists. Writing in it over a list of tickets leads to the search; emptying it leads back, unless a filter
 * is set. Over internal chats it narrows these.
 */
function useSearchField(choice: ReturnType<typeof useListChoice>): [string, (text: string) => void] {
  const { asked, panel } = useSnapshot(search)
  const [inChats, setInChats] = useState('')
  const cameFrom = useRef<{ readonly tab: ListTab; readonly sub: SubTab } | null>(null)
  if (choice.tab === 'internal') return [inChats, setInChats]
  return [
    choice.tab === 'search' ? asked.text : '',
    text => {
      ask({ text })
      if (choice.tab !== 'search') {
        cameFrom.current = { tab: choice.tab, sub: choice.sub }
        choice.choose({ tab: 'search', sub: choice.sub })
      } else if (text === '' && cameFrom.current && !panel && countSearchFilters(asked) === 0) {
        choice.choose(cameFrom.current)
        cameFrom.current = null
      }
    },
  ]
}

function Filters({ filters, choose, mayShowAll, queues, list }: FilterChoice & { readonly list: ListName }) {
  const t = useTexts('tickets')
  return (
    <div className="t-filters">
      {list !== 'followed' && (
        <QueueFilter
          offered={queues}
          queueIds={filters.queueIds}
          onChange={queueIds => choose({ ...filters, queueIds })}
        />
      )}
      <FilterButtons list={list} filters={filters} onChange={choose} />
      {mayShowAll && list !== 'followed' && (
        <Switch label={t('showAll')} checked={filters.showAll} onChange={showAll => choose({ ...filters, showAll })} />
      )}
    </div>
  )
}
