import { MB } from '@balcao/contract'
import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { readForm } from '../media/form.ts'
import { listQuickAnswers } from './list.ts'
import { addQuickAnswer, deleteQuickAnswer, editQuickAnswer, findQuickAnswer } from './save.ts'
import { countUse } from './use.ts'

const FORM_LIMIT = 25 * MB

export function quickAnswerRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_QUICK_ANSWER_FOUND')
  return [
    serveRead('GET /quickAnswers', ({ session, query }) => listQuickAnswers(db, session.viewer, query)),
    serveRead('GET /quickAnswers/:id', ({ session, params }) => findQuickAnswer(db, session, idIn(params))),
    serve('POST /quickAnswers', call =>
      readForm(parts, call, (form, session) => addQuickAnswer(parts, session, form), FORM_LIMIT),
    ),
    serve('PUT /quickAnswers/:id', call =>
      readForm(parts, call, (form, session) => editQuickAnswer(parts, session, idIn(call.params), form), FORM_LIMIT),
    ),
    serve('POST /quickAnswers/:id/use', ({ session, params }) => countUse(parts, session, idIn(params))),
    serve('DELETE /quickAnswers/:id', ({ session, params }) => deleteQuickAnswer(parts, session, idIn(params))),
  ]
}
