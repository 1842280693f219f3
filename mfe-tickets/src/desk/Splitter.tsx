// The border between list and conversation: drag or arrow keys.
import { useTexts } from '@balcao/ui/i18n'
import type { KeyboardEvent, PointerEvent } from 'react'
import { LEAST, type ListWidth, MOST } from './list-width.ts'

export default function Splitter({ width }: { readonly width: ListWidth }) {
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
