import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'

const DELAY = 200
const LEAST = 300

/**
 * Whether to draw the skeleton: not before 200 ms, and then for at least 300, so nothing flickers.
 *
 * @example const skeleton = useSkeleton(loading); return skeleton ? <RowSkeletons /> : loading ? null : <List />
 */
export function useSkeleton(loading: boolean) {
  const [shown, setShown] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    const wait = loading ? DELAY : Math.max(0, since.current + LEAST - Date.now())
    const timer = setTimeout(() => {
      if (loading) since.current = Date.now()
      setShown(loading)
    }, wait)
    return () => clearTimeout(timer)
  }, [loading])
  return shown
}

/** One grey bar. Width as CSS length. */
export function Bone({
  width = '100%',
  height = 12,
  round,
}: {
  width?: string | number
  height?: number
  round?: boolean
}) {
  return <span className="b-bone" style={{ width, height, borderRadius: round ? '50%' : 6 }} />
}

/** Around a group of bones: says 'loading' once to screen readers. */
export function Skeleton({ children }: { readonly children: ReactNode }) {
  const t = useTexts('ui')
  return (
    <div className="b-skeleton" role="status" aria-busy="true">
      <span className="b-only-read">{t('loading')}</span>
      {children}
    </div>
  )
}

/** Rows with avatar and three lines, as in the list of conversations. */
export function RowSkeletons({ rows = 6 }: { readonly rows?: number }) {
  return (
    <Skeleton>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={row} className="b-bone-row" style={{ opacity: Math.max(0.25, 1 - row * 0.16) }}>
          <Bone width={44} height={44} round />
          <div>
            <Bone width={`${[56, 44, 64][row % 3]}%`} />
            <Bone width={`${[78, 64, 86][row % 3]}%`} height={10} />
            <Bone width="30%" height={9} />
          </div>
        </div>
      ))}
    </Skeleton>
  )
}

/** Cards, as on the pages of administration. */
export function CardSkeletons({ cards = 3 }: { readonly cards?: number }) {
  return (
    <Skeleton>
      {Array.from({ length: cards }, (_, card) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={card} className="b-card b-bone-card">
          <Bone width="34%" height={14} />
          <Bone width="58%" />
        </div>
      ))}
    </Skeleton>
  )
}
