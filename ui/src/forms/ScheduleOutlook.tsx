// When it will go out, to how many, and how long that takes: said before it is saved.
import { calendarOf, nextRun, onceAt, sendEstimate } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useAsked } from '@balcao/ui/ask'
import { currentLanguage, formatDate, formatTime } from '@balcao/ui/i18n'
import { useSettings } from '@balcao/ui/session'
import { Timer } from 'lucide-react'
import { type Draft, formOf } from './schedule-draft.ts'
import { useFormTexts } from './texts.ts'

interface OutlookProps {
  readonly draft: Draft
  readonly contactId: number | null
}

const DEBOUNCE_MS = 500
/** Of those that come again: the next one in words, and three more. */
const RUNS_SHOWN = 4

/** Whom it reaches, and how long that takes. */
export function Outlook({ draft, contactId }: OutlookProps) {
  const t = useFormTexts()
  const count = useCount(draft, contactId)
  const { unit, value } = sendEstimate(count ?? 0)
  if (count === null) return null
  return (
    <p className="h-outlook" aria-live="polite">
      <Timer size={16} strokeWidth={1.6} aria-hidden="true" />
      {count > 0 ? (
        <span>
          <strong>{t('schedule.reaches', { count })}</strong> {t(`schedule.estimate.${unit}`, { count: value })}
        </span>
      ) : (
        <span>{t('schedule.reachesNobody')}</span>
      )}
    </p>
  )
}

/** When it goes out, in words, and of one that comes again the times after that. */
export function NextRuns({ draft }: Pick<OutlookProps, 'draft'>) {
  const t = useFormTexts()
  const settings = useSettings()
  const { timezone } = settings
  const form = formOf(draft, null)
  const runs = form.recurrence === 'once' ? [onceAt(form, timezone)] : nextRuns(form, settings)
  const [when, ...others] = runs
  return (
    <div className="h-next" aria-live="polite">
      <strong>{when ? t('schedule.when', partsOf(when, timezone)) : t('schedule.whenOpen')}</strong>
      {others.length > 0 && (
        <ul aria-label={t('schedule.then')}>
          {others.map(run => run && <li key={run.getTime()}>{shortDay(run, timezone)}</li>)}
        </ul>
      )}
    </div>
  )
}

/** The next times of one that comes again, working days as the company has them. */
function nextRuns(form: ReturnType<typeof formOf>, settings: ReturnType<typeof useSettings>): Date[] {
  const { worksOn } = calendarOf(settings)
  const runs: Date[] = []
  let after = new Date()
  while (runs.length < RUNS_SHOWN) {
    const next = nextRun(form, after, settings.timezone, worksOn)
    if (!next) break
    runs.push(next)
    after = next
  }
  return runs
}

function partsOf(when: Date, timeZone: string) {
  return { weekday: weekdayOf(when, timeZone, 'long'), date: formatDate(when), time: formatTime(when) }
}

/** `sáb 05/12/2026`. */
function shortDay(when: Date, timeZone: string): string {
  return `${weekdayOf(when, timeZone, 'short').replace('.', '')} ${formatDate(when)}`
}

function weekdayOf(when: Date, timeZone: string, weekday: 'long' | 'short'): string {
  const language = currentLanguage() === 'pt' ? 'pt-BR' : currentLanguage()
  return new Intl.DateTimeFormat(language, { timeZone, weekday }).format(when)
}

/** How many contacts it goes to, as the server counts them; null while that is not known. */
function useCount(draft: Draft, contactId: number | null): number | null {
  const { allContacts, contactsIds, tagsIds } = formOf(draft, contactId)
  const asked = allContacts || contactsIds.length > 0 || tagsIds.length > 0
  const [contacts, tags] = [contactsIds.join(','), tagsIds.join(',')]
  const ask = () =>
    api('GET /agendamento/count', {
      query: { allContacts: allContacts ? 'true' : 'false', contactsIds: contacts, tagsIds: tags },
    })
  // An estimate that does not come is left out: saving tells what is wrong.
  return useAsked(asked ? `${allContacts} ${contacts} ${tags}` : null, ask, { waitMs: DEBOUNCE_MS }).now?.count ?? null
}
