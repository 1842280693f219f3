import { idOf } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { askErasure, undoErasure } from './ask.ts'
import { exportPerson } from './export.ts'
import { findPeople } from './find.ts'
import { heldOf } from './held.ts'

export function privacyRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly contactId: string }) => idOf(params.contactId, 'ERR_NO_CONTACT_FOUND')
  return [
    serve('GET /privacy', ({ query }) => findPeople(db, query.searchParam)),
    serve('GET /privacy/:contactId', ({ params }) => heldOf(db, idIn(params))),
    serve('POST /privacy/:contactId/export', ({ session, params, body }) =>
      exportPerson(parts, session, idIn(params), body?.language),
    ),
    serve('DELETE /privacy/:contactId', ({ session, params, body }) => askErasure(parts, session, idIn(params), body)),
    serve('POST /privacy/:contactId/undo', ({ session, params }) => undoErasure(parts, session, idIn(params))),
  ]
}
