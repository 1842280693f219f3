// Which rows of a list with rows of one height are drawn. Pure.
export interface Range {
  readonly from: number
  readonly to: number
}

const OVERSCAN = 6

/** Rows from `from` to before `to` for a scroll position, with a few more on both sides. */
export function computeVisibleRange(scrollTop: number, height: number, rowHeight: number, count: number): Range {
  const first = Math.floor(scrollTop / rowHeight) - OVERSCAN
  const last = Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN
  return { from: Math.max(0, Math.min(first, count)), to: Math.max(0, Math.min(last, count)) }
}

/**
 * How far the view must move so that the row the person looks at stays where it is: 0 at the top, where new rows may come in.
 */
export function computeAnchorShift(
  before: readonly number[],
  after: readonly number[],
  scrollTop: number,
  rowHeight: number,
): number {
  if (scrollTop <= 0) return 0
  const index = Math.min(before.length - 1, Math.floor(scrollTop / rowHeight))
  for (let step = 0; index + step < before.length && step < 20; step++) {
    const id = before[index + step]
    if (id === undefined || id === after[index + step]) return 0
    const now = after.indexOf(id)
    if (now !== -1) return (now - index - step) * rowHeight
  }
  return 0
}

/** How many of the first rows are others than before. */
export function countMovedRows(before: readonly number[], after: readonly number[], rows = 12): number {
  const known = new Set(before.slice(0, rows))
  return after.slice(0, rows).filter(id => !known.has(id)).length
}
