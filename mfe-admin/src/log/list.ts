// The entries of the activity log as a list of rows: asked for by the server's own filters, never changed once written.
import type { BodyOf, LogRow } from '@balcao/contract'
import type { LogSource } from '@balcao/contract/log'
import { api } from '@balcao/ui/api'
import { type Days, type LiveRowMeans, type RowQuery, spansOf } from '@balcao/ui/screens'
import { meantBy } from './words.ts'

export type Entry = LogRow & { readonly version: number }

export interface LogQuery extends RowQuery {
  readonly span: keyof ReturnType<typeof spansOf> | null
  /** 0: what the system did. */
  readonly userId: number | null
  readonly entity: string | null
  readonly origem: LogSource | null
}

/** One thing whose history is read: everything that was done to it. */
export interface Thing {
  readonly entity: string
  readonly id: number
}

/** The means of the list, of one thing or of all. */
export function logOf(thing: Thing | null, today: string): LiveRowMeans<Entry, LogQuery> {
  return {
    start: { search: '', span: null, userId: null, entity: null, origem: null },
    order: (one, other) => other.createdAt.localeCompare(one.createdAt) || other.id - one.id,
    matches: () => true,
    async page(filters, cursor, signal) {
      const query = { ...filtersOf(filters, thing, today), ...(cursor === null ? {} : { cursor }) }
      const { logs, nextCursor, count } = await api('GET /log', { query, signal })
      return { rows: logs.map(row => ({ ...row, version: 1 })), nextCursor, count }
    },
    events: () => () => {},
  }
}

/** What is asked for, as the server takes it. */
export function filtersOf(
  { search, span, userId, entity, origem }: LogQuery,
  thing: Thing | null,
  today: string,
): NonNullable<BodyOf<'POST /log/export'>> {
  const days: Days | null = span && spansOf(today)[span]
  return {
    ...(search === '' ? {} : { searchParam: search, ...meantBy(search) }),
    ...(days && { firstDate: days.from, lastDate: days.to }),
    ...(userId === null ? {} : { userId }),
    ...(origem === null ? {} : { origem }),
    ...(thing ? { entity: thing.entity, entityId: thing.id } : entity === null ? {} : { entity }),
  }
}

/** What a page's address names: `?entity=user&entityId=7`. */
export function thingIn(params: URLSearchParams): Thing | null {
  const [entity, id] = [params.get('entity'), Number(params.get('entityId'))]
  return entity !== null && Number.isSafeInteger(id) && id > 0 ? { entity, id } : null
}
