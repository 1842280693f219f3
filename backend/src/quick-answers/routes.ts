import { MB } from '@balcao/contract'
import { readForm } from '../http/body.ts'
import { type Route, serve } from '../http/serve.ts'
import { idOf } from '../http/validate.ts'
import type { Parts } from '../parts.ts'
import { getQuickAnswer, listQuickAnswers } from './list.ts'
import { addQuickAnswer, deleteQuickAnswer, editQuickAnswer, quickAnswerForm } from './save.ts'

const FORM_LIMIT = 25 * MB

export function quickAnswerRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => idOf(params.id, 'ERR_NO_QUICK_ANSWER_FOUND')
  return [
    serve('GET /quickAnswers', ({ query }) => listQuickAnswers(db, query)),
    serve('GET /quickAnswers/:id', ({ params }) => getQuickAnswer(db, idIn(params))),
    serve('POST /quickAnswers', async ({ session, request }) =>
      addQuickAnswer(parts, session, quickAnswerForm(await readForm(request, FORM_LIMIT))),
    ),
    serve('PUT /quickAnswers/:id', async ({ session, params, request }) =>
      editQuickAnswer(parts, session, idIn(params), quickAnswerForm(await readForm(request, FORM_LIMIT))),
    ),
    serve('DELETE /quickAnswers/:id', ({ session, params }) => deleteQuickAnswer(parts, session, idIn(params))),
  ]
}
