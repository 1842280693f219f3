import { MB } from '@balcao/contract'
import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { readForm } from '../media/form.ts'
import { listQuickAnswers } from './list.ts'
import { addQuickAnswer, deleteQuickAnswer, editQuickAnswer, getQuickAnswer } from './save.ts'

const FORM_LIMIT = 25 * MB

export function quickAnswerRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_QUICK_ANSWER_FOUND')
  return [
    serveRead('GET /quickAnswers', ({ query }) => listQuickAnswers(db, query)),
    serveRead('GET /quickAnswers/:id', ({ params }) => getQuickAnswer(db, idIn(params))),
    serve('POST /quickAnswers', call =>
      readForm(parts, call, (form, session) => addQuickAnswer(parts, session, form), FORM_LIMIT),
    ),
    serve('PUT /quickAnswers/:id', call =>
      readForm(parts, call, (form, session) => editQuickAnswer(parts, session, idIn(call.params), form), FORM_LIMIT),
    ),
    serve('DELETE /quickAnswers/:id', ({ session, params }) => deleteQuickAnswer(parts, session, idIn(params))),
  ]
}
