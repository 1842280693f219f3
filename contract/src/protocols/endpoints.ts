import type { Endpoint } from '../kit/endpoint.ts'
import { Id, IgnoredLog, Nullable, page, Search, Type } from '../kit/schema.ts'
import { Protocol } from './protocol.ts'

export const protocolEndpoints = {
  'GET /protocolos': {
    summary: 'Protocols one may see, by number, newest first: by ticket policy, and what one gave',
    description:
      'What is searched: the number by its beginning or its running number, the ticket, the details, names and numbers of contacts. `count` stops at 1,000.',
    query: Type.Object({
      ...Search.properties,
      user: Type.Optional(Type.String({ maxLength: 2000, description: 'not needed: it is whose session asks' })),
    }),
    answer: Type.Object({ protocolos: Type.Array(Protocol), ...page }),
  },
  'GET /protocolos/:id': { summary: 'One protocol', errors: ['ERR_NO_PROTOCOL_FOUND'], answer: Protocol },
  'PUT /protocolos/:id': {
    summary: 'Change what a protocol was about; its number stays',
    errors: ['ERR_NO_PROTOCOL_FOUND', 'ERR_CHANGED_MEANWHILE'],
    body: Type.Object({
      mensagem: Type.String({ maxLength: 20_000 }),
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'what the change began from' })),
    }),
    answer: Protocol,
  },
  'GET /protocolos/ticket/:id': {
    summary: 'The newest protocol of a ticket, or null',
    errors: ['ERR_NO_TICKET_FOUND'],
    answer: Nullable(Protocol),
  },
  'GET /protocolos/contact/:contactId': {
    summary: 'Whether a contact has a protocol, and so cannot be deleted',
    errors: ['ERR_NO_CONTACT_FOUND'],
    answer: Type.Boolean(),
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
