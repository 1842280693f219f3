// Pages of rows in the order of one of their texts (a name, a shortcut) and, where that is the same, of their ids: the cursor holds
// text and id of the last row. The order is Portuguese, whatever the database sorts by; lists in the front end keep it with `compareByText`.
import { LIMITS } from '@balcao/contract'
import { and, type Column, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../database/client.ts'
import { toIds } from '../database/ids.ts'
import { createFieldError } from './errors.ts'

export interface PageQuery {
  readonly searchParam?: string | undefined
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
export function parsePageBounds(query: PageQuery, limit: number, most: number): PageBounds {
  if (query.all === 'true') return { after: null, skip: 0, limit: most }
  if (query.cursor !== undefined) return { after: parsePosition(query.cursor), skip: 0, limit }
  const skip = ((query.pageNumber ?? 1) - 1) * limit
  if (skip > 10_000) throw createFieldError('pageNumber', 'call.useCursor')
  return { after: null, skip, limit }
}

/** What a list by name goes through. */
interface NamedList<Shown> {
  readonly table: PgTable & { readonly id: PgColumn }
  /** The text they stand by. */
  readonly by: PgColumn
  /** Where a search looks. */
  readonly finds: readonly Column[]
  /** What there is to be seen at all; everything unless given. */
  readonly where?: SQL | undefined
  /** The rows as they are shown, in the order of the ids. */
  readonly load: (db: Db, ids: readonly number[]) => Promise<Shown[]>
}

/** A page of a list by name, of those rows in which the search stands. */
export async function loadNamedPage<Shown>(db: Db, query: PageQuery, named: NamedList<Shown>) {
  const { table, by, finds, where, load } = named
  const bounds = parsePageBounds(query, LIMITS.rowsPage, 2000)
  const search = query.searchParam?.trim() ?? ''
  const found = and(where, search === '' ? undefined : or(...finds.map(column => matchTextSql(column, search))))
  const rows = await db
    .select({ id: table.id, text: by })
    .from(table)
    .where(and(found, behind(by, table.id, bounds)))
    .orderBy(portugueseOrderSql(by), table.id)
    .offset(bounds.skip)
    .limit(bounds.limit + 1)
  const places = rows.map(row => ({ id: Number(row.id), text: String(row.text) }))
  const { ids, ...page } = toPage(places, bounds.limit, place => place.text)
  return { rows: await load(db, ids), count: await db.$count(table, found), ...page }
}

/** A page of rows of which one more was asked for than stand on it, and where the next one begins. */
export function toPage<Row extends { readonly id: number }>(
  rows: readonly Row[],
  limit: number,
  textOf: (row: Row) => string = () => '',
): { ids: number[]; hasMore: boolean; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit
  return {
    ids: toIds(page),
    hasMore,
    nextCursor: hasMore && last ? toCursor(textOf(last), last.id) : null,
  }
}

/** Where a page ends, for the next one. */
export function toCursor(text: string, id: number): string {
  return Buffer.from(JSON.stringify([text, id])).toString('base64url')
}

/** The rows behind a cursor, in the order of both columns. */
function behind(text: Column, id: Column, { after }: PageBounds): SQL | undefined {
  return after ? sql`(${portugueseOrderSql(text)}, ${id}) > (${after.text}, ${after.id})` : undefined
}

/** A text for an order: Água before Vendas, ana beside Ana. */
export function portugueseOrderSql(text: Column): SQL {
  return sql`${text} collate "pt-BR-x-icu"`
}

/** A text to look for, or null when there is none; throws when it is too short to be found by its letters. */
export function parseSearchText(path: string, text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  if ([...trimmed].length < LIMITS.searchMinimum) throw createFieldError(path, 'call.searchLength')
  return trimmed
}

/** A LIKE pattern for digits, or a word that is folded already, anywhere, its own wildcards taken literally. Of any other text the database makes it: `f_like`. */
export function toLikePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}

/** The rows in which a text stands anywhere, whatever its accents and capitals. */
export function matchTextSql(column: Column, text: string): SQL {
  return sql`f_norm(${column}) like f_like(${text})`
}

function parsePosition(cursor: string): { text: string; id: number } {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(position) && typeof position[0] === 'string' && Number.isInteger(position[1]))
      return { text: position[0], id: Number(position[1]) }
  } catch {
    // not one of ours: refused below like any other
  }
  throw createFieldError('cursor', 'call.cursor')
}
