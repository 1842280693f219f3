// When it will go out, to how many, and how long that takes: said before it is saved.
import { calendarOf, nextRun, onceAt, sendEstimate } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useAsked } from '@balcao/ui/ask'
import { currentLanguage, formatDate, formatTime } from '@balcao/ui/i18n'
import { useSettings } from '@balcao/ui/session'
import { CalendarClock } from 'lucide-react'
import { type Draft, formOf } from './schedule-draft.ts'
import { useFormTexts } from './texts.ts'

interface OutlookProps {
  readonly draft: Draft
  readonly contactId: number | null
}

const DEBOUNCE_MS = 500
/** Of those that come again. */
const RUNS_SHOWN = 3

export function Outlook({ draft, contactId }: OutlookProps) {
  const t = useFormTexts()
  const settings = useSettings()
  const { timezone } = settings
  const form = formOf(draft, contactId)
  const runs = form.recurrence === 'once' ? [onceAt(form, timezone)] : nextRuns(form, settings)
  const [when] = runs
  const count = useCount(draft, contactId)
  const { unit, value } = sendEstimate(count ?? 0)
  return (
    <div className="h-outlook" aria-live="polite">
      <CalendarClock size={20} strokeWidth={1.6} aria-hidden="true" />
      <p>
        <strong>{when ? t('schedule.when', partsOf(when, timezone)) : t('schedule.whenOpen')}</strong>
        {runs.length > 1 && (
          <span>
            {t('schedule.then', {
              days: runs
                .slice(1)
                .map(run => run && formatDate(run))
                .join(', '),
            })}{' '}
          </span>
        )}
        {count !== null && count > 0 && (
          <span>
            {t('schedule.reaches', { count })} {t(`schedule.estimate.${unit}`, { count: value })}
          </span>
        )}
        {count === 0 && <span>{t('schedule.reachesNobody')}</span>}
      </p>
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
  const language = currentLanguage() === 'pt' ? 'pt-BR' : currentLanguage()
  const weekday = new Intl.DateTimeFormat(language, { timeZone, weekday: 'long' }).format(when)
  return { weekday, date: formatDate(when), time: formatTime(when) }
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
