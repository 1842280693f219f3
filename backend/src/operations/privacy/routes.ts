import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { requestErasure, undoErasure } from './ask.ts'
import { exportPerson } from './export.ts'
import { findPeople } from './find.ts'
import { loadHeldData } from './held.ts'

export function privacyRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly contactId: string }) => parseId(params.contactId, 'ERR_NO_CONTACT_FOUND')
  return [
    serve('GET /privacy', ({ query }) => findPeople(db, query.searchParam)),
    serve('GET /privacy/:contactId', ({ params }) => loadHeldData(db, idIn(params))),
    serve('POST /privacy/:contactId/export', ({ session, params, body }) =>
      exportPerson(parts, session, idIn(params), body?.language),
    ),
    serve('DELETE /privacy/:contactId', ({ session, params, body }) =>
      requestErasure(parts, session, idIn(params), body),
    ),
    serve('POST /privacy/:contactId/undo', ({ session, params }) => undoErasure(parts, session, idIn(params))),
  ]
}
