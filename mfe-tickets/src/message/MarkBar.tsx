// Marking messages to pass several on: a press or Space marks a row, with Shift up to it; Enter asks to whom, Esc lets go of all.
import { LIMITS } from '@balcao/contract/kit/limits'
import { useTexts } from '@balcao/ui/i18n'
import { Button, IconButton, Kbd } from '@balcao/ui/parts'
import { Forward, X } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { getConversation } from '../conversation/conversation-store.ts'
import type { ConversationRow } from '../conversation/rows.ts'
import { openForward, view } from '../desk/view.ts'
import { canForward } from './can-forward.ts'
import './late.ts'

interface MarkBarProps {
  readonly ticketId: number
  /** In the order they stand in. */
  readonly rows: readonly ConversationRow[]
}

export default function MarkBar({ ticketId, rows }: MarkBarProps) {
  const t = useTexts('tickets')
  const bar = useRef<HTMLElement>(null)
  const { marks } = useSnapshot(view)
  const count = marks?.ids.length ?? 0

  function markRow(key: string | undefined, withShift: boolean) {
    const row = rows.find(one => one.key === key)
    if (row) view.marks = { ticketId, ids: withShift ? addStretch(rows, row) : toggleRow(row), at: row.key }
  }

  function forward() {
    if (view.marks && view.marks.ids.length > 0) openForward(ticketId, ...sortByPlace(ticketId, view.marks.ids))
  }

  const press = useEffectEvent((event: MouseEvent) => {
    const key = findRowKey(event.target)
    if (key === undefined) return
    event.preventDefault()
    event.stopPropagation()
    markRow(key, event.shiftKey)
  })
  const type = useEffectEvent((event: KeyboardEvent) => {
    if (document.querySelector('[role="dialog"],[role="menu"]')) return
    const row = event.target instanceof HTMLElement && event.target.dataset.key ? event.target : null
    const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown'
    if (event.key === 'Escape') leave(bar.current)
    else if (row && event.key === ' ') markRow(row.dataset.key, event.shiftKey)
    else if (row && event.key === 'Enter') forward()
    else {
      // The list itself moves on to the row that is marked here.
      const next = event.key === 'ArrowUp' ? row?.previousElementSibling : row?.nextElementSibling
      if (isArrow && event.shiftKey && next instanceof HTMLElement) markRow(next.dataset.key, true)
      return
    }
    event.preventDefault()
    event.stopPropagation()
  })
  const begin = useEffectEvent(() => {
    if (view.marks?.ids.length === 0) markRow(view.marks.at, false)
  })

  // Before what was held for it is done.
  useLayoutEffect(() => {
    const list = bar.current?.parentElement?.querySelector('ol')
    begin()
    list?.addEventListener('click', press, true)
    document.addEventListener('keydown', type, true)
    return () => {
      list?.removeEventListener('click', press, true)
      document.removeEventListener('keydown', type, true)
    }
  }, [])
  // Another conversation begins with none.
  useEffect(
    () => () => {
      if (view.marks?.ticketId === ticketId) view.marks = null
    },
    [ticketId],
  )

  return (
    <section ref={bar} className="g-marks" aria-label={t('marks.bar')}>
      <strong role="status">{t(count === LIMITS.forwardedMost ? 'marks.most' : 'marks.count', { count })}</strong>
      <Kbd>Esc</Kbd>
      <Button kind="primary" icon={Forward} disabled={count === 0} onClick={forward}>
        {t('action.forward')}
      </Button>
      <IconButton icon={X} label={t('marks.end')} onClick={() => leave(bar.current)} />
    </section>
  )
}

function findRowKey(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined
}

function listForwardable({ album, message }: ConversationRow): readonly number[] {
  return (album ?? [message]).filter(one => one.id > 0 && canForward(one)).map(one => one.id)
}

function toggleRow(row: ConversationRow): readonly number[] {
  const before = view.marks?.ids ?? []
  const own = listForwardable(row)
  const isMarked = own.every(id => before.includes(id))
  return isMarked ? before.filter(id => !own.includes(id)) : limit([...before, ...own])
}

/** Everything from the row that was marked last to this one. */
function addStretch(rows: readonly ConversationRow[], row: ConversationRow): readonly number[] {
  const places = [rows.findIndex(one => one.key === view.marks?.at), rows.indexOf(row)]
  const stretch = rows.slice(Math.max(0, Math.min(...places)), Math.max(...places) + 1)
  return limit([...(view.marks?.ids ?? []), ...stretch.flatMap(listForwardable)])
}

function limit(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].slice(0, LIMITS.forwardedMost)
}

/** As they stand in the conversation, however they were marked. */
function sortByPlace(ticketId: number, ids: readonly number[]): readonly number[] {
  const order = new Map(
    getConversation(ticketId)
      .view()
      .messages.map(({ id }, place) => [id, place]),
  )
  return ids.toSorted((a, b) => (order.get(a) ?? -1) - (order.get(b) ?? -1) || a - b)
}

/** What is written goes on where it was; from the bar the focus goes to the conversation. */
function leave(bar: HTMLElement | null) {
  if (bar?.contains(document.activeElement)) bar.closest<HTMLElement>('.c-conversation')?.focus({ preventScroll: true })
  view.marks = null
}
