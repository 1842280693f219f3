// Long lists stand folded: what one message costs to draw is bounded.
import { useTexts } from '@balcao/ui/i18n'
import { type ReactNode, useState } from 'react'

/** So many are shown at first; each press shows four times as many. */
const FIRST = 8
const STEP = 4

/** The beginning of a list, and the button for more of it; null when all of it is shown. */
export function useSome<T>(all: readonly T[]): readonly [readonly T[], ReactNode] {
  const t = useTexts('tickets')
  const [most, setMost] = useState(FIRST)
  const more = all.length > most && (
    <button type="button" className="m-unfold" onClick={() => setMost(most * STEP)}>
      {t('card.more', { count: all.length - most })}
    </button>
  )
  return [all.slice(0, most), more || null]
}
