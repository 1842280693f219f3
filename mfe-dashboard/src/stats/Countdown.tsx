import { useTexts } from '@balcao/ui/i18n'
import { EVERY_MS, secondsLeft } from './pace.ts'
import { useNow } from './use-now.ts'

const LENGTH = 2 * Math.PI * 5.5

/** 'Atualiza em 43 s' with its ring. */
export function Countdown({ nextAt, busy }: { readonly nextAt: number; readonly busy: boolean }) {
  const t = useTexts('dashboard')
  const now = useNow(500)
  const seconds = secondsLeft(nextAt, now)
  const share = Math.min(1, Math.max(0, (nextAt - now) / EVERY_MS))
  return (
    <p className="m-0 flex items-center gap-2 self-center text-cell text-muted" role="timer" aria-live="off">
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" className="flex-none -rotate-90">
        <circle cx="7" cy="7" r="5.5" fill="none" stroke="var(--b-line)" strokeWidth="2.5" />
        <circle
          cx="7"
          cy="7"
          r="5.5"
          fill="none"
          stroke="var(--b-primary)"
          strokeWidth="2.5"
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * (1 - share)}
        />
      </svg>
      <span className="min-w-27">{busy ? t('refreshing') : t('refreshIn', { seconds })}</span>
    </p>
  )
}
