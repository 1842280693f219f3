// Scheduled sends as a list of rows: newest first.
import type { Schedule } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { askedRows, type LiveRowMeans, type RowQuery } from '@balcao/ui/screens'

export const SCHEDULES: LiveRowMeans<Schedule, RowQuery> = {
  start: { search: '' },
  order: (one, other) => other.id - one.id,
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
