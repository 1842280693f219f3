// The scheduled sends as a live list of rows.
import type { Schedule } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type LiveRowOptions, subscribeToRowIds } from '@balcao/ui/screens'
import { compareNewestSchedules, isScheduleMatch, type ScheduleQuery } from './list.ts'

export const SCHEDULES: LiveRowOptions<Schedule, ScheduleQuery> = {
  start: { search: '', recurrence: null },
  order: compareNewestSchedules,
  matches: isScheduleMatch,
  async page({ search, recurrence }, cursor, signal) {
    const query = {
      searchParam: search || undefined,
      recurrence: recurrence ?? undefined,
      cursor: cursor ?? undefined,
    }
    const { agendamentos: rows, ...end } = await api('GET /agendamento', { query, signal })
    return { rows, ...end }
  },
  events: subscribeToRowIds('agendamento', id => api('GET /agendamento/:id', { params: { id } })),
}
