// Every call this page makes.
import type { QuickAnswer } from '@balcao/contract'
import { api, upload } from '@balcao/ui/api'
import { type Fields, formDataOf } from './form.ts'

/** A page of quick answers by shortcut; `cursor` from the page before. */
export function fetchPage(searchParam: string, cursor: string | null, signal: AbortSignal) {
  return api('GET /quickAnswers', {
    query: { searchParam: searchParam || undefined, cursor: cursor ?? undefined },
    signal,
  })
}

/** Adds or changes; `onProgress` from 0 to 1 while a file goes up. */
export function saveAnswer(answer: QuickAnswer | null, fields: Fields, onProgress: (part: number) => void) {
  const body = formDataOf(fields)
  return answer
    ? upload('PUT /quickAnswers/:id', { params: { id: answer.id }, body, onProgress })
    : upload('POST /quickAnswers', { body, onProgress })
}

export function deleteAnswer(id: number) {
  return api('DELETE /quickAnswers/:id', { params: { id } })
}
