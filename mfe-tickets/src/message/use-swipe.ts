// A finger that swipes a picture aside: the next one to the left, the one before to the right. Two fingers, and what is near, are for the zoom.
import { type PointerEvent, useRef } from 'react'

/** From here on the finger means it. */
const FAR = 64
const SLOP = 10

interface SwipeOptions {
  readonly isOff: boolean
  readonly hasNext: (step: -1 | 1) => boolean
  readonly onSwipe: (step: -1 | 1) => void
}

interface Swipe {
  readonly id: number
  readonly x: number
  readonly y: number
  by: number
}

export function useSwipe({ isOff, hasNext, onSwipe }: SwipeOptions) {
  const swipe = useRef<Swipe | null>(null)
  const fingers = useRef(new Set<number>())

  function end(event: PointerEvent<HTMLElement>) {
    fingers.current.delete(event.pointerId)
    const last = swipe.current
    if (last?.id !== event.pointerId) return
    swipe.current = null
    follow(event.currentTarget, 0)
    const step = last.by < 0 ? 1 : -1
    if (event.type === 'pointerup' && Math.abs(last.by) >= FAR && hasNext(step)) onSwipe(step)
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.pointerType === 'mouse') return
      fingers.current.add(event.pointerId)
      if (swipe.current) follow(event.currentTarget, 0)
      const { pointerId: id, clientX: x, clientY: y } = event
      swipe.current = isOff || fingers.current.size > 1 ? null : { id, x, y, by: 0 }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const last = swipe.current
      if (last?.id !== event.pointerId) return
      const across = event.clientX - last.x
      const down = event.clientY - last.y
      if (last.by === 0 && Math.hypot(across, down) <= SLOP) return
      // Up and down is something else.
      if (last.by === 0 && Math.abs(across) < 2 * Math.abs(down)) {
        swipe.current = null
        return
      }
      last.by = across
      // At an end it gives way, and no further.
      follow(event.currentTarget, hasNext(across < 0 ? 1 : -1) ? across : across / 4)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}

/** The picture lies aside by this many pixels. */
function follow(stage: HTMLElement, by: number) {
  stage.style.setProperty('--g-swiped', `${by}px`)
}
