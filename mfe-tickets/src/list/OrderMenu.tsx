import { useTexts } from '@balcao/ui/i18n'
import { IconButton, Menu } from '@balcao/ui/parts'
import { ArrowUpDown, ClockArrowUp, Timer } from 'lucide-react'
import { useLookups } from '../desk/lookups.ts'
import { findListOrder, type ListFilters, type ListName } from '../tickets/is-in-list.ts'
import './due-texts.ts'

interface OrderMenuProps {
  readonly list: ListName
  readonly filters: ListFilters
  readonly onChange: (filters: ListFilters) => void
}

const ICONS = { newest: ArrowUpDown, wait: ClockArrowUp, due: Timer }

/** The newest words first, of those who wait who has been waiting longest, or where queues have targets whose answer is due first. */
export default function OrderMenu({ list, filters, onChange }: OrderMenuProps) {
  const t = useTexts('tickets')
  const hasTargets = useLookups().queues.some(queue => queue.firstAnswerMinutes ?? queue.answerMinutes)
  const order = findListOrder(list, filters) ?? 'newest'
  const offered = [
    'newest' as const,
    ...(list === 'pending' ? ['wait' as const] : []),
    ...((list === 'pending' || list === 'assigned') && (hasTargets || order === 'due') ? ['due' as const] : []),
  ]
  if (offered.length === 1) return null
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
