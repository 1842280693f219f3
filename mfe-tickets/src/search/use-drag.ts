// A window the person moves, by its head or with arrows, and that never leaves the screen.
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

export interface Corner {
  readonly left: number
  readonly top: number
}

const STEP = 16
const MARGIN = 8
/** Where the person left it last: it opens there again. */
let lastPlace: Corner | null = null

export function useDrag(panel: RefObject<HTMLElement | null>, start: () => Corner) {
  const [place, setPlace] = useState<Corner | null>(lastPlace)
  const grabbed = useRef<{ readonly x: number; readonly y: number; readonly from: Corner } | null>(null)
  const [moving, setMoving] = useState(false)

  function moveTo(wanted: Corner) {
    const element = panel.current
    if (!element) return
    lastPlace = keepInside(wanted, element)
    setPlace(lastPlace)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: where it opens is decided once
  useLayoutEffect(() => moveTo(lastPlace ?? start()), [])
  useEffect(() => {
    const fit = () => setPlace(now => (now && panel.current ? keepInside(now, panel.current) : now))
    window.addEventListener('resize', fit)
    return () => window.removeEventListener('resize', fit)
  }, [panel])

  const head = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || !place || (event.target instanceof Element && event.target.closest('button'))) return
      event.currentTarget.setPointerCapture(event.pointerId)
      grabbed.current = { x: event.clientX, y: event.clientY, from: place }
      setMoving(true)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { current } = grabbed
      if (current)
        moveTo({
          left: current.from.left + event.clientX - current.x,
          top: current.from.top + event.clientY - current.y,
        })
    },
    onPointerUp: drop,
    onPointerCancel: drop,
  }
  function drop() {
    grabbed.current = null
    setMoving(false)
  }

  function onKeyDown(event: KeyboardEvent) {
    const by = event.shiftKey ? STEP * 4 : STEP
    const steps: Record<string, readonly [number, number]> = {
      ArrowLeft: [-by, 0],
      ArrowRight: [by, 0],
      ArrowUp: [0, -by],
      ArrowDown: [0, by],
    }
    const step = steps[event.key]
    if (!step || !place) return
    event.preventDefault()
    moveTo({ left: place.left + step[0], top: place.top + step[1] })
  }
  return { place, moving, head, onKeyDown }
}

function keepInside({ left, top }: Corner, { offsetWidth, offsetHeight }: HTMLElement): Corner {
  const most = (size: number, room: number) => Math.max(MARGIN, room - size - MARGIN)
  return {
    left: Math.round(Math.max(MARGIN, Math.min(left, most(offsetWidth, window.innerWidth)))),
    top: Math.round(Math.max(MARGIN, Math.min(top, most(offsetHeight, window.innerHeight)))),
  }
}
