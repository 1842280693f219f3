// A finger on a row: one that stays, one that swipes to the right, and one that does neither and is a click.
import { type MouseEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react'

const LONG_MS = 500
const SLOP = 10
/** From here on the finger means it; the row follows no further than a little more. */
const SWIPE = 72
const FARTHEST = 112

interface TouchOptions {
  readonly onLong?: () => void
  readonly onSwipe?: () => void
}

/** The click that follows a long press or a swipe is not one: `wasMore` says so, once. */
export function useTouch(options: TouchOptions) {
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  const [touch] = useState(() => makeTouch(() => latest.current))
  return touch
}

function makeTouch(getOptions: () => TouchOptions) {
  let timer = 0
  let isMore = false
  let start: { readonly x: number; readonly y: number; readonly row: HTMLElement } | null = null
  let swiped = 0

  function end() {
    window.clearTimeout(timer)
    const { onSwipe } = getOptions()
    if (start) move(start.row, 0)
    if (start && swiped >= SWIPE) onSwipe?.()
    start = null
    swiped = 0
  }
  function cancel() {
    swiped = 0
    end()
  }
  return {
    wasMore() {
      const was = isMore
      isMore = false
      return was
    },
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        isMore = false
        if (event.pointerType !== 'touch') return
        start = { x: event.clientX, y: event.clientY, row: event.currentTarget }
        const { onLong } = getOptions()
        if (!onLong) return
        timer = window.setTimeout(() => {
          isMore = true
          start = null
          onLong()
        }, LONG_MS)
      },
      onPointerMove(event: PointerEvent) {
        if (!start) return
        const across = event.clientX - start.x
        const down = event.clientY - start.y
        if (Math.hypot(across, down) <= SLOP && swiped === 0) return
        window.clearTimeout(timer)
        if (!getOptions().onSwipe) return
        if (swiped === 0 && across < 2 * Math.abs(down)) return cancel()
        isMore = true
        swiped = Math.max(1, Math.min(FARTHEST, across))
        move(start.row, swiped)
      },
      onPointerUp: end,
      onPointerCancel: cancel,
      // The menu of the browser would come at the same moment.
      onContextMenu: (event: MouseEvent) => isTouch(event) && event.preventDefault(),
    },
  }
}

/** The row lies further right by this many pixels; what it uncovers says what letting go does. */
function move(row: HTMLElement, by: number) {
  row.style.setProperty('--t-swiped', `${by}px`)
  row.toggleAttribute('data-swiped', by >= SWIPE)
}

export function isTouch({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof window.PointerEvent && nativeEvent.pointerType === 'touch'
}
