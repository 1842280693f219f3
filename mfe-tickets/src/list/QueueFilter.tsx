import type { QueueBrief } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Menu, type MenuItem } from '@balcao/ui/parts'
import { Filter } from 'lucide-react'

interface QueueFilterProps {
  readonly offered: readonly QueueBrief[]
  readonly queueIds: readonly number[] | null
  readonly onChange: (queueIds: readonly number[] | null) => void
}

/** 'Todas as filas', or one of the queues this person serves. */
export function QueueFilter({ offered, queueIds, onChange }: QueueFilterProps) {
  const t = useTexts('tickets')
  const chosen = queueIds?.[0]
  const name = offered.find(queue => queue.id === chosen)?.name ?? t('allQueues')
  const items: (MenuItem | 'line')[] = [
    { id: 'all', label: t('allQueues'), checked: queueIds === null, onChoose: () => onChange(null) },
    'line',
    ...offered.map(queue => ({
      id: String(queue.id),
      label: queue.name,
      checked: queue.id === chosen,
      onChoose: () => onChange([queue.id]),
    })),
  ]
  return (
    <Menu
      label={t('queueFilter')}
      items={items}
      align="start"
      button={props => (
        <button type="button" className="t-queue-filter" {...props}>
          <Filter size={14} strokeWidth={2} aria-hidden="true" />
          {name}
        </button>
      )}
    />
  )
}
