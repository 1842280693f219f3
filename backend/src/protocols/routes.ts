import { type Route, serve } from '../http/serve.ts'
import { idOf } from '../http/validate.ts'
import type { Parts } from '../parts.ts'
import { getTicket } from '../tickets/get.ts'
import { generateProtocol } from './generate.ts'
import { protocolOf } from './present.ts'

export function protocolRoutes(parts: Parts): Route[] {
  return [
    serve('GET /protocolos/ticket/:id', async ({ session, params }) => {
      const ticket = await getTicket(parts.db, session, idOf(params.id, 'ERR_NO_TICKET_FOUND'))
      return protocolOf(parts.db, ticket.id)
    }),
    serve('POST /protocolos', ({ session, body }) => generateProtocol(parts, session, body)),
  ]
}
