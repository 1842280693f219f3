// In place of the rows: what the list is for, and what can be done from here. What filters hide comes first.
import { useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState } from '@balcao/ui/parts'
import { AlarmClock, FunnelX, MessageSquare, MessageSquareDot, Pause, UsersRound } from 'lucide-react'
import { isOnlyLate, isOnlyUnread, type ListFilters, type ListName } from '../tickets/is-in-list.ts'
import { useCounts } from '../tickets/use-tickets.ts'
import { FirstAction } from './FirstAction.tsx'
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
  closed: MessageSquare,
  closedGroups: UsersRound,
  paused: Pause,
  followed: MessageSquare,
}

export default function EmptyList({ name, filters, onFilters, mayShowAll }: EmptyListProps) {
  const t = useTexts('tickets')
  const counts = useCounts()
  const isLate = isOnlyLate(name, filters)
  const isUnread = isOnlyUnread(name, filters)
  const isOfQueues = filters.queueIds !== null && name !== 'followed'
  const isFiltered = isLate || isUnread || isOfQueues
  const own = name === 'pending' ? 'bell' : ICONS[name]
  // Above those who wait and beside one's own the next one has its button already.
  const mayWait = name !== 'pending' && name !== 'assigned' && Boolean(counts?.pending)
  return (
    <EmptyState
      icon={isLate ? AlarmClock : isUnread ? MessageSquareDot : own}
      title={t(isLate ? 'late.empty' : isUnread ? 'unread.empty' : `list.empty.${name}.title`)}
      text={t(
        isLate
          ? 'late.emptyText'
          : isUnread
            ? 'unread.emptyText'
            : isOfQueues
              ? 'list.empty.filtered'
              : `list.empty.${name}.text`,
      )}
    >
      {isFiltered && (
        <Button
          icon={FunnelX}
          onClick={() => onFilters({ ...filters, queueIds: null, onlyUnread: false, onlyLate: false })}
        >
          {t('clearFilters')}
        </Button>
      )}
      {mayShowAll && !filters.showAll && name !== 'followed' && (
        <Button icon={UsersRound} onClick={() => onFilters({ ...filters, showAll: true })}>
          {t('showAll')}
        </Button>
      )}
      {!isFiltered && name !== 'followed' && <FirstAction name={mayWait ? 'acceptNext' : 'new'} />}
    </EmptyState>
  )
}
