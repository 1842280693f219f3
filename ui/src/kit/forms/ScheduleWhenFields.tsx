// How often and when: recurrences as rows in words, of which the chosen one opens with its fields and what follows from them. Times are
// the company's, whatever the device says.
import {
  formatIsoDay,
  parseRecurrence,
  type Recurrence,
  type ScheduleFault,
  toWallClock,
  WEEKDAYS,
} from '@balcao/contract'
import { Field, Select, TextInput } from '@balcao/ui/parts'
import { useId } from 'react'
import { NextRuns } from './ScheduleOutlook.tsx'
import type { ScheduleDraft } from './schedule-draft.ts'
import { useFormTexts } from './texts.ts'

interface WhenFieldsProps {
  readonly draft: ScheduleDraft
  readonly timezone: string
  readonly offered: readonly Recurrence[]
  readonly problem: (path: ScheduleFault['path']) => string | null
  readonly onChange: (change: Partial<ScheduleDraft>) => void
}

/** The longest month has 23 working days. */
const MOST_WORKING_DAYS = 23
const NTH = Array.from({ length: MOST_WORKING_DAYS }, (_, day) => String(day + 1))

export function WhenFields({ offered: usual, ...props }: WhenFieldsProps) {
  const t = useFormTexts()
  const { draft, timezone, problem, onChange } = props
  // One made elsewhere may follow a recurrence that is not offered here: it can be kept.
  const offered = usual.includes(draft.recurrence) ? usual : [...usual, draft.recurrence]
  const name = useId()
  const { recurrence, time } = draft
  const wrong = problem('recurrence')
  return (
    <fieldset className="h-when">
      <legend className="b-label">{t('schedule.recurrence')}</legend>
      {offered.map(value => (
        <div key={value} className="h-every" data-chosen={value === recurrence || undefined}>
          <label className="h-every-head">
            <input
              type="radio"
              name={name}
              checked={value === recurrence}
              onChange={() => onChange({ recurrence: parseRecurrence(value) ?? recurrence })}
            />
            <span className="h-every-name">{t(`schedule.every.${value}`)}</span>
            {value !== recurrence && <span className="h-quiet">{t(`schedule.inWords.${value}`, { time })}</span>}
          </label>
          {value === recurrence && (
            <div className="h-every-open">
              <div className="h-every-fields">
                <ValueField {...{ draft, timezone, problem, onChange }} />
                <Field label={t('schedule.time')} error={recurrence === 'once' ? null : problem('sendAt')} required>
                  <TextInput type="time" value={time} onChange={next => onChange({ time: next.slice(0, 5) })} />
                </Field>
              </div>
              <NextRuns draft={draft} />
            </div>
          )}
        </div>
      ))}
      {wrong && (
        <p className="h-wrong" role="alert">
          {wrong}
        </p>
      )}
    </fieldset>
  )
}

/** What a recurrence wants to be known beside the time of day. */
function ValueField({ draft, timezone, problem, onChange }: Omit<WhenFieldsProps, 'offered'>) {
  const t = useFormTexts()
  switch (draft.recurrence) {
    case 'once':
      return (
        <Field label={t('schedule.date')} error={problem('sendAt')} required>
          <TextInput type="date" min={getToday(timezone)} value={draft.date} onChange={date => onChange({ date })} />
        </Field>
      )
    case 'every_week':
      return (
        <Field label={t('schedule.weekday')} error={problem('RValue')} required>
          <Select
            options={WEEKDAYS.map(value => ({ value, label: t(`schedule.day.${value}`) }))}
            value={WEEKDAYS.find(day => day === draft.weekday) ?? null}
            onChange={weekday => onChange({ weekday: weekday ?? '' })}
          />
        </Field>
      )
    case 'every_month':
      return (
        <Field label={t('schedule.monthDay')} error={problem('RValue')} hint={t('schedule.monthDayHint')} required>
          <TextInput
            inputMode="numeric"
            maxLength={2}
            placeholder={t('schedule.dayExample')}
            value={draft.day}
            onChange={day => onChange({ day })}
          />
        </Field>
      )
    case 'quarterly':
      return (
        <Field label={t('schedule.quarter')} error={problem('RValue')} hint={t('schedule.quarterHint')} required>
          <TextInput
            maxLength={5}
            placeholder={t('schedule.quarterExample')}
            value={draft.quarter}
            onChange={quarter => onChange({ quarter })}
          />
        </Field>
      )
    case 'business_day':
      return (
        <Field label={t('schedule.nth')} error={problem('RValue')} required>
          <Select
            options={NTH.map(value => ({ value, label: t('schedule.nthDay', { nth: value }) }))}
            value={draft.nth || null}
            onChange={nth => onChange({ nth: nth ?? '' })}
          />
        </Field>
      )
    default:
      return null
  }
}

function getToday(timezone: string): string {
  return formatIsoDay(toWallClock(new Date(), timezone))
}
