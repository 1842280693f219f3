import { JobReference, SheetLanguage } from '../jobs/job.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { Nullable, Type } from '../kit/schema.ts'
import { LOG_SHEET_ROWS, LogEntry, LogFilters, LogRow } from './log.ts'

/** Text and numbers of an entry as a client reports it; what else it says is not kept. */
const ReportedLog = Type.Object({
  descricao: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  origem: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
  userId: Type.Optional(Nullable(Type.Unknown({ description: 'not kept: it is whose session reports' }))),
  ...Type.Partial(Type.Pick(LogEntry, ['ticketId', 'contactId', 'queueId', 'whatsappId', 'messageId'])).properties,
})

export const logEndpoints = {
  'GET /log': {
    summary: 'The activity log, newest first, in pages by key',
    description:
      'What is searched: names of people, contacts, queues and connections, numbers, and the words of the entries. `userId` 0: what the system did. `origem`: where it came from; entries from before that was kept have none. `count` stops at 1,000. Names of settings, and the words of entries in other languages than Portuguese, only the reader has: who searches tells which fit.',
    audience: 'admin',
    query: Type.Object({
      ...LogFilters.properties,
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
  'POST /log/export': {
    summary: 'A sheet of the entries that fit, newest first',
    description: `Filters as in GET /log. At most ${LOG_SHEET_ROWS} entries; what is older stays out.`,
    audience: 'admin',
    body: Type.Optional(Type.Object({ ...LogFilters.properties, language: SheetLanguage })),
    answer: JobReference,
    status: 202,
  },
  'POST /log': {
    summary: 'An entry as reported by the user; kept for compatibility',
    body: Type.Object({ log: ReportedLog }),
    answer: LogEntry,
    status: 201,
  },
} as const satisfies Record<string, Endpoint>
