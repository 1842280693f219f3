import { useActions } from '@balcao/ui/actions'
import { formatMoment, formatTime, toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { Banner, Button, CardSkeletons, ErrorState, Page, useSkeleton } from '@balcao/ui/parts'
import { useSession } from '@balcao/ui/session'
import { TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import { changePeriod } from './change-period.ts'
import { refreshNumbers } from './refresh.ts'
import './texts.ts'
import { ByQueue } from './ByQueue.tsx'
import { Countdown } from './Countdown.tsx'
import { Counters } from './Counters.tsx'
import { Facts } from './Facts.tsx'
import { Filters } from './Filters.tsx'
import { advancePeriod, type Filter, getMonth } from './filter.ts'
import { Hours } from './Hours.tsx'
import { useNextDay } from './next-day.ts'
import { People } from './People.tsx'
import { Rating } from './Rating.tsx'
import { Recount } from './Recount.tsx'
import { ServiceLevel } from './ServiceLevel.tsx'
import { Shares } from './Shares.tsx'
import { toShares } from './shares.ts'
import { useStats } from './use-stats.ts'

/** The dashboard: how the company serves now and in a period (spec 1 §2). */
export default function DashboardPage() {
  const t = useTexts('dashboard')
  const [filter, setFilter] = useState<Filter>(() => ({
    ...getMonth(toCompanyDay(new Date())),
    queueId: null,
    userId: null,
  }))
  useNextDay((then, now) => setFilter(old => advancePeriod(old, then, now)))
  const [periodOpen, setPeriodOpen] = useState(false)
  const { numbers, state, fetchedAt, nextAt, refresh } = useStats(filter)
  const skeleton = useSkeleton(numbers === null && state === 'loading')
  const { company } = useSession()
  const shares = useMemo(() => toShares(numbers, t), [numbers, t])
  useActions(useMemo(() => [refreshNumbers(refresh), changePeriod(() => setPeriodOpen(true))], [refresh]))

  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Countdown nextAt={nextAt} busy={state === 'loading' && numbers !== null} />
          <Filters
            filter={filter}
            onChange={part => setFilter(old => ({ ...old, ...part }))}
            periodOpen={periodOpen}
            onPeriod={setPeriodOpen}
          />
        </>
      }
    >
      {skeleton && <CardSkeletons cards={2} />}
      {numbers === null && state === 'failed' && (
        <ErrorState title={t('failed.title')} text={t('failed.text')} onRetry={() => void refresh()} />
      )}
      {numbers !== null && !skeleton && (
        <div className="grid gap-3">
          <p className="b-only-print m-0 text-small text-text-2">
            {company && `${company} · `}
            {t('numbersOf', { when: formatMoment(new Date(fetchedAt)) })}
          </p>
          {state === 'failed' && (
            <div className="overflow-hidden rounded-card">
              <Banner
                kind="waiting"
                icon={TriangleAlert}
                action={
                  <Button size="small" onClick={() => void refresh()}>
                    {t('retry')}
                  </Button>
                }
              >
                {t('stale', { time: formatTime(new Date(fetchedAt)) })}
              </Banner>
            </div>
          )}
          {numbers.stats.counting && <Recount counting={numbers.stats.counting} />}
          <Counters numbers={numbers} filter={filter} />
          <ServiceLevel level={numbers.serviceLevel} />
          <Facts cards={numbers.cards} />
          <div className="grid gap-3 lg:grid-cols-2">
            <Hours stats={numbers.stats} />
            <Rating stats={numbers.stats} />
          </div>
          <div className="grid gap-3 lg:grid-cols-3">
            <Shares id="person" values={shares.person} />
            <Shares id="contact" values={shares.contact} />
            <Shares id="queue" values={shares.queue} />
          </div>
          <People people={numbers.people} queueId={filter.queueId} />
          <ByQueue queues={numbers.stats.queues} />
        </div>
      )}
    </Page>
  )
}
