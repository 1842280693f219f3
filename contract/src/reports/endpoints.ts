// Reports (spec 3 §2, §7; decisions-2 §13, §23): each call begins a job that leaves a PDF or a sheet.
import { JobReference } from '../jobs/job.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { LANGUAGES } from '../kit/language.ts'
import { Id, Nullable, StringEnum, type TSchema, Type } from '../kit/schema.ts'
import { REPORT_FORMATS, REPORT_LOOK_ROWS, REPORT_STATUSES } from './rules.ts'

/** A field of the form that may be left blank. */
function Blank<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Literal(''), Type.Null()]))
}

const Day = Blank(Type.String({ maxLength: 30, description: 'YYYY-MM-DD, required; what follows is not read' }))

const Asked = {
  startDate: Day,
  endDate: Day,
  format: Type.Optional(StringEnum(REPORT_FORMATS)),
  language: Type.Optional(StringEnum(LANGUAGES)),
}

const Filtered = Type.Object({
  ...Asked,
  queueId: Blank(Id),
  userId: Blank(Id),
  contactId: Blank(Id),
  status: Type.Optional(Nullable(StringEnum(REPORT_STATUSES))),
})

const query = Type.Object({
  preview: Type.Optional(
    Type.String({ maxLength: 5, description: 'true: says how large it would be, and begins nothing' }),
  ),
})

const dryRun = Type.Object({
  /** Rows of its table: tickets, contacts, queues, people or messages. */
  rows: Type.Integer({ minimum: 0, maximum: REPORT_LOOK_ROWS, description: `counting stops at ${REPORT_LOOK_ROWS}` }),
  /** How many pages a PDF of it would have, about. */
  pages: Type.Integer({ minimum: 1 }),
})

const description = `Administrators and managers; a manager gets tickets of the own queues. The period is whole days of the company's time zone, both included. The job (kind \`report.…\`) ends with \`result.name\`, \`counts.rows\` and \`counts.bytes\`, of a PDF also \`counts.pages\`; \`GET /jobs/{id}\` gives the link to its file to who may still have it.`

const errors = ['ERR_NO_QUEUE_FOUND', 'ERR_NO_USER_FOUND', 'ERR_NO_CONTACT_FOUND'] as const

const made = { description, errors, query, body: Filtered, answer: JobReference, status: 202, look: dryRun } as const

export const reportEndpoints = {
  'POST /report/ticket': {
    scope: 'reports',
    ...made,
    summary: 'A report of the tickets opened in a period, one by one, with totals by status, queue and person',
  },
  'POST /report/contact': {
    scope: 'reports',
    ...made,
    summary:
      'A report of the contacts with tickets opened in a period: tickets, messages, first and last contact, rating',
  },
  'POST /report/queue': {
    scope: 'reports',
    ...made,
    summary: 'A report of the queues: tickets by status and hour, TME, TMA, rating',
  },
  'POST /report/user': {
    scope: 'reports',
    ...made,
    summary: 'A report of the people: tickets by status and hour, TME, TMA, rating',
  },
  'POST /report/message': {
    scope: 'reports',
    ...made,
    summary: 'The conversations of one contact in a period, as the customer saw them',
    errors: ['ERR_NO_CONTACT_FOUND'],
    description: `${description} A program needs the scope readMessages, too.`,
    body: Type.Object({ ...Asked, contactId: Blank(Id) }),
  },
} as const satisfies Record<string, Endpoint>
