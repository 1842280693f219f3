import { useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { Star } from 'lucide-react'
import { formatOneDigit } from './one-digit.ts'

interface StarsProps {
  readonly value: number | null
  readonly size?: 14 | 16 | 20
  /** In place of the number: '4 · Bom', or nothing where it stands elsewhere. */
  readonly words?: string
}

/** Stars of a rating or a mean, with its number; '—' where nobody rated. */
export function Stars({ value, size = 14, words }: StarsProps) {
  const t = useTexts('dashboard')
  if (value === null) return <span className="text-muted">—</span>
  const full = Math.round(value)
  const number = formatOneDigit(value)
  return (
    <span className="inline-flex items-center gap-0.5 whitespace-nowrap">
      <span className="flex" aria-hidden="true">
        {[1, 2, 3, 4, 5].map(nth => (
          <span key={nth} className={nth <= full ? 'text-star' : 'text-line'}>
            <Icon of={Star} size={size} className="fill-current" />
          </span>
        ))}
      </span>
      {words !== '' && (
        <span className="ml-1.5" aria-hidden="true">
          {words ?? number}
        </span>
      )}
      <span className="b-only-read">{t('stars', { value: number })}</span>
    </span>
  )
}
