import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Id, IgnoredLog, Nullable, Type } from '../kit/schema.ts'
import { Queue } from './queue.ts'

const Minutes = Type.Optional(
  Nullable(
    Type.Union([Type.Integer(), Type.String({ maxLength: 20 })], {
      description: 'working time in minutes; null or empty: none',
    }),
  ),
)

const fields = {
  color: Type.Optional(Type.String({ maxLength: 100, description: 'nobody else has it; #7a7a7a unless given' })),
  customOrder: Type.Optional(
    Type.Union([Type.Integer(), Type.String({ maxLength: 20 })], { description: 'smaller comes first; 999: by name' }),
  ),
  greetingMessage: Type.Optional(Type.String({ maxLength: 100_000 })),
  firstAnswerMinutes: Minutes,
  answerMinutes: Minutes,
  userIds: Type.Optional(
    Type.Array(Id, { maxItems: 2000, description: 'who of the queue takes turns; nobody: everybody' }),
  ),
  log: IgnoredLog,
}
const Name = Type.String({ maxLength: 20_000 })

/** Queues (spec 2 §2, §5, §7). */
export const queueEndpoints = {
  'GET /queue': { scope: 'readTickets', summary: 'Queues, by their own order', answer: Type.Array(Queue) },
  'GET /queue/:id': { summary: 'One queue', errors: ['ERR_NO_QUEUE_FOUND'], answer: Queue },
  'POST /queue': {
    summary: 'Add a queue',
    audience: 'admin',
    errors: ['ERR_QUEUE_COLOR_ALREADY_EXISTS', 'ERR_USER_NO_LINKED_IN_QUEUE'],
    body: Type.Object({ name: Name, clientId: ClientId, ...fields }),
    answer: Queue,
    status: 201,
  },
  'PUT /queue/:id': {
    summary: 'Change a queue; what is left out stays',
    audience: 'admin',
    errors: [
      'ERR_NO_QUEUE_FOUND',
      'ERR_QUEUE_COLOR_ALREADY_EXISTS',
      'ERR_USER_NO_LINKED_IN_QUEUE',
      'ERR_CHANGED_MEANWHILE',
    ],
    body: Type.Object({
      name: Type.Optional(Name),
      ...fields,
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'what the change began from' })),
    }),
    answer: Queue,
  },
  'DELETE /queue/:id': {
    summary: 'Delete a queue: people and connections are detached, closed tickets keep its name and colour',
    audience: 'admin',
    errors: ['ERR_NO_QUEUE_FOUND', 'ERR_QUEUE_IN_USE'],
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
