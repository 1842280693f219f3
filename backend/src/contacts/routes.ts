import { type Route, serve } from '../http/serve.ts'
import { idOf } from '../http/validate.ts'
import type { Parts } from '../parts.ts'
import { checkNumber } from './check-number.ts'
import { contactFromCard } from './from-card.ts'
import { getContact, listContacts } from './list.ts'

export function contactRoutes(parts: Parts): Route[] {
  const { db } = parts
  return [
    serve('GET /contacts', ({ query }) => listContacts(db, query)),
    serve('POST /contact', ({ session, body }) => contactFromCard(parts, session, body)),
    serve('GET /contacts/:id', ({ params }) => getContact(db, idOf(params.id, 'ERR_NO_CONTACT_FOUND'))),
    serve('GET /contacts/check/:number', ({ session, params, query }) =>
      checkNumber(parts, session, params.number, query.whatsappId),
    ),
  ]
}
