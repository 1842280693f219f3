import { Button, Field, Menu, TextInput } from '@balcao/ui/parts'
import { CalendarRange } from 'lucide-react'
import { useKitTexts } from './texts.ts'

/** Days as `2026-11-22`, both within. */
export interface Days {
  readonly from: string
  readonly to: string
}

interface DateRangeProps {
  readonly value: Days
  readonly onChange: (days: Days) => void
  /** Today in the company's time zone. */
  readonly today: string
}

/** From one day to another: by the browser's own fields, or one of the usual spans. */
export function DateRange({ value, onChange, today }: DateRangeProps) {
  const kit = useKitTexts()
  const isBackwards = value.from !== '' && value.to !== '' && value.from > value.to
  const items = Object.entries(spansOf(today)).map(([id, days]) => ({
    id,
    label: kit(`days.${id}`),
    checked: days.from === value.from && days.to === value.to,
    onChoose: () => onChange(days),
  }))
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Field label={kit('days.from')} error={isBackwards ? kit('days.backwards') : null}>
        <TextInput type="date" value={value.from} max={value.to} onChange={from => onChange({ ...value, from })} />
      </Field>
      <Field label={kit('days.to')}>
        <TextInput type="date" value={value.to} min={value.from} onChange={to => onChange({ ...value, to })} />
      </Field>
      <Menu
        label={kit('days.usual')}
        items={items}
        button={props => (
          <Button {...props} icon={CalendarRange} className="mt-6">
            {kit('days.usual')}
          </Button>
        )}
      />
    </div>
  )
}

/** The usual spans that end today, and the months. */
export function spansOf(today: string): Readonly<Record<'today' | 'yesterday' | 'week' | 'month' | 'lastMonth', Days>> {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const at = (months: number, days: number) =>
    new Date(Date.UTC(year, month - 1 + months, days)).toISOString().slice(0, 10)
  return {
    today: { from: today, to: today },
    yesterday: { from: at(0, day - 1), to: at(0, day - 1) },
    week: { from: at(0, day - 6), to: today },
    month: { from: at(0, 1), to: today },
    lastMonth: { from: at(-1, 1), to: at(0, 0) },
  }
}
