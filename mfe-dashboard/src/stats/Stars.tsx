import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { Star } from 'lucide-react'

/** Stars of a rating or a mean, with its number; '—' where nobody rated. */
export function Stars({ value }: { readonly value: number | null }) {
  const t = useTexts('dashboard')
  if (value === null) return <span className="text-muted">—</span>
  const full = Math.round(value)
  const number = formatNumber(Math.round(value * 10) / 10)
  return (
    <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
      <span className="flex" aria-hidden="true">
        {[1, 2, 3, 4, 5].map(nth => (
          <span key={nth} className={nth <= full ? 'text-star' : 'text-line-strong'}>
            <Icon of={Star} size={14} className="fill-current" />
          </span>
        ))}
      </span>
      <span className="ml-1.5" aria-hidden="true">
        {number}
      </span>
      <span className="b-only-read">{t('stars', { value: number })}</span>
    </span>
  )
}
