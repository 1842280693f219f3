import { Button, classes, IconButton } from '@balcao/ui/parts'
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useKitTexts } from './texts.ts'

interface RowsFieldProps<T extends { readonly id: string | number }> {
  /** What the rows are, for who hears them. */
  readonly label: string
  readonly rows: readonly T[]
  readonly onChange: (rows: readonly T[]) => void
  readonly nameOf: (row: T) => string
  readonly draw: (row: T, change: (part: Partial<T>) => void) => ReactNode
  /** The words and the maker of a new row; without it none is added. */
  readonly add?: { readonly label: string; readonly make: () => T }
  /** Rows that stay where they are, at the end, and cannot be taken away. */
  readonly isLocked?: (row: T) => boolean
  /** Their order says something: by drag, or with Alt ↑ ↓. */
  readonly ordered?: boolean
}

/** Rows in a form: added, taken away, put in order. */
export function RowsField<T extends { readonly id: string | number }>(props: RowsFieldProps<T>) {
  const { label, rows, onChange, nameOf, draw, add, isLocked = () => false, ordered } = props
  const kit = useKitTexts()
  const [said, say] = useState('')
  const dragged = useRef<T['id']>(undefined)
  const free = rows.filter(row => !isLocked(row)).length

  function move(row: T, to: number) {
    const rest = rows.filter(({ id }) => id !== row.id)
    if (to < 0 || to >= free || isLocked(row)) return
    onChange(rest.toSpliced(to, 0, row))
    say(kit('rows.moved', { name: nameOf(row), place: to + 1, of: free }))
  }
  function key(event: KeyboardEvent, row: T, index: number) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!ordered || !event.altKey || !step) return
    event.preventDefault()
    const { activeElement } = document
    move(row, index + step)
    // What is moved in the page loses the focus.
    if (activeElement instanceof HTMLElement) requestAnimationFrame(() => activeElement.focus())
  }

  return (
    <div className="grid gap-2">
      <ol aria-label={label} className="m-0 grid list-none gap-2 p-0">
        {rows.map((row, index) => (
          <li
            key={row.id}
            className="flex items-center gap-2"
            onKeyDown={event => key(event, row, index)}
            onDragOver={event => dragged.current !== undefined && event.preventDefault()}
            onDrop={() => {
              const one = rows.find(({ id }) => id === dragged.current)
              if (one) move(one, index)
            }}
          >
            {ordered && !isLocked(row) && (
              <button
                type="button"
                draggable
                aria-label={kit('rows.move', { name: nameOf(row) })}
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                className="grid size-7 flex-none cursor-grab place-items-center text-muted max-sm:hidden"
                onDragStart={() => {
                  dragged.current = row.id
                }}
                onDragEnd={() => {
                  dragged.current = undefined
                }}
              >
                <GripVertical size={16} aria-hidden="true" />
              </button>
            )}
            {ordered && isLocked(row) && <span className="w-7 flex-none max-sm:hidden" />}
            <div className="min-w-0 flex-1">
              {draw(row, part => onChange(rows.map(other => (other.id === row.id ? { ...other, ...part } : other))))}
            </div>
            {ordered && !isLocked(row) && (
              <span className="flex sm:hidden">
                <IconButton
                  icon={ArrowUp}
                  label={kit('rows.up', { name: nameOf(row) })}
                  onClick={() => move(row, index - 1)}
                />
                <IconButton
                  icon={ArrowDown}
                  label={kit('rows.down', { name: nameOf(row) })}
                  onClick={() => move(row, index + 1)}
                />
              </span>
            )}
            <IconButton
              icon={Trash2}
              label={kit('rows.drop', { name: nameOf(row) })}
              className={classes(isLocked(row) && 'invisible')}
              onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
            />
          </li>
        ))}
      </ol>
      {add && (
        <Button kind="plain" icon={Plus} className="justify-self-start" onClick={() => onChange([...rows, add.make()])}>
          {add.label}
        </Button>
      )}
      <span className="b-only-read" role="status">
        {said}
      </span>
    </div>
  )
}
