// What narrows the list above it, and its order: not needed to see the rows.
import { useActions } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { AlarmClock, type LucideIcon, MessageSquareDot } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { listAction } from '../actions/list-action.ts'
import { useLookups } from '../desk/lookups.ts'
import { getStores } from '../desk/stores.ts'
import { hasDue, isLive, isOnlyLate, type ListFilters, type ListName } from '../tickets/is-in-list.ts'
import { useMinute } from '../use-minute.ts'
import { OrderMenu } from './OrderMenu.tsx'
import './due-texts.ts'

interface FilterButtonsProps {
  readonly list: ListName
  readonly filters: ListFilters
  readonly onChange: (filters: ListFilters) => void
}

export default function FilterButtons({ list, filters, onChange }: FilterButtonsProps) {
  const hasTargets = useLookups().queues.some(queue => queue.firstAnswerMinutes ?? queue.answerMinutes)
  const { onlyUnread = false, onlyLate = false } = filters
  return (
    <>
      <OrderMenu list={list} filters={filters} hasTargets={hasTargets} onChange={onChange} />
      {isLive(list) && (
        <FilterToggle
          {...UNREAD}
          isPressed={onlyUnread}
          onChange={isPressed => onChange({ ...filters, onlyUnread: isPressed })}
        />
      )}
      {hasDue(list) && (hasTargets || onlyLate) && (
        <FilterToggle
          {...LATE}
          isPressed={onlyLate}
          onChange={isPressed => onChange({ ...filters, onlyLate: isPressed })}
        />
      )}
      {isOnlyLate(list, filters) && <LateClock list={list} />}
    </>
  )
}

const UNREAD = { name: 'onlyUnread', textKey: 'unread.only', shortcut: 'Shift+U', icon: MessageSquareDot }
const LATE = { name: 'onlyLate', textKey: 'late.only', shortcut: 'Shift+L', icon: AlarmClock }

interface FilterToggleProps {
  readonly name: string
  readonly textKey: string
  readonly shortcut: string
  readonly icon: LucideIcon
  readonly isPressed: boolean
  readonly onChange: (isPressed: boolean) => void
}

function FilterToggle({ name, textKey, shortcut, icon, isPressed, onChange }: FilterToggleProps) {
  const t = useTexts('tickets')
  const toggle = () => onChange(!isPressed)
  const press = useEffectEvent(toggle)
  const actions = useMemo(
    () => [listAction(name, shortcut, () => press(), { icon, labelKey: `tickets:${textKey}` })],
    [name, shortcut, icon, textKey],
  )
  useActions(actions)
  return (
    <IconButton icon={icon} label={t(textKey)} shortcut={shortcut} size="small" pressed={isPressed} onClick={toggle} />
  )
}

/** What becomes late while nobody touches anything comes with the minute. */
function LateClock({ list }: { readonly list: ListName }) {
  const now = useMinute()
  // biome-ignore lint/correctness/useExhaustiveDependencies: time alone makes it another list
  useEffect(() => void getStores().tickets.renew(list), [list, now])
  return null
}
