import { toSafeColor } from './Chip.tsx'

/**
 * The colour of a queue, 3 px wide, at the left of a row. The name has to stand in the row's accessible name too.
 * Nothing without a queue. The row must be `position: relative`.
 */
export function QueueStrip({ color }: { readonly color: string | null | undefined }) {
  if (!color) return null
  return <span className="b-strip" style={{ background: toSafeColor(color) }} aria-hidden="true" />
}

/** The square of a queue beside its name, as in headers and facts. */
export function QueueDot({ color }: { readonly color: string }) {
  return <span className="b-queue-dot" style={{ background: toSafeColor(color) }} aria-hidden="true" />
}
