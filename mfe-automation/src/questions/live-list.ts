// The questions as a live list of rows.
import type { Question } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type LiveRowOptions, type RowQuery, subscribeToRows } from '@balcao/ui/screens'
import { compareQuestions, isQuestionMatch } from './list.ts'

export const QUESTIONS: LiveRowOptions<Question, RowQuery> = {
  start: { search: '' },
  order: compareQuestions,
  matches: isQuestionMatch,
  async page(query, _cursor, signal) {
    const rows = (await api('GET /pergunta', { signal }))
      .filter(row => isQuestionMatch(row, query))
      .sort(compareQuestions)
    return { rows, nextCursor: null, count: rows.length }
  },
  events: subscribeToRows('pergunta'),
}
