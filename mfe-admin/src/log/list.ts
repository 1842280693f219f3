// The entries of the activity log as a list of rows: asked for by the server's own filters, never changed once written.
import type { LogRow, RequestBody } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import type { LogSource } from '@balcao/contract/log/log'
import { api } from '@balcao/ui/api'
import { toCompanyDay } from '@balcao/ui/i18n'
import { type DayRange, getUsualPeriods, type LiveRowOptions, type RowQuery } from '@balcao/ui/screens'
import { interpretSearch } from './words.ts'

export type LogListRow = LogRow & { readonly version: number }

export interface LogQuery extends RowQuery {
  readonly span: keyof ReturnType<typeof getUsualPeriods> | null
  /** 0: what the system did. */
  readonly userId: number | null
  readonly entity: string | null
  readonly origem: LogSource | null
}

/** One thing whose history is read: everything that was done to it. */
export interface LogSubject {
  readonly entity: string
  readonly id: number
}

/** The means of the list, of one thing or of all. Its days are those of the first page: the others go on from it, past midnight too. */
export function makeLogOptions(thing: LogSubject | null): LiveRowOptions<LogListRow, LogQuery> {
  let today = getToday()
  return {
    start: { search: '', span: null, userId: null, entity: null, origem: null },
    order: (one, other) => other.createdAt.localeCompare(one.createdAt) || other.id - one.id,
    matches: () => true,
    async page(filters, cursor, signal) {
      if (cursor === null) today = getToday()
      const query = { ...toLogFilters(filters, thing, today), ...(cursor === null ? {} : { cursor }) }
      const { logs, nextCursor, count } = await api('GET /log', { query, signal })
      const isCapped = nextCursor !== null && count === LIMITS.counted
      return { rows: logs.map(row => ({ ...row, version: 1 })), nextCursor, count, isCapped }
    },
    events: () => () => {},
  }
}

/** What is asked for, as the server takes it. */
export function toLogFilters(
  { search, span, userId, entity, origem }: LogQuery,
  thing: LogSubject | null,
  today = getToday(),
): NonNullable<RequestBody<'POST /log/export'>> {
  const days: DayRange | null = span && getUsualPeriods(today)[span]
  return {
    ...(search === '' ? {} : { searchParam: search, ...interpretSearch(search) }),
    ...(days && { firstDate: days.from, lastDate: days.to }),
    ...(userId === null ? {} : { userId }),
    ...(origem === null ? {} : { origem }),
    ...(thing ? { entity: thing.entity, entityId: thing.id } : entity === null ? {} : { entity }),
  }
}

function getToday(): string {
  return toCompanyDay(new Date())
}

/** What a page's address names: `?entity=user&entityId=7`. */
export function parseSubject(params: URLSearchParams): LogSubject | null {
  const [entity, id] = [params.get('entity'), Number(params.get('entityId'))]
  return entity !== null && Number.isSafeInteger(id) && id > 0 ? { entity, id } : null
}
