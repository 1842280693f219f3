// The scheduled sends as a live list of rows.
import type { Schedule } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { askedRows, type LiveRowMeans, type RowQuery } from '@balcao/ui/screens'
import { newestFirst } from './list.ts'

export const SCHEDULES: LiveRowMeans<Schedule, RowQuery> = {
  start: { search: '' },
  order: newestFirst,
  matches: () => true,
  async page(_query, cursor, signal) {
    const { agendamentos: rows, nextCursor } = await api('GET /agendamento', {
      query: { cursor: cursor ?? undefined },
      signal,
    })
    return { rows, nextCursor }
  },
  events: askedRows('agendamento', id => api('GET /agendamento/:id', { params: { id } })),
}
