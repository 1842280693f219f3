// When it will go out, to how many, and how long that takes: said before it is saved.
import { estimateSendDuration, findNextRun, getCalendar } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { formatDate, formatTime, getLanguage } from '@balcao/ui/i18n'
import { useSettings } from '@balcao/ui/session'
import { Timer } from 'lucide-react'
import { type ScheduleDraft, toScheduleForm } from './schedule-draft.ts'
import { useFormTexts } from './texts.ts'

interface OutlookProps {
  readonly draft: ScheduleDraft
  readonly contactId: number | null
}

const DEBOUNCE_MS = 500
/** Of those that come again: the next one in words, and three more. */
const RUNS_SHOWN = 4

/** Whom it reaches, and how long that takes. */
export function Outlook({ draft, contactId }: OutlookProps) {
  const t = useFormTexts()
  const count = useCount(draft, contactId)
  const { unit, value } = estimateSendDuration(count ?? 0)
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

/** When one that comes again goes out, in words, and the times after that. */
export function NextRuns({ draft }: Pick<OutlookProps, 'draft'>) {
  const t = useFormTexts()
  const settings = useSettings()
  const { timezone } = settings
  const form = toScheduleForm(draft, null)
  const [when, ...others] = listNextRuns(form, settings)
  return (
    <div className="h-next" aria-live="polite">
      <strong>{when ? t('schedule.when', formatRunParts(when, timezone)) : t('schedule.whenOpen')}</strong>
      {others.length > 0 && (
        <ul aria-label={t('schedule.then')}>
          {others.map(run => (
            <li key={run.getTime()}>{formatShortDay(run, timezone)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The next times of one that comes again, working days as the company has them. */
function listNextRuns(form: ReturnType<typeof toScheduleForm>, settings: ReturnType<typeof useSettings>): Date[] {
  const { worksOn } = getCalendar(settings)
  const runs: Date[] = []
  let after = new Date()
  while (runs.length < RUNS_SHOWN) {
    const next = findNextRun(form, after, settings.timezone, worksOn)
    if (!next) break
    runs.push(next)
    after = next
  }
  return runs
}

function formatRunParts(when: Date, timeZone: string) {
  return { weekday: formatWeekday(when, timeZone, 'long'), date: formatDate(when), time: formatTime(when) }
}

/** `sáb 05/12/2026`. */
function formatShortDay(when: Date, timeZone: string): string {
  return `${formatWeekday(when, timeZone, 'short').replace('.', '')} ${formatDate(when)}`
}

function formatWeekday(when: Date, timeZone: string, weekday: 'long' | 'short'): string {
  const language = getLanguage() === 'pt' ? 'pt-BR' : getLanguage()
  return new Intl.DateTimeFormat(language, { timeZone, weekday }).format(when)
}

/** How many contacts it goes to, as the server counts them; null while that is not known. */
function useCount(draft: ScheduleDraft, contactId: number | null): number | null {
  const { allContacts, contactsIds, tagsIds } = toScheduleForm(draft, contactId)
  const hasRecipients = allContacts || contactsIds.length > 0 || tagsIds.length > 0
  const [contacts, tags] = [contactsIds.join(','), tagsIds.join(',')]
  const ask = () =>
    api('GET /agendamento/count', {
      query: { allContacts: allContacts ? 'true' : 'false', contactsIds: contacts, tagsIds: tags },
    })
  // An estimate that does not come is left out: saving tells what is wrong.
  return (
    useQuery(hasRecipients ? `${allContacts} ${contacts} ${tags}` : null, ask, { waitMs: DEBOUNCE_MS }).now?.count ??
    null
  )
}
