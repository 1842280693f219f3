// The border between list and conversation: drag or arrow keys, 300 to 440, remembered.
import { useTexts } from '@balcao/ui/i18n'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'

const LEAST = 300
const MOST = 440
const STORED = 'balcao.list-width'

export interface ListWidth {
  readonly value: number
  readonly set: (width: number) => void
}

export function useListWidth(): ListWidth {
  const [value, setValue] = useState(() => clampWidth(Number(localStorage.getItem(STORED)) || 352))
  return {
    value,
    set(width) {
      setValue(clampWidth(width))
      localStorage.setItem(STORED, String(clampWidth(width)))
    },
  }
}

export function Splitter({ width }: { readonly width: ListWidth }) {
  const t = useTexts('tickets')
  function press(event: PointerEvent<HTMLDivElement>) {
    const start = event.clientX - width.value
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => width.set(moved.clientX - start)
    const done = () => handle.removeEventListener('pointermove', move)
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', done, { once: true })
    handle.addEventListener('pointercancel', done, { once: true })
  }
  function key(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 16 : event.key === 'ArrowLeft' ? -16 : 0
    if (step !== 0) width.set(width.value + step)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged
    <div
      className="d-splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={t('resize')}
      aria-valuenow={width.value}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onPointerDown={press}
      onKeyDown={key}
    />
  )
}

function clampWidth(width: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.round(width)))
}
