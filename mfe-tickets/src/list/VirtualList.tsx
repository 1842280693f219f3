// A list box of any length: only the rows in view exist, a row that moves slides, and what the person looks at stays in place.

import { joinClasses } from '@balcao/ui/parts'
import { Check } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { MarkActs, Marks } from '../bulk/use-marking.ts'
import { isOnQuickMark, isQuickKey, QuickMark, type QuickRowAction } from './quick-row.tsx'
import { isTouch, useTouch } from './use-touch.ts'
import { computeAnchorShift, computeVisibleRange, countMovedRows } from './virtual-range.ts'

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
  /** Rows can be marked: by the box that stands on a row pointed at, by Ctrl or Shift with a click, by a long press, by Ctrl or Shift with the arrows and the space bar. */
  readonly marks?: Marks
  /** Done to a row without opening it first: by the button on the row pointed at, its key, or a swipe to the right. */
  readonly quick?: QuickRowAction
  /** A right click on a row, or the menu key on the one the arrows reached; `at` in pixels of the window. */
  readonly onMenu?: (id: number, at: { readonly x: number; readonly y: number }) => void
}

interface ShownRows {
  readonly ids: readonly number[]
  readonly key: string
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
  marks,
  quick,
  onMenu,
}: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 900 })
  const [activeId, setActiveId] = useState<number | null>(null)
  // Known from scroll events: reading it from the element would force a layout at each change.
  const scrollTop = useRef(0)
  const shown = useRef<ShownRows>({ ids, key: resetKey })
  const [drawnFor, setDrawnFor] = useState<ShownRows>({ ids, key: resetKey })
  // Where the view will be is known before anything is drawn: else rows would be made that leave again at once.
  if (drawnFor.ids !== ids || drawnFor.key !== resetKey) {
    const shift = computeShift(drawnFor, { ids, key: resetKey }, scrollTop.current, rowHeight)
    setDrawnFor({ ids, key: resetKey })
    if (shift !== 0) setView(old => ({ ...old, top: Math.max(0, scrollTop.current + shift) }))
  }
  // What is open may stand in another list: the keys of this one do nothing to it.
  const active = [activeId, selectedId].find(id => id !== null && ids.includes(id)) ?? null
  const range = computeVisibleRange(view.top, view.height, rowHeight, ids.length)

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
    const shift = computeShift(before, shown.current, scrollTop.current, rowHeight)
    // Many rows moving at once are noise, not motion.
    element.toggleAttribute('data-still', countMovedRows(before.ids, ids) > MOST_SLIDING)
    if (shift === 0) return
    scrollTop.current = Math.max(0, scrollTop.current + shift)
    element.scrollTop = scrollTop.current
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
    const next = computeVisibleRange(element.scrollTop, element.clientHeight, rowHeight, ids.length)
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
    if (marks && event.key === ' ' && (event.ctrlKey || marks.ids.size > 0) && active !== null) {
      event.preventDefault()
      return marks.act.toggle(active)
    }
    if ((event.key === 'Enter' || event.key === ' ') && active !== null) {
      event.preventDefault()
      return onOpen(active)
    }
    if (quick && active !== null && isQuickKey(event, quick)) {
      event.preventDefault()
      return quick.perform(active)
    }
    const step = steps[event.key]
    if (step === undefined || ids.length === 0) return
    event.preventDefault()
    const index = Math.max(0, Math.min(ids.length - 1, step))
    const next = ids[index] ?? null
    setActiveId(next)
    scrollIntoView(box.current, index, rowHeight)
    if (marks && event.shiftKey && next !== null) marks.act.upTo(next)
  }

  function openMenu(event: MouseEvent) {
    if (!onMenu || event.defaultPrevented || !(event.target instanceof Element)) return
    const isOnRow = event.target.closest('.t-slot')
    const row = isOnRow ?? box.current?.querySelector('.t-slot.is-active')
    if (!row) return
    event.preventDefault()
    const { left, bottom } = row.getBoundingClientRect()
    const at = isOnRow ? { x: event.clientX, y: event.clientY } : { x: left + 64, y: bottom - 16 }
    onMenu(Number(row.id.slice('t-row-'.length)), at)
  }

  // J, K, the palette and addresses open conversations from outside the list.
  const selectedIndex = selectedId === null ? -1 : ids.indexOf(selectedId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that moves later does not take the list with it
  useEffect(() => {
    if (selectedIndex !== -1) scrollIntoView(box.current, selectedIndex, rowHeight)
  }, [selectedId, rowHeight])

  const markedAt = marks?.at ?? null
  const markedIndex = markedAt === null ? -1 : ids.indexOf(markedAt)
  useEffect(() => {
    if (markedIndex !== -1) scrollIntoView(box.current, markedIndex, rowHeight)
  }, [markedIndex, rowHeight])

  const drawn = ids.slice(range.from, range.to).map((id, offset) => ({ id, index: range.from + offset }))
  const activeIndex = active === null ? -1 : ids.indexOf(active)
  if (active !== null && (activeIndex < range.from || activeIndex >= range.to))
    drawn.push({ id: active, index: activeIndex })
  return (
    <div ref={box} className="t-scroll" onScroll={scrolled}>
      <div
        role="listbox"
        aria-label={label}
        aria-multiselectable={marks ? true : undefined}
        tabIndex={0}
        aria-activedescendant={active === null ? undefined : `t-row-${active}`}
        className={view.top > 0 ? 't-rows is-still' : 't-rows'}
        style={{ height: ids.length * rowHeight }}
        onKeyDown={key}
        onContextMenu={openMenu}
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
            marked={marks?.ids.has(id) ?? false}
            marking={(marks?.ids.size ?? 0) > 0}
            act={marks?.act}
            quick={quick}
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
  readonly marked: boolean
  /** Some row is: a tap then marks, it does not open. */
  readonly marking: boolean
  readonly act: MarkActs | undefined
  readonly quick: QuickRowAction | undefined
  readonly onOpen: (id: number) => void
  readonly renderRow: (id: number) => ReactNode
}

const Slot = memo(SlotBare)

function SlotBare(props: SlotProps) {
  const { id, index, count, top, selected, active, marked, marking, act, quick, onOpen, renderRow } = props
  const press = useTouch({ onLong: act && (() => act.toggle(id)), onSwipe: quick && (() => quick.perform(id)) })

  function click(event: MouseEvent) {
    if (press.wasMore()) return
    if (quick && isOnQuickMark(event)) return quick.perform(id)
    if (act && event.shiftKey) return act.upTo(id)
    const onBox = event.target instanceof Element && event.target.closest('.t-mark') !== null
    if (act && (onBox || event.ctrlKey || event.metaKey || (marking && isTouch(event)))) return act.toggle(id)
    onOpen(id)
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it has the focus and the keys
    <div
      role="option"
      tabIndex={-1}
      id={`t-row-${id}`}
      aria-selected={selected}
      aria-checked={marking ? marked : undefined}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={joinClasses('t-slot', active && 'is-active', marked && 'is-marked')}
      style={{ transform: `translateY(${top}px)` }}
      onMouseDown={event => event.preventDefault()}
      onClick={click}
      {...press.handlers}
    >
      {renderRow(id)}
      {quick && !marking && <QuickMark {...quick} />}
      {act && (
        <span className={joinClasses('t-mark', marked ? 'is-set' : marking && 'is-offered')} aria-hidden="true">
          <Check size={16} strokeWidth={2.6} />
        </span>
      )}
    </div>
  )
}

/** How far the view moves with its rows; another list begins at the top. */
function computeShift(before: ShownRows, now: ShownRows, scrollTop: number, rowHeight: number): number {
  return before.key === now.key ? computeAnchorShift(before.ids, now.ids, scrollTop, rowHeight) : -scrollTop
}

function scrollIntoView(box: HTMLElement | null, index: number, rowHeight: number) {
  if (!box) return
  const top = index * rowHeight
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + rowHeight - box.clientHeight
}
