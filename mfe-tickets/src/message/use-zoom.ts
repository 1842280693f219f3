// How a picture is held: near or far, where, and which way up. By buttons, wheel, two fingers, double click and drag.
import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

interface Pose {
  /** The picture it is of: another one stands as it came. */
  readonly of: number
  readonly scale: number
  readonly x: number
  readonly y: number
  /** Quarter turns to the right. */
  readonly turns: number
}

const FURTHEST = 1
const NEAREST = 8
const STEP = 1.5
const DOUBLE_CLICK = 2.5

/** `stage` is what the picture lies in; its middle is the picture's. */
export function useZoom(messageId: number, stage: RefObject<HTMLElement | null>) {
  const [held, setHeld] = useState<Pose>({ of: messageId, scale: 1, x: 0, y: 0, turns: 0 })
  const pose = held.of === messageId ? held : { of: messageId, scale: 1, x: 0, y: 0, turns: 0 }
  const fingers = useRef(new Map<number, { readonly x: number; readonly y: number }>())

  // A finger that is down while another picture comes is lifted from none that tells.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each picture
  useLayoutEffect(() => fingers.current.clear(), [messageId])

  /** The point stays under the pointer; without one the middle does. */
  function zoom(factor: number, point = { x: 0, y: 0 }) {
    setHeld(before => {
      const { scale, x, y, turns } = before.of === messageId ? before : pose
      const next = Math.min(NEAREST, Math.max(FURTHEST, scale * factor))
      const grown = next / scale
      return keepInStage(
        { of: messageId, scale: next, x: point.x - (point.x - x) * grown, y: point.y - (point.y - y) * grown, turns },
        stage.current,
      )
    })
  }

  function toPoint({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) {
    const box = stage.current?.getBoundingClientRect()
    return box ? { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 } : { x: 0, y: 0 }
  }

  const roll = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, toPoint(event))
  })
  useEffect(() => {
    const element = stage.current
    // By hand: React's own listener may not keep the browser from zooming the page.
    element?.addEventListener('wheel', roll, { passive: false })
    return () => element?.removeEventListener('wheel', roll)
  }, [stage])

  function move(event: PointerEvent) {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, now)
    if (other) {
      const middle = toPoint({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 })
      zoom(measureDistance(now, other) / Math.max(1, measureDistance(before, other)), middle)
    } else if (pose.scale > 1)
      setHeld(last =>
        keepInStage({ ...last, x: last.x + now.x - before.x, y: last.y + now.y - before.y }, stage.current),
      )
  }

  function lift({ pointerId }: PointerEvent) {
    fingers.current.delete(pointerId)
  }

  const { scale, x, y, turns } = pose
  return {
    scale,
    isLyingDown: turns % 2 === 1,
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    rotate: () => setHeld({ of: messageId, scale: 1, x: 0, y: 0, turns: turns + 1 }),
    style: { transform: `translate(${x}px, ${y}px) rotate(${turns * 90}deg) scale(${scale})` },
    hands: {
      onDoubleClick: (event: { readonly clientX: number; readonly clientY: number }) =>
        zoom(scale > 1 ? 0 : DOUBLE_CLICK, toPoint(event)),
      onPointerDown(event: PointerEvent) {
        event.currentTarget.setPointerCapture(event.pointerId)
        fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
      },
      onPointerMove: move,
      onPointerUp: lift,
      onPointerCancel: lift,
    },
  }
}

/** So that some of it is always there to take hold of. */
function keepInStage(pose: Pose, stage: HTMLElement | null): Pose {
  const room = (size: number) => ((pose.scale - 1) * size) / 2
  const hold = (at: number, most: number) => Math.min(most, Math.max(-most, at))
  return { ...pose, x: hold(pose.x, room(stage?.clientWidth ?? 0)), y: hold(pose.y, room(stage?.clientHeight ?? 0)) }
}

function measureDistance(
  a: { readonly x: number; readonly y: number },
  b: { readonly x: number; readonly y: number },
): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
