// Where a question stands in the list, and whether a search finds it: all of them are there, so the page searches by itself.
import type { Question } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { foundIn } from '@balcao/ui/rows'
import { type LiveRowMeans, type RowQuery, rowEvents } from '@balcao/ui/screens'

export const matches = foundIn<Question>(({ pergunta, resposta }) => [pergunta, resposta])

/** As the bot numbers them. */
export function inOrder(one: Question, other: Question): number {
  return one.order - other.order || one.id - other.id
}

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
