// One request of each call that is open to programs: what the description shows, and what a generated client runs, in this order. Every
// number in a path is 1; `text` is a raw body.
import { endpoints } from '../endpoints.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { StringEnum, Type } from '../kit/schema.ts'

export interface CallExample {
  readonly path?: Readonly<Record<string, number | string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly text?: string
}

const ONE = { path: { id: 1 } } as const
const PERIOD = { startDate: '2026-03-01', endDate: '2026-03-31', format: 'xlsx' } as const

export const CALL_EXAMPLES: Readonly<Record<string, CallExample>> = {
  'GET /queue': {},
  'GET /tickets': { query: { status: 'open', showAll: 'true', limit: 20 } },
  'GET /tickets/changes': {},
  'GET /tickets/:id': ONE,
  'GET /tickets/contact/:contactId': { path: { contactId: 1 } },
  'GET /contacts/:id/tickets': { path: { id: 1 }, query: { limit: 20 } },
  'GET /messages/changes': {},
  'GET /messages/:ticketId': { path: { ticketId: 1 }, query: { limit: 50 } },
  'GET /media/:id': { path: { id: 'k3Jx0QmZ8vT1aBcDeFgHiJkL' } },
  'GET /contacts': { query: { searchParam: 'padaria' } },
  'GET /contacts/gone': {},
  'GET /contacts/:id': ONE,
  'POST /contacts': { body: { name: 'Marina Souza', number: '5511987654321', email: 'marina@exemplo.com.br' } },
  'PUT /contacts/:id': { path: { id: 1 }, body: { email: 'padaria@exemplo.com.br' } },
  'POST /contact': { body: { name: 'João Lima', number: '5511987654322' } },
  'GET /tag': {},
  'POST /tag': { body: { name: 'Atacado', color: '#1f7a5c' } },
  'PUT /tag/:id': { path: { id: 1 }, body: { give: [1] } },
  'POST /api/messages/send': { body: { number: '5511987654321', body: 'O pedido 1042 saiu para entrega.' } },
  'POST /messages/:ticketId': {
    path: { ticketId: 1 },
    body: { body: 'Qual horário?', choices: [{ name: 'Manhã' }, { name: 'Tarde' }], clientId: 'pedido-1042' },
  },
  'PUT /messages/:ticketId': { path: { ticketId: 1 }, body: { messageId: 3, body: 'Pagou na entrega.' } },
  'PUT /uploads': { query: { name: 'pedido.txt', ticketId: 1 }, text: 'Pedido 1042' },
  'GET /meta/templates/:ticketId': { path: { ticketId: 1 } },
  'POST /meta/templates': { body: { ticketId: 2, template: { name: 'pedido_enviado', language: 'pt_BR' } } },
  'POST /agendamento': {
    body: {
      ...{ title: 'Lembrete', message: 'A sua consulta é amanhã.', recurrence: 'once' },
      ...{ sendAt: '2036-03-02T12:00:00.000Z', contactsIds: '1', whatsappId: '1' },
    },
  },
  'GET /agendamento': { query: { limit: 20 } },
  'GET /agendamento/:id': ONE,
  'PUT /agendamento/:id/pause': ONE,
  'PUT /agendamento/:id/resume': ONE,
  'PUT /agendamento/:id/cancel': ONE,
  'DELETE /agendamento/:id': ONE,
  'POST /tickets/:id/read': ONE,
  'POST /tickets/next': { body: {} },
  'PUT /tickets/:id': { path: { id: 1 }, body: { status: 'closed', onlyClose: true } },
  'POST /tickets': { body: { contactId: 1, queueId: 1, whatsappId: 1 } },
  'POST /integrations': {
    body: { name: 'n8n', address: 'https://n8n.example.com/webhook/balcao', events: ['message.received'] },
  },
  'GET /integrations': {},
  'PUT /integrations/:id': { path: { id: 1 }, body: { fields: ['messageText'] } },
  'POST /integrations/:id/secret': ONE,
  'POST /integrations/:id/test': { path: { id: 1 }, body: { type: 'message.received' } },
  'GET /integrations/:id/deliveries': { path: { id: 1 }, query: { state: 'failed' } },
  'POST /integrations/:id/deliveries/:deliveryId/replay': { path: { id: 1, deliveryId: 1 } },
  'DELETE /integrations/:id': ONE,
  'POST /report/ticket': { body: PERIOD },
  'POST /report/contact': { body: PERIOD },
  'POST /report/queue': { body: PERIOD },
  'POST /report/user': { body: PERIOD },
  'POST /report/message': { body: { ...PERIOD, contactId: 1 } },
  'GET /jobs': {},
  'GET /jobs/:id': ONE,
  'DELETE /jobs/:id': ONE,
}

/** The file of a message: its bytes are the answer, so it is no call of the typed client. */
export const MESSAGE_FILE = {
  scope: 'readMessages',
  summary: 'The file of a message, at the address of its `mediaUrl`; ranges are answered with 206',
  errors: ['ERR_NO_FILE_FOUND'],
  query: Type.Object({ thumb: Type.Optional(StringEnum(['1'])) }),
  isFile: true,
} as const satisfies Endpoint

/** What programs may call. */
export const PROGRAM_CALLS: Readonly<Record<string, Endpoint>> = {
  ...Object.fromEntries(Object.entries<Endpoint>(endpoints).filter(([, endpoint]) => isOpenToPrograms(endpoint))),
  'GET /media/:id': MESSAGE_FILE,
}

/** Whether programs may make a call, with one token or another. */
function isOpenToPrograms({ scope }: Endpoint): boolean {
  return scope !== undefined
}
