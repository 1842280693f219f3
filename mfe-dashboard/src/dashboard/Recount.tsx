import type { CountingProgress } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Banner } from '@balcao/ui/parts'
import { CalendarClock } from 'lucide-react'

/** Says that figures are still by the former time zone or opening hours, and how far the new ones are counted. */
export function Recount({ counting }: { readonly counting: CountingProgress }) {
  const t = useTexts('dashboard')
  return (
    <div className="overflow-hidden rounded-card">
      <Banner kind="waiting" icon={CalendarClock} progress={counting.done}>
        {t(getRecountKey(counting), { timezone: counting.timezone ?? '' })}
      </Banner>
    </div>
  )
}

function getRecountKey({ what, timezone }: CountingProgress) {
  if (what === 'times') return 'recount.times'
  return timezone === null ? 'recount.first' : 'recount.days'
}
