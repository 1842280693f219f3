import { Contact } from '../entities/contact.ts'
import { Queue } from '../entities/queue.ts'
import { Tag } from '../entities/tag.ts'
import { User } from '../entities/user.ts'
import { LogEntry } from '../log.ts'
import { Id, Nullable, page, Search, Type } from '../schema.ts'
import type { Endpoint } from './endpoint.ts'

/** Text and numbers of an entry as a client reports it; what else it says is not kept. */
const ReportedLog = Type.Object({
  descricao: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  origem: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  userId: Type.Optional(Nullable(Type.Unknown({ description: 'not kept: it is whose session reports' }))),
  ...Type.Partial(Type.Pick(LogEntry, ['ticketId', 'contactId', 'queueId', 'whatsappId', 'messageId'])).properties,
})

export const lookupEndpoints = {
  'GET /users': {
    summary: 'Members of the team',
    query: Search,
    answer: Type.Object({ users: Type.Array(User), ...page }),
  },
  'GET /queue': { summary: 'Queues, by their own order', answer: Type.Array(Queue) },
  'GET /tag': { summary: 'Tags', answer: Type.Array(Tag) },
  'GET /settings': {
    summary: 'Settings as key and value; secrets only for admins',
    answer: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
  },
  'PUT /settings/:key': {
    summary: 'Change one setting; it takes effect at once',
    audience: 'admin',
    errors: ['ERR_NO_SETTING_FOUND'],
    body: Type.Object({ value: Type.String({ maxLength: 10_000 }) }),
    answer: Type.Object({ key: Type.String(), value: Type.String() }),
  },
  'GET /contacts': {
    summary: 'Contacts, by name',
    query: Search,
    answer: Type.Object({ contacts: Type.Array(Contact), ...page }),
  },
  'GET /contacts/:id': {
    summary: 'One contact',
    errors: ['ERR_NO_CONTACT_FOUND'],
    answer: Contact,
  },
  'GET /dashboard/stats': {
    summary: 'Live counters: in service, waiting, closed (in the period, default the current month)',
    audience: 'admin',
    query: Type.Object({
      firstDate: Type.Optional(Type.String({ maxLength: 30 })),
      lastDate: Type.Optional(Type.String({ maxLength: 30 })),
      queueId: Type.Optional(Id),
      userId: Type.Optional(Id),
    }),
    answer: Type.Object({
      open: Type.Integer(),
      pending: Type.Integer(),
      closed: Type.Integer(),
      queues: Type.Array(
        Type.Object({
          id: Nullable(Id),
          name: Type.String(),
          color: Type.String(),
          open: Type.Integer(),
          pending: Type.Integer(),
        }),
      ),
    }),
  },
  'POST /log': {
    summary: 'An entry as reported by the user; kept for compatibility',
    body: Type.Object({ log: ReportedLog }),
    answer: LogEntry,
    status: 201,
  },
} as const satisfies Record<string, Endpoint>
