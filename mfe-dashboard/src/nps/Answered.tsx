import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { ThinBar } from '../charts/Chart.tsx'
import type { Summary } from './use-summary.ts'

/** How many of those who were asked answered, and what became of the others. */
export function Answered({ summary: { now } }: { readonly summary: Summary }) {
  const t = useTexts('nps')
  const { asked, answered, waiting } = now
  const silent = asked - answered - waiting
  return (
    <section aria-labelledby="nps-answered" className="min-w-0 rounded-card border border-line bg-surface p-4.5">
      <h2 id="nps-answered" className="m-0 text-cell font-normal text-text-2">
        {t('answered')}
      </h2>
      {asked === 0 ? (
        <p className="m-0 mt-2 text-cell text-muted">{t('nobodyAsked')}</p>
      ) : (
        <>
          <p className="m-0 text-cell text-text-2" data-nps="answered">
            <span className="text-counter font-semibold text-ink">{formatNumber(answered)}</span>{' '}
            {t('ofAsked', { count: asked })}
          </p>
          <ThinBar share={answered / asked} className="mt-2 mb-3" />
          <p className="m-0 text-small text-text-2">
            {silent > 0 && t('silent', { count: silent })} {waiting > 0 && t('waiting', { count: waiting })}
            {silent === 0 && waiting === 0 && t('all')}
          </p>
        </>
      )}
    </section>
  )
}
