// How often and when: the fields follow the recurrence. Times are the company's, whatever the device says.
import { recurrenceOf, type ScheduleFault, WEEKDAYS, wallClockAt } from '@balcao/contract'
import { Field, Select, TextInput } from '@balcao/ui/parts'
import { type Draft, OFFERED } from './schedule-draft.ts'
import { useFormTexts } from './texts.ts'

interface WhenFieldsProps {
  readonly draft: Draft
  readonly timezone: string
  readonly problem: (path: ScheduleFault['path']) => string | null
  readonly onChange: (change: Partial<Draft>) => void
}

export function WhenFields({ draft, timezone, problem, onChange }: WhenFieldsProps) {
  const t = useFormTexts()
  // One made elsewhere may follow a recurrence that is not offered here: it can be kept.
  const offered = OFFERED.includes(draft.recurrence) ? OFFERED : [...OFFERED, draft.recurrence]
  const { recurrence } = draft
  const today = wallClockAt(new Date(), timezone)
  const least = `${today.year}-${String(today.month).padStart(2, '0')}-${String(today.day).padStart(2, '0')}`
  return (
    <div className="h-when">
      <Field label={t('schedule.recurrence')} error={problem('recurrence')} required>
        <Select
          options={offered.map(value => ({ value, label: t(`schedule.every.${value}`) }))}
          value={recurrence}
          onChange={next => onChange({ recurrence: recurrenceOf(next ?? '') ?? recurrence })}
        />
      </Field>
      {recurrence === 'once' && (
        <Field label={t('schedule.date')} error={problem('sendAt')} required>
          <TextInput type="date" min={least} value={draft.date} onChange={date => onChange({ date })} />
        </Field>
      )}
      {recurrence === 'every_week' && (
        <Field label={t('schedule.weekday')} error={problem('RValue')} required>
          <Select
            options={WEEKDAYS.map(value => ({ value, label: t(`schedule.day.${value}`) }))}
            value={WEEKDAYS.find(day => day === draft.weekday) ?? null}
            onChange={weekday => onChange({ weekday: weekday ?? '' })}
          />
        </Field>
      )}
      {recurrence === 'every_month' && (
        <Field label={t('schedule.monthDay')} error={problem('RValue')} hint={t('schedule.monthDayHint')} required>
          <TextInput
            inputMode="numeric"
            maxLength={2}
            placeholder={t('schedule.dayExample')}
            value={draft.day}
            onChange={day => onChange({ day })}
          />
        </Field>
      )}
      {recurrence === 'quarterly' && (
        <Field label={t('schedule.quarter')} error={problem('RValue')} hint={t('schedule.quarterHint')} required>
          <TextInput
            maxLength={5}
            placeholder={t('schedule.quarterExample')}
            value={draft.quarter}
            onChange={quarter => onChange({ quarter })}
          />
        </Field>
      )}
      <Field label={t('schedule.time')} error={recurrence === 'once' ? null : problem('sendAt')} required>
        <TextInput type="time" value={draft.time} onChange={time => onChange({ time: time.slice(0, 5) })} />
      </Field>
    </div>
  )
}
