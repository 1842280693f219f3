import { Button, IconButton, joinClasses } from '@balcao/ui/parts'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRowOrder } from './row-order.tsx'
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
  const order = useRowOrder({
    ...{ rows, nameOf, isLocked },
    onMove: (row, to) => onChange(rows.filter(({ id }) => id !== row.id).toSpliced(to, 0, row)),
  })
  const { move } = order

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <ol aria-label={label} className="m-0 grid list-none grid-cols-[minmax(0,1fr)] gap-2 p-0">
        {rows.map((row, index) => (
          <li key={row.id} className="flex items-center gap-2" {...(ordered && order.of(row, index))}>
            {ordered && order.handle(row)}
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
              className={joinClasses(isLocked(row) && 'invisible')}
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
      {order.announcement}
    </div>
  )
}
