import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { Gauge, ThinBar } from '../charts/Chart.tsx'
import { BAND_COLORS, BANDS, getBand } from './bands.ts'
import type { Numbers } from './numbers.ts'
import { formatOneDigit } from './one-digit.ts'
import { Panel } from './Panel.tsx'

/** What customers gave: the mean on its gauge, and how many gave what. */
export function Rating({ stats: { rating, rates } }: Pick<Numbers, 'stats'>) {
  const t = useTexts('dashboard')
  const { average, count } = rating
  const mean =
    average === null ? '' : t('meanOf', { band: t(`band.${getBand(average)}`), average: formatOneDigit(average) })
  return (
    <Panel title={t('rating')} finding={count > 0 ? t('answers', { count }) : undefined}>
      {average === null ? (
        <p className="m-0 py-10 text-center text-cell text-muted">{t('noRatings')}</p>
      ) : (
        <div className="flex flex-wrap items-center justify-center gap-x-8 gap-y-4">
          <Gauge
            title={t('rating')}
            value={average}
            most={5}
            words={mean}
            bands={BANDS.map(band => ({ name: t(`band.${band}`), color: BAND_COLORS[band] }))}
          />
          <Bands rates={rates} count={count} />
        </div>
      )}
    </Panel>
  )
}

interface BandsProps {
  /** How many gave 1, 2, 3, 4 and 5. */
  readonly rates: readonly number[]
  readonly count: number
}

export function Bands({ rates, count }: BandsProps) {
  const t = useTexts('dashboard')
  const most = Math.max(1, ...rates)
  return (
    <table className="w-full min-w-56 flex-1 border-collapse text-cell" aria-label={t('bands')}>
      <tbody>
        {BANDS.map((band, n) => ({ band, value: rates[n] ?? 0 }))
          .reverse()
          .map(({ band, value }) => (
            <tr key={band} className="h-6">
              <th scope="row" className="w-24 text-left font-normal text-ink">
                <span className="flex items-center gap-2">
                  <span
                    className="size-2.5 shrink-0 rounded-[3px]"
                    style={{ background: BAND_COLORS[band] }}
                    aria-hidden="true"
                  />
                  {t(`band.${band}`)}
                </span>
              </th>
              <td aria-hidden="true" className="pr-2">
                <ThinBar share={value / most} color={BAND_COLORS[band]} />
              </td>
              <td className="w-12 text-right font-semibold text-ink">{formatNumber(value)}</td>
              <td className="w-11 text-right text-muted">{count === 0 ? 0 : Math.round((value / count) * 100)}%</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
