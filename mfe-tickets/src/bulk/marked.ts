// Which conversations of the list are marked for doing something to all of them.
import { keepSessionState } from '@balcao/ui/session'
import type { ListName } from '../tickets/is-in-list.ts'

interface MarkState {
  /** The list they stand in; another list begins with none. */
  list: ListName | null
  ids: number[]
  /** Where the keyboard is, and where a stretch begins. */
  at: number | null
  /** What the last thing done to several came to, as long as some of it was refused. */
  outcome: BulkOutcome | null
}

export interface BulkOutcome {
  /** What was done to the others, in words. */
  readonly summary: string | null
  readonly done: number
  readonly refused: readonly { readonly id: number; readonly name: string; readonly reason: string }[]
  readonly undo: (() => void) | null
}

export const marked = keepSessionState<MarkState>(() => ({ list: null, ids: [], at: null, outcome: null }))

/** More than so many are not meant by hand. */
const MOST = 200

export function toggleMark(list: ListName, id: number) {
  const ids = marked.list === list ? marked.ids : []
  set(list, ids.includes(id) ? ids.filter(other => other !== id) : [...ids, id], id)
}

/** Everything between where the last mark was set and this one. */
export function markUpTo(list: ListName, order: readonly number[], id: number, from: number | null) {
  const start = marked.list === list && marked.at !== null && order.includes(marked.at) ? marked.at : from
  const [a, b] = [order.indexOf(start ?? id), order.indexOf(id)]
  const stretch = a === -1 ? [id] : order.slice(Math.min(a, b), Math.max(a, b) + 1)
  set(list, [...new Set([...(marked.list === list ? marked.ids : []), ...stretch])], id)
}

export function clearMarks() {
  marked.ids = []
  marked.at = null
}

/** What left the list, or was done, is not marked any more. */
export function keepMarks(still: (id: number) => boolean) {
  if (!marked.ids.every(still)) marked.ids = marked.ids.filter(still)
}

function set(list: ListName, ids: readonly number[], at: number) {
  marked.list = list
  marked.ids = ids.slice(-MOST)
  marked.at = at
}
