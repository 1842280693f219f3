// Marking with the keyboard: X marks, Shift+J and Shift+K go on and mark, Esc lets go of all.
import { useActions } from '@balcao/ui/actions'
import { CheckCheck, X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { listAction } from '../actions/list-action.ts'
import type { ListName } from '../tickets/is-in-list.ts'
import { clearMarks, keepMarks, marked, markUpTo, toggleMark } from './marked.ts'

export interface Marks {
  readonly ids: ReadonlySet<number>
  /** The row the keyboard is at while marking; kept in view. */
  readonly at: number | null
  readonly act: MarkActs
}

/** The same object as long as the list is the same: rows need not be drawn again for it. */
export interface MarkActs {
  readonly toggle: (id: number) => void
  /** Everything from the last mark, or the open conversation, to this row. */
  readonly upTo: (id: number) => void
}

const NONE: ReadonlySet<number> = new Set()

export function useMarking(list: ListName, order: readonly number[], openId: number | null): Marks {
  const now = useSnapshot(marked)
  const mine = now.list === list
  const latest = useRef({ order, openId })
  const ids = useMemo(() => (mine && now.ids.length > 0 ? new Set(now.ids) : NONE), [mine, now.ids])

  useEffect(() => {
    latest.current = { order, openId }
    if (mine) keepMarks(id => order.includes(id))
  }, [mine, order, openId])
  useEffect(() => clearMarks, [])

  useActions(
    useMemo(() => {
      const here = () => {
        const at = marked.list === list ? marked.at : null
        return [at, openId].find(id => id !== null && order.includes(id)) ?? order[0] ?? null
      }
      const step = (by: 1 | -1) => () => {
        const from = here()
        if (from === null) return
        if (marked.ids.length === 0 || marked.list !== list) return toggleMark(list, from)
        const next = order[order.indexOf(from) + by]
        if (next !== undefined) markUpTo(list, order, next, from)
      }
      const mark = () => {
        const id = openId !== null && order.includes(openId) ? openId : here()
        if (id !== null) toggleMark(list, id)
      }
      return [
        listAction('mark', 'X', mark, { icon: CheckCheck }),
        listAction('markNext', 'Shift+J', step(1)),
        listAction('markPrevious', 'Shift+K', step(-1)),
        listAction('unmark', 'Esc', clearMarks, {
          icon: X,
          when: () => marked.ids.length > 0 && isNothingElseOpen(),
        }),
      ]
    }, [list, order, openId]),
  )

  const act = useMemo(
    () => ({
      toggle: (id: number) => toggleMark(list, id),
      upTo: (id: number) => markUpTo(list, latest.current.order, id, latest.current.openId),
    }),
    [list],
  )
  return { ids, at: mine && now.ids.length > 0 ? now.at : null, act }
}

/** Esc first closes what lies over the list, and leaves the field one writes in. */
function isNothingElseOpen(): boolean {
  return !document.querySelector('[role="dialog"],[role="menu"]') && !document.activeElement?.matches('input,textarea')
}
