import { formatNumber, useTexts } from '@balcao/ui/i18n'
import type { Stats } from './queues.ts'

const COUNTERS = [
  { key: 'open', color: 'var(--b-primary)', when: 'now' },
  { key: 'pending', color: 'var(--b-brass)', when: 'now' },
  { key: 'closed', color: 'var(--b-chart-6)', when: 'inPeriod' },
] as const

/** In service, waiting, closed (spec 1 §2). */
export function Counters({ stats }: { readonly stats: Stats }) {
  const t = useTexts('dashboard')
  return (
    <ul className="m-0 grid list-none gap-3 p-0 sm:grid-cols-3" aria-label={t('counters')}>
      {COUNTERS.map(({ key, color, when }) => (
        <li
          key={key}
          data-counter={key}
          className="flex items-center justify-between gap-3 rounded-card border border-line bg-surface px-[18px] py-3"
        >
          <div className="grid">
            <p className="m-0 flex items-center gap-2 text-cell text-text-2">
              <span className="size-2 rounded-full" style={{ background: color }} aria-hidden="true" />
              {t(key)}
            </p>
            <p className="m-0 text-counter font-semibold tracking-[-1px] text-ink">{formatNumber(stats[key])}</p>
          </div>
          <p className="m-0 text-right text-cell text-text-2">{t(when)}</p>
        </li>
      ))}
    </ul>
  )
}
