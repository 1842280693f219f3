// Rows whose order says something: by drag, or with Alt ↑ ↓.
import { GripVertical, Lock } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useKitTexts } from './texts.ts'

interface RowOrderOptions<T> {
  readonly rows: readonly T[]
  readonly nameOf: (row: T) => string
  /** Rows that stay where they are, at the end. */
  readonly isLocked?: ((row: T) => boolean) | undefined
  /** Puts a row at this place, from 0. */
  readonly onMove: (row: T, to: number) => void
}

export interface RowOrder<T> {
  /** For the element of the row. */
  readonly of: (
    row: T,
    index: number,
  ) => {
    readonly onKeyDown: (event: KeyboardEvent) => void
    readonly onDragOver: (event: DragEvent) => void
    readonly onDrop: (event: DragEvent) => void
  }
  /** What the row is dragged by; a lock where it stays. */
  readonly handle: (row: T) => ReactNode
  readonly move: (row: T, to: number) => void
  readonly mayMove: (row: T, to: number) => boolean
  /** The row another one is held over. */
  readonly over: T | undefined
  /** What was moved where, for who hears it. */
  readonly announcement: ReactNode
}

/** The means to put rows in order; nothing is drawn but handles. */
export function useRowOrder<T extends { readonly id: string | number }>({
  rows,
  nameOf,
  isLocked = () => false,
  onMove,
}: RowOrderOptions<T>): RowOrder<T> {
  const kit = useKitTexts()
  const [announcement, say] = useState('')
  const [over, hold] = useState<T['id']>()
  const dragged = useRef<T['id']>(undefined)
  const free = rows.filter(row => !isLocked(row)).length

  const mayMove = (row: T, to: number) => to >= 0 && to < free && !isLocked(row)
  function move(row: T, to: number) {
    if (!mayMove(row, to)) return
    onMove(row, to)
    say(kit('rows.moved', { name: nameOf(row), place: to + 1, of: free }))
  }
  function end() {
    dragged.current = undefined
    hold(undefined)
  }

  return {
    move,
    mayMove,
    over: rows.find(({ id }) => id === over),
    of: (row, index) => ({
      onKeyDown(event) {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
        if (!event.altKey || !step) return
        event.preventDefault()
        const { activeElement } = document
        // What is moved in the page loses the focus, and gets it back before the next key.
        flushSync(() => move(row, index + step))
        if (activeElement instanceof HTMLElement) activeElement.focus()
      },
      onDragOver(event) {
        if (dragged.current === undefined || isLocked(row)) return
        event.preventDefault()
        hold(row.id)
      },
      onDrop(event) {
        event.preventDefault()
        const one = rows.find(({ id }) => id === dragged.current)
        end()
        if (one && one.id !== row.id) move(one, index)
      },
    }),
    handle: row =>
      isLocked(row) ? (
        <span className="grid size-7 flex-none place-items-center text-muted max-sm:hidden">
          <Lock size={14} aria-hidden="true" />
        </span>
      ) : (
        <button
          type="button"
          draggable
          aria-label={kit('rows.move', { name: nameOf(row) })}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          className="grid size-7 flex-none cursor-grab place-items-center text-muted max-sm:hidden"
          onDragStart={event => {
            dragged.current = row.id
            const whole = event.currentTarget.closest('tr,li')
            if (whole) event.dataTransfer?.setDragImage(whole, 20, 20)
          }}
          onDragEnd={end}
        >
          <GripVertical size={16} aria-hidden="true" />
        </button>
      ),
    announcement: (
      <span className="b-only-read" role="status">
        {announcement}
      </span>
    ),
  }
}
