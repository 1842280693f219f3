import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { hasProtocol } from '../contacts/delete.ts'
import { getContact } from '../contacts/list.ts'
import { getTicket } from '../tickets/get.ts'
import { generateProtocol } from './generate.ts'
import { getProtocol, listProtocols } from './list.ts'
import { findProtocol } from './present.ts'
import { editProtocol } from './save.ts'

export function protocolRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_PROTOCOL_FOUND')
  return [
    serve('GET /protocolos', ({ session, query }) => listProtocols(db, session, query)),
    serve('GET /protocolos/:id', ({ session, params }) => getProtocol(db, session, idIn(params))),
    serve('PUT /protocolos/:id', ({ session, params, body }) => editProtocol(parts, session, idIn(params), body)),
    serve('GET /protocolos/ticket/:id', async ({ session, params }) => {
      const ticket = await getTicket(db, session, parseId(params.id, 'ERR_NO_TICKET_FOUND'))
      return findProtocol(db, ticket.id)
    }),
    serve('GET /protocolos/contact/:contactId', async ({ params }) => {
      const { id } = await getContact(db, parseId(params.contactId, 'ERR_NO_CONTACT_FOUND'))
      return hasProtocol(db, id)
    }),
    serve('POST /protocolos', ({ session, body }) => generateProtocol(parts, session, body)),
  ]
}
