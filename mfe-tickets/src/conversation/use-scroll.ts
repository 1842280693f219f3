// Scrolling of a conversation: it follows the newest while the person is at the bottom, and otherwise keeps in place
// what they are reading, whatever comes in above, below or changes its height.
import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

const NEAR_TOP = 50
/** What is loaded already is drawn earlier, so that it is there when the person comes to it. */
const NEAR_HELD = 400
const AT_BOTTOM = 24
const RESTS_MS = 300

interface Anchor {
  readonly key: string
  readonly top: number
}

interface ScrollOptions {
  readonly box: RefObject<HTMLDivElement | null>
  /** Changes when what is drawn changed. */
  readonly drawn: unknown
  /** The newest messages are among those drawn. */
  readonly atTail: boolean
  /** There are messages above those drawn that need not be loaded. */
  readonly heldAbove: boolean
  /** The row to begin with when it stands above the newest screenful: the first unread one. */
  readonly startAt: string | null
  readonly onAtBottom: (atBottom: boolean) => void
  /** Called by scrolling, and by itself while the top is in view. */
  readonly onNearTop: (byScrolling?: boolean) => void
  readonly onNearBottom: () => void
}

export function useScroll({
  box,
  drawn,
  atTail,
  heldAbove,
  startAt,
  onAtBottom,
  onNearTop,
  onNearBottom,
}: ScrollOptions) {
  const anchor = useRef<Anchor | null>(null)
  const follows = useRef(true)
  /** Where following has scrolled to last: only who is above that has scrolled away. */
  const followedTo = useRef(0)
  const begun = useRef(false)
  /** The lowest row that came into view whole, told once the person rests. */
  const [lowest, setLowest] = useState<string | null>(null)
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const checkPosition = useCallback(() => {
    clearTimeout(resting.current)
    resting.current = setTimeout(() => setLowest(box.current && findLowestRow(box.current)), RESTS_MS)
  }, [box])
  useEffect(() => () => clearTimeout(resting.current), [])

  const follow = useCallback((element: HTMLElement) => {
    element.scrollTop = element.scrollHeight
    followedTo.current = element.scrollTop
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `drawn` says when rows changed
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    if (!begun.current && startAt && scrollRowToTop(element, startAt)) {
      follows.current = false
      onAtBottom(false)
    } else if (follows.current && atTail) follow(element)
    else restore(element, anchor.current)
    begun.current = true
    anchor.current = findAnchor(element)
    checkPosition()
  }, [box, drawn, atTail, checkPosition])

  // At either end no further scroll event comes: what was loaded meanwhile is shown at once.
  const more = useEffectEvent(onNearTop)
  const newer = useEffectEvent(onNearBottom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `drawn` says when rows changed
  useEffect(() => {
    const element = box.current
    if (!element) return
    if (element.scrollTop <= NEAR_TOP) more()
    if (!atTail && measureBelow(element) <= NEAR_TOP) newer()
  }, [box, drawn])

  useEffect(() => {
    const element = box.current
    const inner = element?.firstElementChild
    if (!element || !inner) return
    // Heights change without new rows: a picture, the composer growing, the window.
    const observer = new ResizeObserver(() => {
      // Where heights shrink the end may come into view without any scrolling.
      if (atTail && measureBelow(element) <= AT_BOTTOM) {
        follows.current = true
        onAtBottom(true)
      }
      if (follows.current && atTail) follow(element)
    })
    observer.observe(element)
    observer.observe(inner)
    return () => observer.disconnect()
  }, [box, atTail, follow, onAtBottom])

  function scrolled() {
    const element = box.current
    if (!element) return
    // Told of our own scrolling, after heights have changed once more.
    if (follows.current && atTail && element.scrollTop >= followedTo.current - 1) follow(element)
    const below = measureBelow(element)
    follows.current = atTail && below <= AT_BOTTOM
    onAtBottom(follows.current)
    anchor.current = findAnchor(element)
    checkPosition()
    if (element.scrollTop <= (heldAbove ? NEAR_HELD : NEAR_TOP)) onNearTop(true)
    if (below <= NEAR_TOP && !atTail) onNearBottom()
  }

  function toBottom() {
    follows.current = true
    onAtBottom(true)
    const element = box.current
    if (element) follow(element)
  }

  /** Shows one row in the middle, where what is drawn stays afterwards; null where it is not drawn. */
  function toRow(key: string): HTMLElement | null {
    const element = box.current
    const name = CSS.escape(key)
    const row = element?.querySelector<HTMLElement>(`[data-key="${name}"], [data-parts~="${name}"]`)
    if (!element || !row) return null
    follows.current = false
    onAtBottom(false)
    element.scrollTop = row.offsetTop - element.clientHeight / 2 + row.offsetHeight / 2
    anchor.current = findAnchor(element)
    return row
  }

  return { lowest, scrolled, toBottom, toRow }
}

/** How much of the messages stands below what is in view. */
function measureBelow(element: HTMLElement): number {
  return element.scrollHeight - element.scrollTop - element.clientHeight
}

/** Shows a row at the top; false when it is in view at the bottom anyway. */
function scrollRowToTop(element: HTMLElement, key: string): boolean {
  const row = element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
  const lowest = element.scrollHeight - element.clientHeight
  if (!row || row.offsetTop >= lowest) return false
  element.scrollTop = row.offsetTop
  return lowest - row.offsetTop > AT_BOTTOM
}

/** The first row in view and where it stands. */
function findAnchor(element: HTMLElement): Anchor | null {
  const rows = element.querySelectorAll<HTMLElement>('[data-key]')
  const row = rows[countRowsAbove(rows, element.scrollTop)]
  return row?.dataset.key ? { key: row.dataset.key, top: row.offsetTop - element.scrollTop } : null
}

/** The last row whose end is in view. */
function findLowestRow(element: HTMLElement): string | null {
  const rows = element.querySelectorAll<HTMLElement>('[data-key]')
  return rows[countRowsAbove(rows, element.scrollTop + element.clientHeight) - 1]?.dataset.key ?? null
}

/** How many rows end above a height. */
function countRowsAbove(rows: NodeListOf<HTMLElement>, height: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row && row.offsetTop + row.offsetHeight <= height) low = middle + 1
    else high = middle
  }
  return low
}

function restore(element: HTMLElement, anchor: Anchor | null) {
  if (!anchor) return
  const row = element.querySelector<HTMLElement>(`[data-key="${CSS.escape(anchor.key)}"]`)
  if (row) element.scrollTop = row.offsetTop - anchor.top
}
