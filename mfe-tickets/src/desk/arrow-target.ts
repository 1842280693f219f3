// Arrows among things that stand in rows.

/** What an arrow leads to; up and down by where they stand, so groups of any length work. */
export function findArrowTarget<Element extends HTMLElement>(
  items: readonly Element[],
  at: number,
  key: string,
): Element | undefined {
  const now = items[at]
  if (!now) return undefined
  if (key === 'ArrowRight') return items[at + 1]
  if (key === 'ArrowLeft') return items[at - 1]
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
  const { left, top } = now.getBoundingClientRect()
  const further = key === 'ArrowDown' ? items.slice(at + 1) : items.slice(0, at).reverse()
  const rows = further.filter(item => Math.abs(item.getBoundingClientRect().top - top) > 4).slice(0, 24)
  const row = rows[0]?.getBoundingClientRect().top
  return rows
    .filter(item => item.getBoundingClientRect().top === row)
    .toSorted((a, b) => measureDistance(a, left) - measureDistance(b, left))[0]
}

function measureDistance(item: HTMLElement, left: number): number {
  return Math.abs(item.getBoundingClientRect().left - left)
}
