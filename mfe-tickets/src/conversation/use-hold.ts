import type { Message } from '@balcao/contract'
import { type PointerEvent, useRef } from 'react'
import type { ConversationRow } from './rows.ts'

const HOLD_MS = 450

/** On touch a long press on a message opens its menu. */
export function useHold(
  rows: readonly ConversationRow[],
  open: (menu: { message: Message; anchor: HTMLElement }) => void,
) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const cancel = () => clearTimeout(timer.current)
  function press(event: PointerEvent<HTMLElement>) {
    if (event.pointerType !== 'touch' || !(event.target instanceof Element)) return
    const bubble = event.target.closest<HTMLElement>('.m-bubble')
    const key = bubble?.closest<HTMLElement>('[data-key]')?.dataset.key
    const tile = event.target.closest<HTMLElement>('.m-tile')?.dataset.message
    const row = rows.find(row => row.key === key)
    const message = row?.album?.find(one => String(one.id) === tile) ?? row?.message
    cancel()
    if (!bubble || !message || message.id < 0 || message.mediaType === 'system') return
    timer.current = setTimeout(() => open({ message, anchor: bubble }), HOLD_MS)
  }
  return { onPointerDown: press, onPointerUp: cancel, onPointerMove: cancel, onPointerCancel: cancel }
}
