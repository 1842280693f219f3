import { parsePeriodWords } from '@balcao/contract/calendar/period-words'
import { useTexts } from '@balcao/ui/i18n'
import { Field, TextInput } from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { useState } from 'react'
import { formatPeriod } from './format-period.ts'
import { ask, type SearchRequest } from './search-store.ts'

/** Written in words; what is not clear is no filter, and says so. */
export function PeriodField({ request: { period } }: { readonly request: SearchRequest }) {
  const t = useTexts('tickets')
  const timezone = useSetting('timezone')
  /** What was written and is no period. */
  const [words, setWords] = useState('')
  // Chosen or dropped beside it, it stands here too.
  if (period && words !== '') setWords('')
  const shown = period ? period.words : words
  function change(next: string) {
    setWords(next)
    const days = parsePeriodWords(next, new Date(), timezone)
    ask({ period: days && { ...days, words: next } })
  }
  const hint = period ? formatPeriod(period) : shown.trim() === '' ? t('search.periodHint') : t('search.periodUnclear')
  return (
    <Field label={t('search.period')} hint={<span aria-live="polite">{hint}</span>}>
      <TextInput value={shown} onChange={change} maxLength={60} autoComplete="off" />
    </Field>
  )
}
