// Scheduled sends as a list of rows: newest first, found by title or message and by how often they go out; and how that is written in
// the address: `?busca=boleto&recorrencia=every_day`.
import { parseRecurrence, type Recurrence, type Schedule } from '@balcao/contract'
import { makeTextMatcher } from '@balcao/ui/rows'
import type { QueryAddressOptions, RowQuery } from '@balcao/ui/screens'

export interface ScheduleQuery extends RowQuery {
  /** Null: all. */
  readonly recurrence: Recurrence | null
}

type ScheduleMatchFields = Pick<Schedule, 'title' | 'message' | 'recurrence'>

const inTexts = makeTextMatcher<ScheduleMatchFields>(({ title, message }) => [title, message])

export function isScheduleMatch(schedule: ScheduleMatchFields, query: ScheduleQuery): boolean {
  return (query.recurrence === null || schedule.recurrence === query.recurrence) && inTexts(schedule, query)
}

export function compareNewestSchedules(one: Pick<Schedule, 'id'>, other: Pick<Schedule, 'id'>): number {
  return other.id - one.id
}

export const ADDRESS: QueryAddressOptions<ScheduleQuery> = {
  read: params => ({
    search: params.get('busca')?.trim().slice(0, 200) ?? '',
    recurrence: parseRecurrence(params.get('recorrencia') ?? ''),
  }),
  write: ({ search, recurrence }) => ({
    ...(search !== '' && { busca: search }),
    ...(recurrence !== null && { recorrencia: recurrence }),
  }),
}
