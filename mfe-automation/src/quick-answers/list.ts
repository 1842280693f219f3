// The quick answers on the screen: pages by key, and live events by version, so a repeat or a late one changes nothing.
import type { LiveEventOf, QuickAnswer } from '@balcao/contract'
import { withoutAccents } from '@balcao/contract/validation'
import { Feed } from '@balcao/ui/rows'

export interface Rows {
  readonly search: string
  readonly rows: readonly QuickAnswer[]
  /** Where the next page begins; null at the end. */
  readonly nextCursor: string | null
  readonly count: number
  /** The last row of the last page while there are more: what sorts after it comes with its page. */
  readonly floor: QuickAnswer | null
  /** Deleted while this page is open; a late update must not bring them back. */
  readonly gone: readonly number[]
}

interface Page {
  readonly quickAnswers: readonly QuickAnswer[]
  readonly nextCursor: string | null
  readonly count: number
}

export const NO_ROWS: Rows = { search: '', rows: [], nextCursor: null, count: 0, floor: null, gone: [] }

/** What changes the rows: an event of the live line, or what was saved or deleted here. */
export type RowChange = LiveEventOf<'quickAnswer'> | { readonly saved: QuickAnswer } | { readonly dropped: number }

export function rowsFeed() {
  return new Feed<Rows, RowChange>(NO_ROWS, (rows, change) => {
    if ('saved' in change) return withRow(rows, change.saved)
    return 'dropped' in change ? without(rows, change.dropped) : afterEvent(rows, change)
  })
}

/** The first page of a search. Rows that live events made newer meanwhile stay newer. */
export function firstPage(before: Rows, search: string, page: Page): Rows {
  const known = new Map(before.rows.map(row => [row.id, row]))
  const rows = page.quickAnswers.map(row => newest(known.get(row.id), row)).filter(row => !before.gone.includes(row.id))
  return { search, rows, ...endOf(page), gone: before.gone }
}

/** One more page; a row that a live event brought already is not doubled. */
export function nextPage(before: Rows, page: Page): Rows {
  const there = new Set(before.rows.map(row => row.id))
  const more = page.quickAnswers.filter(row => !there.has(row.id) && !before.gone.includes(row.id))
  return { ...before, rows: [...before.rows, ...more].sort(byShortcut), ...endOf(page) }
}

function endOf({ quickAnswers, nextCursor, count }: Page): Pick<Rows, 'nextCursor' | 'count' | 'floor'> {
  return { nextCursor, count, floor: nextCursor === null ? null : (quickAnswers.at(-1) ?? null) }
}

/** The rows after one live event. */
export function afterEvent(before: Rows, event: LiveEventOf<'quickAnswer'>): Rows {
  if (event.action === 'delete') return without(before, event.quickAnswerId)
  return withRow(before, event.quickAnswer)
}

/** The rows with this one in its place by shortcut, or without it where the search no longer finds it. */
export function withRow(before: Rows, row: QuickAnswer): Rows {
  if (before.gone.includes(row.id)) return before
  const known = before.rows.find(other => other.id === row.id)
  if (known && known.version > row.version) return before
  const others = before.rows.filter(other => other.id !== row.id)
  const count = before.count + (known ? 0 : 1)
  if (!matches(row, before.search)) return { ...before, rows: others, count: known ? before.count - 1 : before.count }
  if (before.floor && byShortcut(row, before.floor) > 0) return { ...before, rows: others, count }
  return { ...before, rows: [...others, row].sort(byShortcut), count }
}

/** The rows without a deleted one. */
export function without(before: Rows, id: number): Rows {
  const rows = before.rows.filter(row => row.id !== id)
  const count = Math.max(0, before.count - (rows.length < before.rows.length ? 1 : 0))
  return { ...before, rows, count, gone: [...before.gone.filter(other => other !== id), id] }
}

/** Whether the search finds a row, in shortcut or message, whatever the accents and case. */
export function matches(row: Pick<QuickAnswer, 'shortcut' | 'message'>, search: string) {
  const wanted = plain(search.trim().replace(/^\//, ''))
  return plain(row.shortcut).includes(wanted) || plain(row.message).includes(wanted)
}

function byShortcut(one: QuickAnswer, other: QuickAnswer) {
  return one.shortcut.localeCompare(other.shortcut, 'pt-BR') || one.id - other.id
}

function newest(known: QuickAnswer | undefined, row: QuickAnswer) {
  return known && known.version > row.version ? known : row
}

function plain(text: string) {
  return withoutAccents(text).toLowerCase()
}
