// Scheduled sends as a list of rows: newest first, found by title or message and by how often they go out; and how that is written in
// the address: `?busca=boleto&recorrencia=every_day`.
import { type Recurrence, recurrenceOf, type Schedule } from '@balcao/contract'
import { foundIn } from '@balcao/ui/rows'
import type { AddressMeans, RowQuery } from '@balcao/ui/screens'

export interface ScheduleQuery extends RowQuery {
  /** Null: all. */
  readonly recurrence: Recurrence | null
}

type Found = Pick<Schedule, 'title' | 'message' | 'recurrence'>

const inTexts = foundIn<Found>(({ title, message }) => [title, message])

export function matches(schedule: Found, query: ScheduleQuery): boolean {
  return (query.recurrence === null || schedule.recurrence === query.recurrence) && inTexts(schedule, query)
}

export function newestFirst(one: Pick<Schedule, 'id'>, other: Pick<Schedule, 'id'>): number {
  return other.id - one.id
}

export const ADDRESS: AddressMeans<ScheduleQuery> = {
  read: params => ({
    search: params.get('busca')?.trim().slice(0, 200) ?? '',
    recurrence: recurrenceOf(params.get('recorrencia') ?? ''),
  }),
  write: ({ search, recurrence }) => ({
    ...(search !== '' && { busca: search }),
    ...(recurrence !== null && { recorrencia: recurrence }),
  }),
}
