// Something that takes place: what, when in the company's time zone, and where.
import type { MessageCardByKind } from '@balcao/contract'
import { formatDate, formatTime, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { CalendarDays, CalendarX2, Clock, MapPin } from 'lucide-react'
import { FormattedText } from '../FormattedText.tsx'
import { Head } from './Head.tsx'
import { CardLink } from './press.tsx'

export function Event({ card }: { readonly card: MessageCardByKind<'event'> }) {
  const t = useTexts('tickets')
  const { name, text, startsAt, endsAt, place, link, isCanceled } = card
  const time = formatEventTime(startsAt, endsAt)
  return (
    <div className={`m-sheet m-whole${isCanceled ? ' is-canceled' : ''}`}>
      <Head icon={isCanceled ? CalendarX2 : CalendarDays}>{name || t('media.event')}</Head>
      {isCanceled && <p className="m-state">{t('card.eventCanceled')}</p>}
      {time && (
        <p className="m-sheet-fact">
          <Icon of={Clock} size={14} />
          {time}
        </p>
      )}
      {place && (
        <p className="m-sheet-fact">
          <Icon of={MapPin} size={14} />
          {place}
        </p>
      )}
      {text && <FormattedText text={text} />}
      {link && !isCanceled && <CardLink href={link}>{t('card.join')}</CardLink>}
    </div>
  )
}

/** '24/11/2026, 14:00 – 16:00'; the other day is named where it ends on one. */
function formatEventTime(startsAt: string | null, endsAt: string | null): string | null {
  if (startsAt === null || Number.isNaN(Date.parse(startsAt))) return null
  const start = `${formatDate(startsAt)}, ${formatTime(startsAt)}`
  if (endsAt === null || Number.isNaN(Date.parse(endsAt))) return start
  const sameDay = formatDate(startsAt) === formatDate(endsAt)
  return `${start} – ${sameDay ? '' : `${formatDate(endsAt)}, `}${formatTime(endsAt)}`
}
