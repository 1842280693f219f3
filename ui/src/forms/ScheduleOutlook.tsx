// When it will go out, to how many, and how long that takes: said before it is saved.
import { nextRun, onceAt, sendEstimate } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useAsked } from '@balcao/ui/ask'
import { currentLanguage, formatDate, formatTime } from '@balcao/ui/i18n'
import { CalendarClock } from 'lucide-react'
import { type Draft, formOf } from './schedule-draft.ts'
import { useFormTexts } from './texts.ts'

interface OutlookProps {
  readonly draft: Draft
  readonly contactId: number
  readonly timezone: string
}

const DEBOUNCE_MS = 500

export function Outlook({ draft, contactId, timezone }: OutlookProps) {
  const t = useFormTexts()
  const form = formOf(draft, contactId)
  const when = form.recurrence === 'once' ? onceAt(form, timezone) : nextRun(form, new Date(), timezone)
  const count = useCount(draft, contactId)
  const { unit, value } = sendEstimate(count ?? 0)
  return (
    <div className="h-outlook" aria-live="polite">
      <CalendarClock size={20} strokeWidth={1.6} aria-hidden="true" />
      <p>
        <strong>{when ? t('schedule.when', partsOf(when, timezone)) : t('schedule.whenOpen')}</strong>
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

function partsOf(when: Date, timeZone: string) {
  const language = currentLanguage() === 'pt' ? 'pt-BR' : currentLanguage()
  const weekday = new Intl.DateTimeFormat(language, { timeZone, weekday: 'long' }).format(when)
  return { weekday, date: formatDate(when), time: formatTime(when) }
}

/** How many contacts it goes to, as the server counts them; null while that is not known. */
function useCount(draft: Draft, contactId: number): number | null {
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
