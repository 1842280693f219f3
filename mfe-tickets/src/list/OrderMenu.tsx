import { useTexts } from '@balcao/ui/i18n'
import { IconButton, Menu } from '@balcao/ui/parts'
import { ArrowUpDown, ClockArrowUp, Timer } from 'lucide-react'
import { findListOrder, hasDue, isOnlyLate, type ListFilters, type ListName } from '../tickets/is-in-list.ts'
import './due-texts.ts'

interface OrderMenuProps {
  readonly list: ListName
  readonly filters: ListFilters
  /** Queues say until when they answer. */
  readonly hasTargets: boolean
  readonly onChange: (filters: ListFilters) => void
}

const ICONS = { newest: ArrowUpDown, wait: ClockArrowUp, due: Timer }

/** The newest words first, of those who wait who has been waiting longest, or where queues have targets whose answer is due first. */
export function OrderMenu({ list, filters, hasTargets, onChange }: OrderMenuProps) {
  const t = useTexts('tickets')
  const order = findListOrder(list, filters) ?? 'newest'
  const offered = [
    'newest' as const,
    ...(list === 'pending' ? ['wait' as const] : []),
    ...(hasDue(list) && (hasTargets || order === 'due') ? ['due' as const] : []),
  ]
  // What is late has one order.
  if (offered.length === 1 || isOnlyLate(list, filters)) return null
  return (
    <Menu
      label={t('order.label')}
      items={offered.map(id => ({
        id,
        label: t(`order.${id}`),
        checked: order === id,
        onChoose: () => onChange({ ...filters, longestFirst: id === 'wait', dueFirst: id === 'due' }),
      }))}
      align="start"
      button={props => (
        <IconButton {...props} icon={ICONS[order]} size="small" label={`${t('order.label')}: ${t(`order.${order}`)}`} />
      )}
    />
  )
}
