import { useTexts } from '@balcao/ui/i18n'
import { Banner, Button, CardSkeletons, useSkeleton } from '@balcao/ui/parts'
import { TriangleAlert } from 'lucide-react'
import { Bands } from '../dashboard/Rating.tsx'
import { Answered } from './Answered.tsx'
import { Mean } from './Mean.tsx'
import type { Summary } from './use-summary.ts'

interface TotalsProps {
  readonly summary: Summary | null
  readonly failed: boolean
  readonly onRetry: () => void
  readonly period: { readonly from: string; readonly to: string }
}

/** What the ratings come to: three cards, or why they are not there. */
export function Totals({ summary, failed, onRetry, period }: TotalsProps) {
  const t = useTexts('nps')
  const skeleton = useSkeleton(summary === null && !failed)
  return (
    <>
      {failed && (
        <div className="mb-3 overflow-hidden rounded-card" role="alert">
          <Banner
            kind="waiting"
            icon={TriangleAlert}
            action={
              <Button size="small" onClick={onRetry}>
                {t('retry')}
              </Button>
            }
          >
            {t('failed.totals')}
          </Banner>
        </div>
      )}
      {skeleton && (
        <div className="mb-3">
          <CardSkeletons cards={1} />
        </div>
      )}
      {summary && (
        <div className="mb-3 grid gap-3 md:grid-cols-2 xl:grid-cols-[1.05fr_1.35fr_1fr]">
          <Mean summary={summary} period={period} />
          <section
            aria-label={t('bands')}
            className="min-w-0 content-center rounded-card border border-line bg-surface p-4.5 md:max-xl:row-span-2"
          >
            <Bands rates={summary.now.rates} count={summary.now.rating.count} />
          </section>
          <Answered summary={summary} />
        </div>
      )}
    </>
  )
}
