import { useSyncExternalStore } from 'react'

/** The three widths where the layout changes, in px (look §5): below `phone` the bottom bar, below `narrow` list or conversation, below `wide` drawers lie over. */
export const WIDTHS = { phone: 600, narrow: 960, wide: 1280 } as const

/**
 * Whether the window is narrower than a named width.
 *
 * @example const oneColumn = useNarrowerThan('narrow')
 */
export function useNarrowerThan(width: keyof typeof WIDTHS) {
  const query = `(max-width: ${WIDTHS[width] - 0.02}px)`
  return useSyncExternalStore(
    changed => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
  )
}
