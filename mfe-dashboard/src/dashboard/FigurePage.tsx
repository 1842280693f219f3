import { useActions } from '@balcao/ui/actions'
import { describeError, formatMoment, formatTime, toCompanyDay, useTexts } from '@balcao/ui/i18n'
import { Banner, Button, CardSkeletons, ErrorState, Page, useSkeleton } from '@balcao/ui/parts'
import { useSession } from '@balcao/ui/session'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Countdown } from './Countdown.tsx'
import { changePeriod } from './change-period.ts'
import { Filters } from './Filters.tsx'
import { advancePeriod, type Filter, getMonth } from './filter.ts'
import { useNextDay } from './next-day.ts'
import { refreshNumbers } from './refresh.ts'
import { type FigureSource, useStats } from './use-stats.ts'
import './texts.ts'

interface FigurePageProps<N> {
  readonly title: string
  /** Shown as empty ones until the numbers come. */
  readonly cards: 1 | 2
  /** The same object throughout. */
  readonly source: FigureSource<N>
  readonly children: (numbers: N, filter: Filter) => ReactNode
}

/** A page of figures of a period, a person and a queue: this month's at first, kept up to date. */
export function FigurePage<N>({ title, cards, source, children }: FigurePageProps<N>) {
  const t = useTexts('dashboard')
  const [filter, setFilter] = useState<Filter>(() => ({
    ...getMonth(toCompanyDay(new Date())),
    queueId: null,
    userId: null,
  }))
  useNextDay((then, now) => setFilter(old => advancePeriod(old, then, now)))
  const [periodOpen, setPeriodOpen] = useState(false)
  const { numbers, state, error, fetchedAt, nextAt, refresh } = useStats(source, filter)
  const skeleton = useSkeleton(numbers === null && state === 'loading')
  const { company } = useSession()
  useActions(useMemo(() => [refreshNumbers(refresh), changePeriod(() => setPeriodOpen(true))], [refresh]))

  return (
    <Page
      title={title}
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
      {skeleton && <CardSkeletons cards={cards} />}
      {numbers === null && state === 'failed' && (
        <ErrorState title={t('failed.title')} text={describeError(error)} onRetry={refresh} />
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
                  <Button size="small" onClick={refresh}>
                    {t('retry')}
                  </Button>
                }
              >
                {t('stale', { time: formatTime(new Date(fetchedAt)) })}
              </Banner>
            </div>
          )}
          {children(numbers, filter)}
        </div>
      )}
    </Page>
  )
}
