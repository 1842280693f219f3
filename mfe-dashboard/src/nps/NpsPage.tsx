import { api } from '@balcao/ui/api'
import { addTexts, formatDate, formatMoment, getLanguage, getTexts, toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { Avatar } from '@balcao/ui/parts'
import { Link } from '@balcao/ui/router'
import { type Column, DataPage, DateRange, type DayRange, ExportButton, useRows } from '@balcao/ui/screens'
import { Star } from 'lucide-react'
import { useState } from 'react'
import pt from '../../locales/nps/pt.json'
import '../dashboard/texts.ts'
import { BANDS } from '../dashboard/bands.ts'
import { advancePeriod, getMonth, validateDates } from '../dashboard/filter.ts'
import { useNextDay } from '../dashboard/next-day.ts'
import { Recount } from '../dashboard/Recount.tsx'
import { Stars } from '../dashboard/Stars.tsx'
import { EntryActions } from './EntryActions.tsx'
import { Filters } from './Filters.tsx'
import { makeRatingOptions, type RatingRow, toSummaryQuery } from './list.ts'
import { describeEmpty } from './name-period.ts'
import { Totals } from './Totals.tsx'
import { useSummary } from './use-summary.ts'

addTexts('nps', {
  pt,
  en: () => import('../../locales/nps/en.json'),
  es: () => import('../../locales/nps/es.json'),
})

/** What customers gave (spec 3 §2 "NPS"): the mean, how it is distributed, who answered, and each rating; live. */
export default function NpsPage() {
  const t = useTexts('nps')
  const words = useTexts('dashboard')
  const [options] = useState(() => makeRatingOptions(getMonth(toCompanyDay(new Date()))))
  const rows = useRows(options)
  const { filters } = rows
  const { summary, error, again } = useSummary(filters)
  // Days that make no period yet, for as long as the period is the one over which they were written.
  const [unfinished, setUnfinished] = useState<{ readonly days: DayRange; readonly over: DayRange } | null>(null)
  const isWritten = unfinished?.over.from === filters.from && unfinished.over.to === filters.to

  function choose({ from, to }: DayRange) {
    const isPeriod = Object.keys(validateDates({ from, to })).length === 0
    setUnfinished(isPeriod ? null : { days: { from, to }, over: filters })
    if (isPeriod) rows.filter({ from, to })
  }

  function clear() {
    setUnfinished(null)
    rows.filter({ ...options.start, ...getMonth(toCompanyDay(new Date())) })
  }

  useNextDay((then, now) => {
    const { from, to } = advancePeriod(filters, then, now)
    rows.filter({ from, to })
  })

  return (
    <DataPage
      texts="nps"
      icon={Star}
      emptyTitle={describeEmpty(filters, words, t)}
      emptyAction={
        <Link to="/connections" className="b-button is-normal">
          {t('empty.connections')}
        </Link>
      }
      rows={{ ...rows, clear }}
      columns={COLUMNS}
      isWide
      nameOf={({ contact }) => contact.name}
      buttons={
        <DateRange
          isInline
          value={isWritten ? unfinished.days : filters}
          onChange={choose}
          today={toCompanyDay(new Date())}
        />
      }
      above={
        <>
          {summary?.now.counting?.what === 'days' && (
            <div className="mb-3">
              <Recount counting={summary.now.counting} />
            </div>
          )}
          <Totals summary={summary} failed={error !== null} onRetry={again} period={filters} />
        </>
      }
      filters={
        <Filters rows={rows} summary={summary}>
          <ExportButton
            label={t('sheet')}
            begin={() =>
              api('POST /ticketNPS/export', {
                body: { ...toSummaryQuery(filters), low: filters.low, language: getLanguage() },
              })
            }
          />
        </Filters>
      }
      actionsOf={entry => <EntryActions entry={entry} />}
      cardOf={entry => ({
        before: <Face of={entry.contact} size={44} />,
        title: entry.contact.name,
        text: <Given entry={entry} />,
        note: <span className="text-muted">{formatDate(entry.createdAt)}</span>,
      })}
    />
  )
}

const COLUMNS: readonly Column<RatingRow>[] = [
  {
    id: 'contact',
    cell: ({ contact }) => (
      <span className="flex items-center gap-3">
        <Face of={contact} size={28} />
        <bdi className="max-w-64 truncate" title={contact.name}>
          {contact.name}
        </bdi>
      </span>
    ),
  },
  { id: 'rate', cell: entry => <Given entry={entry} /> },
  {
    id: 'user',
    cell: ({ user }) =>
      user && (
        <span className="flex items-center gap-2.5">
          <Face of={user} size={28} />
          <bdi className="max-w-48 truncate" title={user.name}>
            {user.name}
          </bdi>
        </span>
      ),
  },
  { id: 'at', cell: formatCreatedAt },
  {
    id: 'whatsapp',
    cell: ({ whatsapp }) => (
      <bdi className="block max-w-40 truncate" title={whatsapp.name}>
        {whatsapp.name}
      </bdi>
    ),
  },
]

/** As many stars, the figure and its band: '4 · Bom'. */
function Given({ entry: { rate } }: { readonly entry: RatingRow }) {
  return <Stars value={rate} words={`${rate} · ${getTexts('dashboard')(`band.${BANDS[rate - 1]}`)}`} />
}

interface FaceProps {
  readonly of: { readonly id: number; readonly name: string; readonly profilePicUrl: string | null }
  readonly size: number
}

function Face({ of: { id, name, profilePicUrl }, size }: FaceProps) {
  return <Avatar id={id} name={name} photo={profilePicUrl} size={size} />
}

function formatCreatedAt({ createdAt }: RatingRow): string {
  return formatMoment(createdAt)
}
