import { MB } from '@balcao/contract'
import { type Route, serve } from '../http/serve.ts'
import { idOf } from '../http/validate.ts'
import { withForm } from '../media/form.ts'
import type { Parts } from '../parts.ts'
import { getQuickAnswer, listQuickAnswers } from './list.ts'
import { addQuickAnswer, deleteQuickAnswer, editQuickAnswer, type QuickAnswerForm, quickAnswerForm } from './save.ts'

const FORM_LIMIT = 25 * MB

export function quickAnswerRoutes(parts: Parts): Route[] {
  const { db } = parts
  const given = <T>(request: Request, work: (form: QuickAnswerForm) => Promise<T>) =>
    withForm(parts, request, form => work(quickAnswerForm(form)), FORM_LIMIT)
  const idIn = (params: { readonly id: string }) => idOf(params.id, 'ERR_NO_QUICK_ANSWER_FOUND')
  return [
    serve('GET /quickAnswers', ({ query }) => listQuickAnswers(db, query)),
    serve('GET /quickAnswers/:id', ({ params }) => getQuickAnswer(db, idIn(params))),
    serve('POST /quickAnswers', ({ session, request }) => given(request, form => addQuickAnswer(parts, session, form))),
    serve('PUT /quickAnswers/:id', ({ session, params, request }) =>
      given(request, form => editQuickAnswer(parts, session, idIn(params), form)),
    ),
    serve('DELETE /quickAnswers/:id', ({ session, params }) => deleteQuickAnswer(parts, session, idIn(params))),
  ]
}
