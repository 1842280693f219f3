import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { listQuestions } from './list.ts'
import { addQuestion, deleteQuestion, editQuestion, getQuestion, reorderQuestions } from './save.ts'

export function questionRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_QUESTION_FOUND')
  return [
    serveRead('GET /pergunta', () => listQuestions(db)),
    serveRead('GET /pergunta/:id', ({ params }) => getQuestion(db, idIn(params))),
    serve('POST /pergunta', ({ session, body }) => addQuestion(parts, session, body)),
    serve('PUT /pergunta/order', ({ session, body }) => reorderQuestions(parts, session, body.ids)),
    serve('PUT /pergunta/:id', ({ session, params, body }) => editQuestion(parts, session, idIn(params), body)),
    serve('DELETE /pergunta/:id', ({ session, params }) => deleteQuestion(parts, session, idIn(params))),
  ]
}
