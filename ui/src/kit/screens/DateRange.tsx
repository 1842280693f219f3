import { Button, Field, Menu, TextInput } from '@balcao/ui/parts'
import { CalendarRange } from 'lucide-react'
import { useKitTexts } from './texts.ts'

/** Days as `2026-11-22`, both within. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

interface DateRangeProps {
  readonly value: DayRange
  readonly onChange: (days: DayRange) => void
  /** Today in the company's time zone. */
  readonly today: string
  /** In one line with its words, without the usual spans: in the head of a page. */
  readonly isInline?: boolean
}

/** From one day to another: by the browser's own fields, or one of the usual spans. */
export function DateRange({ value, onChange, today, isInline }: DateRangeProps) {
  const kit = useKitTexts()
  const isBackwards = value.from !== '' && value.to !== '' && value.from > value.to
  const from = (
    <TextInput
      type="date"
      value={value.from}
      max={value.to || LAST_DAY}
      onChange={from => onChange({ ...value, from })}
    />
  )
  const to = (
    <TextInput
      type="date"
      value={value.to}
      min={value.from}
      max={LAST_DAY}
      onChange={to => onChange({ ...value, to })}
    />
  )
  if (isInline)
    return (
      <div className="grid gap-1 max-sm:w-full sm:justify-items-end">
        <div className="flex items-center gap-2.5 text-cell text-text-2 max-sm:grid max-sm:w-full max-sm:grid-cols-2">
          {/* biome-ignore lint/a11y/noLabelWithoutControl: it holds its field */}
          <label className="flex items-center gap-2.5 max-sm:grid max-sm:gap-1">
            {kit('days.from')} {from}
          </label>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: it holds its field */}
          <label className="flex items-center gap-2.5 max-sm:grid max-sm:gap-1">
            {kit('days.until')} {to}
          </label>
        </div>
        {isBackwards && (
          <p className="m-0 text-small text-danger" role="alert">
            {kit('days.backwards')}
          </p>
        )}
      </div>
    )
  const items = Object.entries(getUsualPeriods(today)).map(([id, days]) => ({
    id,
    label: kit(`days.${id}`),
    checked: days.from === value.from && days.to === value.to,
    onChoose: () => onChange(days),
  }))
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Field label={kit('days.from')} error={isBackwards ? kit('days.backwards') : null}>
        {from}
      </Field>
      <Field label={kit('days.to')}>{to}</Field>
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

/** Without it browsers take years of six digits. */
const LAST_DAY = '9999-12-31'

/** The usual spans that end today, and the months. */
export function getUsualPeriods(
  today: string,
): Readonly<Record<'today' | 'yesterday' | 'week' | 'month' | 'lastMonth', DayRange>> {
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
