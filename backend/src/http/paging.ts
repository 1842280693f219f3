// Pages of things sorted by a text and an id: the cursor holds where the last page ended.
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

/** The cursor behind a row. */
export function cursorAfter(text: string, id: number): string {
  return Buffer.from(JSON.stringify([text, id])).toString('base64url')
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
