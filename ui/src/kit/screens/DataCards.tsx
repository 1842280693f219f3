import { Bone, joinClasses, Skeleton } from '@balcao/ui/parts'
import { type ComponentProps, Fragment, type ReactNode, useRef } from 'react'
import type { ListRow } from '../../rows/index.ts'
import type { Card } from './column.ts'
import { useRowWindow } from './row-window.ts'
import type { Selection } from './selection.ts'

const LONG_PRESS_MS = 500
const ROW = 68

interface CardsProps<R extends ListRow> {
  readonly label: string
  readonly rows: readonly R[]
  readonly cardOf: (row: R) => Card
  readonly actionsOf?: (row: R) => ReactNode
  readonly selection?: Selection
  readonly chosen?: number | null
  /** What a row unfolds. */
  readonly belowOf?: (row: R) => ReactNode
}

/** The rows of a screen on a phone. A finger that rests on one begins to choose; from then on a tap chooses. */
export function DataCards<R extends ListRow>(props: CardsProps<R>) {
  const { label, rows, cardOf, actionsOf, selection, chosen, belowOf } = props
  const list = useRef<HTMLUListElement>(null)
  const cards = rows.map(row => ({ row, ...cardOf(row) }))
  const isSheet = cards[0]?.before !== undefined
  const { from, to } = useRowWindow(list, isSheet ? rows.length : 0, ROW)
  const shown = isSheet ? cards.slice(from, to) : cards
  return (
    <ul
      ref={list}
      aria-label={label}
      className={joinClasses(
        'm-0 list-none p-0',
        isSheet ? 'overflow-hidden rounded-card border border-line bg-surface' : 'grid gap-3',
      )}
      style={isSheet ? { paddingTop: from * ROW, paddingBottom: (rows.length - to) * ROW } : undefined}
    >
      {shown.map(({ row, before, title, text, note }) => {
        const isMarked = row.id === chosen || selection?.ids.has(row.id)
        const below = belowOf?.(row)
        return (
          <Fragment key={row.id}>
            <Pressed
              id={row.id}
              selection={selection}
              className={joinClasses(
                isSheet
                  ? 'flex h-17 items-center gap-3 border-line px-3 not-first:border-t'
                  : 'rounded-card border border-line py-2 pr-2 pl-4',
                isMarked ? 'bg-primary-tint' : 'bg-surface',
              )}
            >
              {isSheet ? (
                <>
                  {before}
                  <div className="min-w-0 flex-1">
                    <div className="line-clamp-2 break-words text-body font-semibold">{title}</div>
                    <div className="flex items-center gap-2 overflow-hidden text-cell text-text-2">
                      {text && <div className="min-w-0 truncate">{text}</div>}
                      {/* Words have one line, the rest of it. */}
                      {typeof note === 'string' ? <div className="min-w-0 flex-1 truncate">{note}</div> : note}
                    </div>
                  </div>
                  {actionsOf?.(row)}
                </>
              ) : (
                <>
                  <div className="flex items-center justify-between gap-2">
                    {title}
                    {actionsOf?.(row)}
                  </div>
                  {text && (
                    <p className="m-0 line-clamp-3 pr-2 pb-1.5 text-cell break-words whitespace-pre-line text-text-2">
                      {text}
                    </p>
                  )}
                  {note && <div className="min-w-0 text-cell text-text-2">{note}</div>}
                </>
              )}
            </Pressed>
            {below && <li className="px-3 pb-3">{below}</li>}
          </Fragment>
        )
      })}
    </ul>
  )
}

export function CardBones() {
  return (
    <Skeleton>
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        {[64, 48, 56, 40, 60].map(width => (
          <div key={width} className="flex h-17 items-center gap-3 px-3">
            <Bone width={44} height={44} round />
            <Bone width={`${width}%`} />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}

/** A row that chooses itself when a finger rests on it. */
function Pressed({
  selection,
  id,
  ...rest
}: { readonly selection?: Selection; readonly id: number } & Omit<ComponentProps<'li'>, 'id'>) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isHeld = useRef(false)
  if (!selection) return <li data-row={id} {...rest} />
  const stop = () => clearTimeout(timer.current)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: with keys the boxes of the wide table choose
    <li
      data-row={id}
      {...rest}
      onPointerDown={() => {
        isHeld.current = false
        timer.current = setTimeout(() => {
          isHeld.current = true
          selection.toggle(id)
        }, LONG_PRESS_MS)
      }}
      onPointerUp={stop}
      onPointerCancel={stop}
      onPointerLeave={stop}
      onClick={({ target }) => {
        const isButton = target instanceof Element && target.closest('button,a,input') !== null
        if (selection.ids.size > 0 && !isButton && !isHeld.current) selection.toggle(id)
      }}
    />
  )
}
