// In place of the rows: what the list is for, and what can be done from here. What filters hide comes first.
import { useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState } from '@balcao/ui/parts'
import { AlarmClock, FunnelX, type LucideIcon, MessageSquare, MessageSquareDot, Pause, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { isOnlyLate, isOnlyUnread, type ListFilters, type ListName } from '../tickets/is-in-list.ts'
import { useCounts } from '../tickets/use-tickets.ts'
import { FirstAction } from './FirstAction.tsx'
import { FirstStepsLink } from './FirstStepsLink.tsx'
import '../search/texts.ts'
import './due-texts.ts'
import './empty-texts.ts'

interface EmptyListProps {
  readonly name: ListName
  readonly filters: ListFilters
  readonly onFilters: (filters: ListFilters) => void
  /** Whether this person has the 'show all' toggle. */
  readonly mayShowAll: boolean
}

const ICONS = {
  assigned: MessageSquare,
  groups: UsersRound,
  pending: 'bell',
  closed: MessageSquare,
  closedGroups: UsersRound,
  paused: Pause,
  followed: MessageSquare,
} as const

interface HidingFilter {
  readonly isHiding: (name: ListName, filters: ListFilters) => boolean
  readonly clear: (filters: ListFilters) => ListFilters
  readonly icon?: LucideIcon
  readonly title?: string
  readonly text: string
}

/** What hides tickets, the narrowest first, and what it says in place of the list's own words. */
const HIDING_FILTERS: readonly HidingFilter[] = [
  {
    isHiding: isOnlyLate,
    clear: filters => ({ ...filters, onlyLate: false }),
    icon: AlarmClock,
    title: 'late.empty',
    text: 'late.emptyText',
  },
  {
    isHiding: isOnlyUnread,
    clear: filters => ({ ...filters, onlyUnread: false }),
    icon: MessageSquareDot,
    title: 'unread.empty',
    text: 'unread.emptyText',
  },
  {
    isHiding: (name, { queueIds }) => queueIds !== null && name !== 'followed',
    clear: filters => ({ ...filters, queueIds: null }),
    text: 'list.empty.filtered',
  },
]

export default function EmptyList({ name, filters, onFilters, mayShowAll }: EmptyListProps) {
  const t = useTexts('tickets')
  const first = useFirstAction(name)
  const hiding = HIDING_FILTERS.filter(({ isHiding }) => isHiding(name, filters))
  const own = { icon: ICONS[name], title: `list.empty.${name}.title`, text: `list.empty.${name}.text` }
  const { icon, title, text } = { ...own, ...hiding[0] }

  /** The button goes with its press: who pressed it goes on beside the filters. */
  function choose(next: ListFilters) {
    document.querySelector<HTMLElement>('.t-filters button')?.focus()
    onFilters(next)
  }

  return (
    <EmptyState icon={icon} title={t(title)} text={t(text)}>
      {hiding.length > 0 && (
        <Button icon={FunnelX} onClick={() => choose(hiding.reduce((left, { clear }) => clear(left), filters))}>
          {t('search.clear')}
        </Button>
      )}
      {mayShowAll && !filters.showAll && name !== 'followed' && (
        <Button icon={UsersRound} onClick={() => choose({ ...filters, showAll: true })}>
          {t('showAll')}
        </Button>
      )}
      {hiding.length === 0 && first && <FirstAction name={first} />}
      <FirstStepsLink />
    </EmptyState>
  )
}

/** As it was when the list stood first: a button that became another one would take the press that was meant for it. */
function useFirstAction(name: ListName): 'acceptNext' | 'new' | null {
  const counts = useCounts()
  const [pending, setPending] = useState<number | null>(null)
  if (pending === null && counts) setPending(counts.pending)
  if (name === 'followed') return null
  // Above those who wait and beside one's own the next one has its button already.
  if (name === 'pending' || name === 'assigned') return 'new'
  return pending === null ? null : pending > 0 ? 'acceptNext' : 'new'
}
