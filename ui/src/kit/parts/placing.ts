// Where a menu, a tooltip or a docked dialog goes: beside its anchor, kept within the window.
import { type RefObject, useLayoutEffect, useState } from 'react'

export type Side = 'below' | 'above' | 'right' | 'left'
export type Align = 'start' | 'center' | 'end'

interface PanelPlacing {
  readonly side?: Side
  readonly align?: Align
  readonly gap?: number
  /** A selector of what surrounds the anchor: the panel stands above or below all of it. */
  readonly clear?: string
}

const MARGIN = 8

/** The fixed position of `panel` at `anchor`; follows scrolling and resizing, and turns over where there is no room. */
export function usePlacing(
  anchor: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
  { side = 'below', align = 'start', gap = 4, clear }: PanelPlacing = {},
) {
  const [place, setPlace] = useState({ left: 0, top: 0, ready: false })

  useLayoutEffect(() => {
    function measure() {
      const from = anchor.current
      const p = panel.current
      if (!from || !p) return
      const { x, y, width, height } = from.getBoundingClientRect()
      const around = clear ? from.closest(clear)?.getBoundingClientRect() : undefined
      const a = new DOMRect(x, around?.y ?? y, width, around?.height ?? height)
      const spot = computeSpot(a, p.offsetWidth, p.offsetHeight, side, align, gap)
      setPlace(old => (old.ready && old.left === spot.left && old.top === spot.top ? old : { ...spot, ready: true }))
    }
    measure()
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(measure)
    if (panel.current) observer?.observe(panel.current)
    window.addEventListener('resize', measure)
    window.addEventListener('scroll', measure, true)
    return () => {
      observer?.disconnect()
      window.removeEventListener('resize', measure)
      window.removeEventListener('scroll', measure, true)
    }
  }, [anchor, panel, side, align, gap, clear])

  return {
    position: 'fixed' as const,
    left: place.left,
    top: place.top,
    // Not `visibility`: what is hidden that way cannot take the focus, and focus is given before the place is known.
    opacity: place.ready ? undefined : 0,
  }
}

function computeSpot(a: DOMRect, width: number, height: number, side: Side, align: Align, gap: number) {
  const room = { width: window.innerWidth, height: window.innerHeight }
  const vertical = side === 'below' || side === 'above'
  let left: number
  let top: number
  if (vertical) {
    left = align === 'start' ? a.left : align === 'end' ? a.right - width : a.left + (a.width - width) / 2
    const below = a.bottom + gap
    const above = a.top - gap - height
    const fitsBelow = below + height <= room.height - MARGIN
    top = side === 'below' ? (fitsBelow || above < MARGIN ? below : above) : above >= MARGIN ? above : below
  } else {
    top = align === 'start' ? a.top : align === 'end' ? a.bottom - height : a.top + (a.height - height) / 2
    const right = a.right + gap
    const before = a.left - gap - width
    left =
      side === 'right' ? (right + width <= room.width - MARGIN ? right : before) : before >= MARGIN ? before : right
  }
  return {
    left: Math.round(Math.max(MARGIN, Math.min(left, room.width - width - MARGIN))),
    top: Math.round(Math.max(MARGIN, Math.min(top, room.height - height - MARGIN))),
  }
}
