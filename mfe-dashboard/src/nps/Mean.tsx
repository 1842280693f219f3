import { useTexts } from '@balcao/ui/i18n'
import { joinClasses } from '@balcao/ui/parts'
import { Trend } from '../charts/Trend.tsx'
import { getBand } from '../dashboard/bands.ts'
import type { Filter } from '../dashboard/filter.ts'
import { Stars } from '../dashboard/Stars.tsx'
import { formatMean } from './mean-text.ts'
import { nameEarlier, namePresent } from './name-period.ts'
import type { Summary } from './use-summary.ts'

interface MeanProps {
  readonly summary: Summary
  readonly period: Pick<Filter, 'from' | 'to'>
}

/** The mean with its band, what it was before, and how it went. */
export function Mean({ summary: { now, before }, period }: MeanProps) {
  const t = useTexts('nps')
  const words = useTexts('dashboard')
  const { average } = now.rating
  return (
    <section aria-labelledby="nps-mean" className="flex min-w-0 gap-4 rounded-card border border-line bg-surface p-4.5">
      <div className="min-w-0 flex-1">
        <h2 id="nps-mean" className="m-0 text-cell font-normal text-text-2">
          {t('mean')}
        </h2>
        <p className="m-0 flex flex-wrap items-baseline gap-x-2 text-cell text-text-2" data-nps="mean">
          <span className="text-[2.25rem] leading-11 font-semibold tracking-[-1px] text-ink">
            {average === null ? '—' : formatMean(average)}
          </span>
          {average !== null && (
            <span>
              {t('of5')} · <strong className="font-semibold text-ink">{words(`band.${getBand(average)}`)}</strong>
            </span>
          )}
        </p>
        {average !== null && <Stars value={average} size={16} words="" />}
        <p className="m-0 mt-2 text-small text-text-2">
          <Compared
            average={average}
            before={before.rating.average}
            now={namePresent(period, words, t)}
            when={nameEarlier(period, words, t)}
          />
        </p>
      </div>
      <Trend months={now.trend} />
    </section>
  )
}

interface ComparedProps {
  readonly average: number | null
  readonly before: number | null
  /** 'Em novembro' */
  readonly now: string
  /** 'Em outubro' */
  readonly when: string
}

/** As the figures are shown: rounded, so that they add up. */
function Compared({ average, before, now, when }: ComparedProps) {
  const t = useTexts('nps')
  if (average === null && before === null) return t('none', { when: now })
  if (before === null) return t('none', { when })
  const was = t('was', { when, average: formatMean(before) })
  if (average === null) return `${t('none', { when: now })} ${was}`
  const change = Math.round(average * 10) - Math.round(before * 10)
  const by = formatMean(Math.abs(change) / 10)
  return (
    <>
      {was}{' '}
      <span className={joinClasses('whitespace-nowrap', change > 0 && 'font-semibold text-ok')}>
        {change === 0 ? t('same') : t(change > 0 ? 'rose' : 'fell', { by })}
      </span>
    </>
  )
}
