// The scheduled sends as a live list of rows.
import type { Schedule } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { askedRows, type LiveRowMeans } from '@balcao/ui/screens'
import { matches, newestFirst, type ScheduleQuery } from './list.ts'

export const SCHEDULES: LiveRowMeans<Schedule, ScheduleQuery> = {
  start: { search: '', recurrence: null },
  order: newestFirst,
  matches,
  async page({ search, recurrence }, cursor, signal) {
    const query = {
      searchParam: search || undefined,
      recurrence: recurrence ?? undefined,
      cursor: cursor ?? undefined,
    }
    const { agendamentos: rows, ...end } = await api('GET /agendamento', { query, signal })
    return { rows, ...end }
  },
  events: askedRows('agendamento', id => api('GET /agendamento/:id', { params: { id } })),
}
