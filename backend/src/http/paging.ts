// Pages of things sorted by a text and an id: the cursor holds where the last page ended.
import { LIMITS } from '@balcao/contract'
import { type Column, type SQL, sql } from 'drizzle-orm'
import { AppError } from './errors.ts'

export interface PageQuery {
  readonly pageNumber?: number | undefined
  readonly cursor?: string | undefined
  readonly all?: string | undefined
}

/** Where a page begins and how long it is. `after` null: at the beginning, `skip` rows further. */
export interface PageBounds {
  readonly after: { readonly text: string; readonly id: number } | null
  readonly skip: number
  readonly limit: number
}

/** `all=true` gives everything up to `most` in one page: lists for choosing. */
export function pageBounds(query: PageQuery, limit: number, most: number): PageBounds {
  if (query.all === 'true') return { after: null, skip: 0, limit: most }
  if (query.cursor !== undefined) return { after: placeOf(query.cursor), skip: 0, limit }
  const skip = ((query.pageNumber ?? 1) - 1) * limit
  if (skip > 10_000) throw new AppError('ERR_VALIDATION', [{ path: 'pageNumber', message: 'use cursor' }])
  return { after: null, skip, limit }
}

/** A page of rows of which one more was asked for than stand on it, and where the next one begins. */
export function pageOf<Row extends { readonly id: number }>(
  rows: readonly Row[],
  limit: number,
  textOf: (row: Row) => string = () => '',
): { ids: number[]; hasMore: boolean; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit
  return {
    ids: page.map(row => row.id),
    hasMore,
    nextCursor: hasMore && last ? Buffer.from(JSON.stringify([textOf(last), last.id])).toString('base64url') : null,
  }
}

/** The rows behind a cursor, in the order of both columns. */
export function behind(text: Column, id: Column, { after }: PageBounds): SQL | undefined {
  return after ? sql`(${text}, ${id}) > (${after.text}, ${after.id})` : undefined
}

/** A text to look for, or null when there is none; throws when it is too short to be found by its letters. */
export function needle(path: string, text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  if ([...trimmed].length < LIMITS.searchMinimum)
    throw new AppError('ERR_VALIDATION', [{ path, message: 'Digite pelo menos 3 caracteres' }])
  return trimmed
}

/** A LIKE pattern for a text anywhere, with its own wildcards taken literally; for `escape '!'`. */
export function pattern(text: string): string {
  return `%${text.trim().replace(/[!%_]/g, '!$&')}%`
}

/** The rows in which a text stands anywhere, whatever its accents and capitals. */
export function foundIn(column: Column, text: string): SQL {
  return sql`f_norm(${column}) like f_norm(${pattern(text)}) escape '!'`
}

function placeOf(cursor: string): { text: string; id: number } {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(place) && typeof place[0] === 'string' && Number.isInteger(place[1]))
      return { text: place[0], id: Number(place[1]) }
  } catch {
    // not one of ours: refused below like any other
  }
  throw new AppError('ERR_VALIDATION', [{ path: 'cursor', message: 'invalid' }])
}
