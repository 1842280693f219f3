// The quick answers on the screen: pages by key, and live events by version, so a repeat or a late one changes nothing.
import type { LiveEventOf, QuickAnswer } from '@balcao/contract'
import { withoutAccents } from '@balcao/contract/validation'

export interface Rows {
  readonly search: string
  readonly rows: readonly QuickAnswer[]
  /** Where the next page begins; null at the end. */
  readonly nextCursor: string | null
  readonly count: number
  /** Deleted while this page is open; a late update must not bring them back. */
  readonly gone: readonly number[]
}

interface Page {
  readonly quickAnswers: readonly QuickAnswer[]
  readonly nextCursor: string | null
  readonly count: number
}

export const NO_ROWS: Rows = { search: '', rows: [], nextCursor: null, count: 0, gone: [] }

/** The first page of a search. Rows that live events made newer meanwhile stay newer. */
export function firstPage(before: Rows, search: string, page: Page): Rows {
  const known = new Map(before.rows.map(row => [row.id, row]))
  const rows = page.quickAnswers.map(row => newest(known.get(row.id), row)).filter(row => !before.gone.includes(row.id))
  return { search, rows, nextCursor: page.nextCursor, count: page.count, gone: before.gone }
}

/** One more page; a row that a live event brought already is not doubled. */
export function nextPage(before: Rows, page: Page): Rows {
  const there = new Set(before.rows.map(row => row.id))
  const more = page.quickAnswers.filter(row => !there.has(row.id) && !before.gone.includes(row.id))
  return { ...before, rows: [...before.rows, ...more], nextCursor: page.nextCursor, count: page.count }
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
  const at = others.findIndex(other => byShortcut(row, other) < 0)
  // Beyond what is loaded: it comes with its page.
  if (at < 0 && before.nextCursor !== null && !known) return { ...before, count }
  return { ...before, rows: at < 0 ? [...others, row] : [...others.slice(0, at), row, ...others.slice(at)], count }
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
