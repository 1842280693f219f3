// A list box of any length: only the rows in view exist, a row that moves slides, and what the person looks at stays in place.
import { type KeyboardEvent, memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { anchorShift, movedOf, rangeOf } from './virtual-range.ts'

const NEAR_BOTTOM = 100
const MOST_SLIDING = 4

interface VirtualListProps {
  readonly ids: readonly number[]
  readonly rowHeight: number
  readonly selectedId: number | null
  readonly label: string
  readonly renderRow: (id: number) => ReactNode
  readonly onOpen: (id: number) => void
  /** Called within 100 px of the bottom (spec 1 §2). */
  readonly onNearEnd: () => void
  readonly footer?: ReactNode
  /** Another list: its scroll position begins at the top. */
  readonly resetKey: string
}

export function VirtualList({
  ids,
  rowHeight,
  selectedId,
  label,
  renderRow,
  onOpen,
  onNearEnd,
  footer,
  resetKey,
}: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 900 })
  const [activeId, setActiveId] = useState<number | null>(null)
  // Known from scroll events: reading it from the element would force a layout at each change.
  const scrollTop = useRef(0)
  const shown = useRef<{ ids: readonly number[]; key: string }>({ ids, key: resetKey })
  const active = activeId !== null && ids.includes(activeId) ? activeId : selectedId
  const range = rangeOf(view.top, view.height, rowHeight, ids.length)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    const before = shown.current
    shown.current = { ids, key: resetKey }
    if (!element) return
    const shift =
      before.key === resetKey ? anchorShift(before.ids, ids, scrollTop.current, rowHeight) : -scrollTop.current
    // Many rows moving at once are noise, not motion.
    element.toggleAttribute('data-still', movedOf(before.ids, ids) > MOST_SLIDING)
    if (shift === 0) return
    scrollTop.current = Math.max(0, scrollTop.current + shift)
    element.scrollTop = scrollTop.current
    setView(old => ({ ...old, top: scrollTop.current }))
  }, [ids, resetKey, rowHeight])

  const nearEnd = view.top + view.height >= ids.length * rowHeight - NEAR_BOTTOM
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows may still end within the view
  useEffect(() => {
    if (nearEnd) onNearEnd()
  }, [nearEnd, ids.length, onNearEnd])

  function scrolled() {
    const element = box.current
    if (!element) return
    scrollTop.current = element.scrollTop
    const next = rangeOf(element.scrollTop, element.clientHeight, rowHeight, ids.length)
    const end = element.scrollTop + element.clientHeight >= ids.length * rowHeight - NEAR_BOTTOM
    const same =
      next.from === range.from && next.to === range.to && end === nearEnd && element.scrollTop > 0 === view.top > 0
    if (!same) setView({ top: element.scrollTop, height: element.clientHeight })
  }

  function key(event: KeyboardEvent) {
    const now = active === null ? -1 : ids.indexOf(active)
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const steps: Record<string, number> = {
      ArrowDown: now + 1,
      ArrowUp: Math.max(0, now - 1),
      PageDown: now + page,
      PageUp: now - page,
      Home: 0,
      End: ids.length - 1,
    }
    if ((event.key === 'Enter' || event.key === ' ') && active !== null) {
      event.preventDefault()
      return onOpen(active)
    }
    const step = steps[event.key]
    if (step === undefined || ids.length === 0) return
    event.preventDefault()
    const index = Math.max(0, Math.min(ids.length - 1, step))
    setActiveId(ids[index] ?? null)
    reveal(box.current, index, rowHeight)
  }

  const drawn = ids.slice(range.from, range.to).map((id, offset) => ({ id, index: range.from + offset }))
  const activeIndex = active === null ? -1 : ids.indexOf(active)
  if (active !== null && activeIndex !== -1 && (activeIndex < range.from || activeIndex >= range.to))
    drawn.push({ id: active, index: activeIndex })
  return (
    <div ref={box} className="t-scroll" onScroll={scrolled}>
      <div
        role="listbox"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={activeIndex === -1 ? undefined : `t-row-${active}`}
        className={view.top > 0 ? 't-rows is-still' : 't-rows'}
        style={{ height: ids.length * rowHeight }}
        onKeyDown={key}
      >
        {drawn.map(({ id, index }) => (
          <Slot
            key={id}
            id={id}
            index={index}
            count={ids.length}
            top={index * rowHeight}
            selected={id === selectedId}
            active={id === active}
            onOpen={onOpen}
            renderRow={renderRow}
          />
        ))}
      </div>
      {footer}
    </div>
  )
}

interface SlotProps {
  readonly id: number
  readonly index: number
  readonly count: number
  readonly top: number
  readonly selected: boolean
  readonly active: boolean
  readonly onOpen: (id: number) => void
  readonly renderRow: (id: number) => ReactNode
}

const Slot = memo(function Slot({ id, index, count, top, selected, active, onOpen, renderRow }: SlotProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it has the focus and the keys
    <div
      role="option"
      tabIndex={-1}
      id={`t-row-${id}`}
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={active ? 't-slot is-active' : 't-slot'}
      style={{ transform: `translateY(${top}px)` }}
      onMouseDown={event => event.preventDefault()}
      onClick={() => onOpen(id)}
    >
      {renderRow(id)}
    </div>
  )
})

function reveal(box: HTMLElement | null, index: number, rowHeight: number) {
  if (!box) return
  const top = index * rowHeight
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + rowHeight - box.clientHeight
}
