// The questions as a live list of rows.
import type { Question } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type LiveRowMeans, type RowQuery, rowEvents } from '@balcao/ui/screens'
import { inOrder, matches } from './list.ts'

export const QUESTIONS: LiveRowMeans<Question, RowQuery> = {
  start: { search: '' },
  order: inOrder,
  matches,
  async page(query, _cursor, signal) {
    const rows = (await api('GET /pergunta', { signal })).filter(row => matches(row, query)).sort(inOrder)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: rowEvents('pergunta'),
}
