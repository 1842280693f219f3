import { Contact } from '../entities/contact.ts'
import { LogEntry, LogRow } from '../log.ts'
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
  'GET /log': {
    summary: 'The activity log, newest first, in pages by key',
    description:
      'What is searched: names of people, contacts, queues and connections, numbers, and the words of the entries. `userId` 0: what the system did. `count` stops at 1,000. Names of settings, and the words of entries in other languages than Portuguese, only the reader has: who searches tells which fit.',
    audience: 'admin',
    query: Type.Object({
      searchParam: Type.Optional(Type.String({ maxLength: 200 })),
      settings: Type.Optional(
        Type.String({
          maxLength: 3000,
          description: 'keys of the settings that the search means too, separated by commas',
        }),
      ),
      actions: Type.Optional(
        Type.String({ maxLength: 3000, description: 'actions that the search means too, separated by commas' }),
      ),
      userId: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
      entity: Type.Optional(Type.String({ maxLength: 40, description: 'the kind of thing: ticket, contact, user …' })),
      entityId: Type.Optional(Id),
      action: Type.Optional(Type.String({ maxLength: 60 })),
      firstDate: Type.Optional(Type.String({ maxLength: 40 })),
      lastDate: Type.Optional(Type.String({ maxLength: 40 })),
      pageNumber: Type.Optional(Type.Integer({ minimum: 1 })),
      cursor: Type.Optional(Type.String({ maxLength: 400 })),
    }),
    answer: Type.Object({
      logs: Type.Array(LogRow),
      count: Type.Integer(),
      hasMore: Type.Boolean(),
      nextCursor: Nullable(Type.String()),
    }),
  },
  'POST /log': {
    summary: 'An entry as reported by the user; kept for compatibility',
    body: Type.Object({ log: ReportedLog }),
    answer: LogEntry,
    status: 201,
  },
} as const satisfies Record<string, Endpoint>
