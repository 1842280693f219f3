import { Protocol } from '../entities/protocol.ts'
import { Id, IgnoredLog, Nullable, Type } from '../schema.ts'
import type { Endpoint } from './endpoint.ts'

export const protocolEndpoints = {
  'GET /protocolos/ticket/:id': {
    summary: 'The newest protocol of a ticket, or null',
    errors: ['ERR_NO_TICKET_FOUND'],
    answer: Nullable(Protocol),
  },
  'POST /protocolos': {
    summary: 'Generate a protocol for an open ticket and send it; once per time the ticket is open',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_INVALID_TRANSITION'],
    body: Type.Object({ contactId: Type.Optional(Id), ticketId: Id, log: IgnoredLog }),
    answer: Type.Object({
      ...Protocol.properties,
      sent: Type.Boolean({ description: 'false: the 24-hour window is closed, so the customer was not told' }),
    }),
    status: 201,
  },
} as const satisfies Record<string, Endpoint>
