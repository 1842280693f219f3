import { reformatIsoDay } from '@balcao/contract/calendar/zoned-time'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Select } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { CalendarDays } from 'lucide-react'
import { useRef } from 'react'
import type { Filter } from './filter.ts'
import { PeriodDialog } from './PeriodDialog.tsx'
import { useChoices } from './use-stats.ts'

interface FiltersProps {
  readonly filter: Filter
  readonly onChange: (part: Partial<Filter>) => void
  readonly periodOpen: boolean
  readonly onPeriod: (open: boolean) => void
}

/** Period, person and queue (spec 1 §2). */
export function Filters({ filter, onChange, periodOpen, onPeriod }: FiltersProps) {
  const t = useTexts('dashboard')
  const { users, queues } = useChoices()
  const { profile, queueIds } = useUser()
  const own = queues.filter(({ id }) => profile === 'admin' || queueIds.includes(id))
  const button = useRef<HTMLButtonElement>(null)
  const words = { from: reformatIsoDay(filter.from), to: reformatIsoDay(filter.to) }
  return (
    <>
      <Button
        ref={button}
        icon={CalendarDays}
        aria-haspopup="dialog"
        aria-expanded={periodOpen}
        onClick={() => onPeriod(true)}
      >
        <span className="b-only-read">{t('periodLabel')}</span> {t('period', words)}
      </Button>
      <Select
        label={t('person')}
        placeholder={t('everybody')}
        options={users.map(user => ({ value: user.id, label: user.name }))}
        value={filter.userId}
        onChange={userId => onChange({ userId })}
        disabled={users.length === 0}
        clearable
        className="w-46 border-line bg-surface max-sm:flex-1"
      />
      <Select
        label={t('queue')}
        placeholder={t('allQueues')}
        options={own.map(queue => ({ value: queue.id, label: queue.name, color: queue.color }))}
        value={filter.queueId}
        onChange={queueId => onChange({ queueId })}
        disabled={own.length === 0}
        clearable
        className="w-46 border-line bg-surface max-sm:flex-1"
      />
      {periodOpen && (
        <PeriodDialog dates={filter} anchor={button} onChange={onChange} onClose={() => onPeriod(false)} />
      )}
    </>
  )
}
