import { useTexts } from '@balcao/ui/i18n'
import { Ring, useNow } from '@balcao/ui/parts'
import { countSecondsLeft, EVERY_MS } from './pace.ts'

/** 'Atualiza em 43 s' with its ring. */
export function Countdown({ nextAt, busy }: { readonly nextAt: number; readonly busy: boolean }) {
  const t = useTexts('dashboard')
  const now = useNow(500)
  const seconds = countSecondsLeft(nextAt, now)
  return (
    <p className="b-no-print m-0 flex items-center gap-2 self-center text-cell text-muted" role="timer" aria-live="off">
      <Ring share={(nextAt - now) / EVERY_MS} />
      <span className="min-w-27">{busy ? t('refreshing') : t('refreshIn', { seconds })}</span>
    </p>
  )
}
