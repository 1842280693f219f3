// How often and when: recurrences as rows in words, of which the chosen one opens with its fields and what follows from them. Times are
// the company's, whatever the device says.
import { parseOnceInstant, parseRecurrence, type Recurrence, type ScheduleFault, WEEKDAYS } from '@balcao/contract'
import type { MomentName } from '@balcao/contract/calendar/moments'
import { Field, Select, TextInput } from '@balcao/ui/parts'
import { useId, useRef, useState } from 'react'
import { MomentChips, MomentField, type MomentInput, toMomentInput } from './MomentField.tsx'
import { NextRuns } from './ScheduleOutlook.tsx'
import { type ScheduleDraft, toOnceFields, toScheduleForm } from './schedule-draft.ts'
import { useFormTexts } from './texts.ts'

interface WhenFieldsProps {
  readonly draft: ScheduleDraft
  readonly timezone: string
  readonly offered: readonly Recurrence[]
  /** The time of one that goes out once is what is filled in first. */
  readonly hasFocus: boolean
  readonly problem: (path: ScheduleFault['path']) => string | null
  readonly onChange: (change: Partial<ScheduleDraft>) => void
}

const MOMENTS: readonly MomentName[] = ['thisEvening', 'tomorrow', 'monday']
/** The longest month has 23 working days. */
const MOST_WORKING_DAYS = 23
const NTH = Array.from({ length: MOST_WORKING_DAYS }, (_, day) => String(day + 1))

export function WhenFields({ offered: usual, ...props }: WhenFieldsProps) {
  const t = useFormTexts()
  const { draft, problem, onChange } = props
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
          {value === recurrence && recurrence === 'once' && (
            <div className="h-every-open">
              <OnceField {...props} />
            </div>
          )}
          {value === recurrence && recurrence !== 'once' && (
            <div className="h-every-open">
              <div className="h-every-fields">
                <ValueField {...{ draft, problem, onChange }} />
                <Field label={t('schedule.time')} error={problem('sendAt')} required>
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

/** In words, as long as they mean what the draft holds. */
function OnceField({ draft, timezone, hasFocus, problem, onChange }: Omit<WhenFieldsProps, 'offered'>) {
  const t = useFormTexts()
  const [typed, setTyped] = useState<MomentInput | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const at = parseOnceInstant(toScheduleForm(draft, null), timezone)
  const input = typed?.at?.getTime() === at?.getTime() ? typed : at && toMomentInput(at)
  function change(next: MomentInput) {
    setTyped(next)
    onChange(toOnceFields(next.at, timezone))
  }
  return (
    <>
      <MomentChips
        label={t('schedule.moments')}
        offered={MOMENTS}
        onChoose={next => {
          change(next)
          // Enter saves it from there.
          field.current?.focus()
        }}
      />
      <MomentField
        ref={field}
        label={t('schedule.date')}
        error={problem('sendAt')}
        hint={t('schedule.whenOpen')}
        hasFocus={hasFocus}
        words={input?.words ?? ''}
        at={at}
        onChange={change}
        required
      />
    </>
  )
}

/** What a recurrence wants to be known beside the time of day. */
function ValueField({ draft, problem, onChange }: Pick<WhenFieldsProps, 'draft' | 'problem' | 'onChange'>) {
  const t = useFormTexts()
  switch (draft.recurrence) {
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
