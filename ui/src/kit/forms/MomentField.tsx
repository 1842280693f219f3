// A time in words: typed as people say it, picked from a chip or in the calendar, and said back in words before anything is done with it.
import { formatIsoDay, formatTimeOfDay, toWallClock } from '@balcao/contract'
import { listMoments, type MomentName } from '@balcao/contract/calendar/moments'
import { parseTimeWords } from '@balcao/contract/calendar/time-words'
import { formatMoment, formatTime, getLanguage } from '@balcao/ui/i18n'
import { Field, IconButton, TextInput, useNow } from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { CalendarDays } from 'lucide-react'
import { type ReactNode, type Ref, useRef } from 'react'
import { useFormTexts } from './texts.ts'

/** Left open, it offers what lies ahead then. */
const MINUTE_MS = 60_000

export interface MomentInput {
  readonly words: string
  /** What the words mean; null where that is not clear. */
  readonly at: Date | null
}

interface MomentFieldProps extends MomentInput {
  readonly label: string
  readonly error: string | null | undefined
  /** Said while it is empty. */
  readonly hint?: string
  readonly required?: boolean
  readonly hasFocus?: boolean
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (input: MomentInput) => void
}

export function MomentField({ label, error, hint, required, hasFocus, words, at, ref, onChange }: MomentFieldProps) {
  const t = useFormTexts()
  const timezone = useSetting('timezone')
  const calendar = useRef<HTMLInputElement>(null)
  const change = (next: string) => onChange({ words: next, at: parseTimeWords(next, new Date(), timezone) })
  const line = at ? formatMomentInWords(at, timezone) : words.trim() === '' ? hint : t('moment.unclear')
  return (
    <Field label={label} error={error} hint={<span aria-live="polite">{line}</span>} required={required}>
      <TextInput
        ref={ref}
        value={words}
        placeholder={t('moment.example')}
        autoComplete="off"
        data-autofocus={hasFocus ? '' : undefined}
        onFocus={event => event.target.select()}
        onChange={change}
        after={
          <IconButton icon={CalendarDays} label={t('moment.calendar')} onClick={() => calendar.current?.showPicker()} />
        }
      />
      <input
        ref={calendar}
        type="datetime-local"
        className="h-calendar"
        tabIndex={-1}
        aria-hidden="true"
        value={at ? toLocalTime(at, timezone) : ''}
        min={toLocalTime(new Date(), timezone)}
        onChange={({ target }) => change(target.value.replace('T', ' '))}
      />
    </Field>
  )
}

interface MomentChipsProps {
  readonly label: string
  readonly offered: readonly MomentName[]
  /** The first of them is what has the focus. */
  readonly hasFocus?: boolean
  /** Further chips behind them. */
  readonly children?: ReactNode
  readonly onChoose: (input: { readonly words: string; readonly at: Date }) => void
}

/** Those times that lie ahead still, one press each. */
export function MomentChips({ label, offered, hasFocus, children, onChoose }: MomentChipsProps) {
  const t = useFormTexts()
  const timezone = useSetting('timezone')
  const moments = listMoments(offered, new Date(useNow(MINUTE_MS)), timezone)
  return (
    <fieldset className="h-moments">
      <legend>{label}</legend>
      {moments.map(({ name, at }, index) => (
        <button
          key={name}
          type="button"
          data-autofocus={hasFocus && index === 0 ? '' : undefined}
          onClick={() => onChoose({ words: t(`moment.${name}`), at })}
        >
          {t(`moment.${name}`)}
        </button>
      ))}
      {children}
    </fieldset>
  )
}

/** `sexta-feira, 4 de dezembro, 14:00`; of another year with that year. */
export function formatMomentInWords(at: Date, timeZone: string): string {
  const isThisYear = toWallClock(at, timeZone).year === toWallClock(new Date(), timeZone).year
  const day = new Intl.DateTimeFormat(DAY_LANGUAGES[getLanguage()], {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
  return `${day.format(at)}, ${formatTime(at)}`
}

/** Days before months, as everywhere in the product. */
const DAY_LANGUAGES = { pt: 'pt-BR', en: 'en-GB', es: 'es' } as const

/** A time that is there already, in words that mean it. */
export function toMomentInput(at: Date): MomentInput {
  return { words: formatMoment(at), at }
}

function toLocalTime(instant: Date, timezone: string): string {
  const clock = toWallClock(instant, timezone)
  return `${formatIsoDay(clock)}T${formatTimeOfDay(clock)}`
}
