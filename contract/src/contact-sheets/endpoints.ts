import { JobReference, SHEET_ERRORS, SheetLanguage } from '../jobs/job.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { Files, Id, Nullable, StringEnum, Type } from '../kit/schema.ts'
import { SheetFile } from '../users/endpoints.ts'
import {
  BULK_IDS,
  CLEAR_WORD,
  CONTACT_COLUMNS,
  CONTACT_SHEET_ROWS,
  DELEGATION_COLUMNS,
  FAULTS_TOLD,
} from './contact-sheets.ts'

/** A contact as it will be. */
const SheetContact = Type.Object({
  row: Type.Integer(),
  outcome: StringEnum(['created', 'updated', 'skipped']),
  name: Type.String(),
  number: Type.String(),
  otherNumbers: Type.Array(Type.String()),
  email: Type.String(),
  tags: Type.Array(Type.String()),
})

/** What would come of a sheet, and nothing is written; rows are counted as in the sheet (decisions-2 §22). */
export const SheetDryRunAnswer = Type.Object({
  /** The headings, and which column each is taken for; null: left out. */
  columns: Type.Array(Type.Object({ head: Type.String(), field: Nullable(Type.String()) })),
  /** The first rows as they stand in the sheet. */
  rows: Type.Array(Type.Array(Type.String())),
  contacts: Type.Array(SheetContact, { description: 'what the first rows that are not wrong come to' }),
  /** Rows with more than one number. */
  several: Type.Integer(),
  /** Rows below the heading. */
  total: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer(),
  /** Rows that are wrong. */
  wrong: Type.Integer(),
  errors: Type.Array(
    Type.Object({
      row: Type.Integer(),
      /** The column, as in the empty sheet. */
      field: Type.String(),
      code: Type.String(),
      /** The sentence of the code. */
      error: Type.String(),
      /** What stands there, shortened. */
      value: Type.String(),
    }),
    { description: `of the first ${FAULTS_TOLD} wrong rows` },
  ),
  /** Those rows as they were, each with what is wrong: to be mended and imported again. Null where none is. */
  errorSheet: Nullable(SheetFile),
})

const Look = Type.Optional(
  Type.String({ maxLength: 5, description: 'true: says what would happen, and writes nothing' }),
)
const Columns = Type.Optional(Type.String({ description: 'JSON: the column for each heading, null to leave it out' }))
const AreaCode = Type.Optional(
  Type.String({ maxLength: 2, description: 'The Brazilian area code of numbers that stand in the sheet without one' }),
)
const Numbers = Type.Optional(
  Type.String({
    maxLength: 5,
    description: 'all: a contact gets every number of its row; otherwise the first mobile one alone',
  }),
)
const Partial = Type.Optional(
  Type.String({ maxLength: 5, description: 'false: nothing at all is written while a row is wrong' }),
)

const Format = Type.Object({ format: Type.Optional(StringEnum(['xlsx', 'csv'])) })

export const BULK_ACTIONS = ['tag', 'untag', 'delegate', 'delete'] as const

/** Contacts in bulk (decisions-2 §13, §14, §22). What begins long work answers 202 with its job. */
export const contactSheetEndpoints = {
  'POST /contacts/import': {
    summary:
      'Take contacts in from a sheet (multipart: medias), or without a file from the address book of a phone (right editContact)',
    description: `Columns: ${CONTACT_COLUMNS.join(', ')}, also as address books, desks and advertisements call them in Portuguese, English and Spanish, below a title or on another sheet than the first; at most ${CONTACT_SHEET_ROWS} rows. Wrong rows are left out unless partial=false. The phone is that of whatsappId, else of the default connection.`,
    errors: [...SHEET_ERRORS, 'ERR_IMPORT_BLOCKED', 'ERR_NO_PHONE_BOOK', 'ERR_NO_WAPP_FOUND', 'ERR_NO_DEF_WAPP_FOUND'],
    query: Type.Object({ preview: Look, partial: Partial, language: SheetLanguage, whatsappId: Type.Optional(Id) }),
    bodyKind: 'multipart',
    form: Type.Object({ medias: Type.Optional(Files), columns: Columns, areaCode: AreaCode, numbers: Numbers }),
    answer: JobReference,
    status: 202,
    look: SheetDryRunAnswer,
  },
  'GET /contacts/import/template': {
    summary: 'An empty sheet with the headings of an import, as .xlsx (right editContact)',
    answer: SheetFile,
  },
  'POST /contacts/export': {
    summary: 'A sheet of all contacts that have a number, which can be imported again (right editContact)',
    body: Type.Optional(Format),
    answer: JobReference,
    status: 202,
  },
  'POST /contacts/delegation': {
    summary: 'Set redirect rows of contacts from a sheet (multipart: medias; right addContact)',
    description: `Columns: ${DELEGATION_COLUMNS.join(', ')}. The rows of a contact become its redirects; a row without queue and person takes them all away. Who is not known yet is added. A person is named by e-mail, else by a name that fits one.`,
    errors: SHEET_ERRORS,
    query: Type.Object({ preview: Look, partial: Partial, language: SheetLanguage }),
    bodyKind: 'multipart',
    form: Type.Object({ medias: Files, columns: Columns, areaCode: AreaCode }),
    answer: JobReference,
    status: 202,
    look: SheetDryRunAnswer,
  },
  'GET /contacts/delegation/template': {
    summary: 'An empty sheet with the headings of a delegation, as .xlsx (right addContact)',
    answer: SheetFile,
  },
  'POST /contacts/export/delegation': {
    summary: 'A sheet of all contacts that have a number with their redirects, one row each (right addContact)',
    body: Type.Optional(Format),
    answer: JobReference,
    status: 202,
  },
  'POST /contacts/clear': {
    summary: 'Delete the contacts without tickets, protocols and schedules (right delContact)',
    description: `Asks for the word: { "confirm": "${CLEAR_WORD}" }. preview=true needs no word and answers the numbers.`,
    query: Type.Object({ preview: Look }),
    body: Type.Optional(Type.Object({ confirm: Type.Optional(Type.String({ maxLength: 20 })) })),
    answer: JobReference,
    status: 202,
    look: Type.Object({
      /** Contacts that would go, and all there are. */
      deleted: Type.Integer(),
      total: Type.Integer(),
    }),
  },
  'POST /contacts/bulk': {
    summary: 'Do one thing to many contacts: tag, untag, delegate (right editContact), delete (right delContact)',
    description:
      'Contacts by ids, or all that searchParam finds. delete leaves those with a protocol. delegate sets the person for one queue; userId null takes it away.',
    query: Type.Object({ preview: Look }),
    errors: ['ERR_NO_TAG_FOUND', 'ERR_NO_QUEUE_FOUND', 'ERR_NO_USER_FOUND', 'ERR_USER_NO_LINKED_IN_QUEUE'],
    body: Type.Object({
      /** Which contacts: these, or all that a search finds (an empty one: everybody). */
      ids: Type.Optional(Type.Array(Id, { maxItems: BULK_IDS })),
      searchParam: Type.Optional(Type.String({ maxLength: 200 })),
      action: StringEnum(BULK_ACTIONS),
      tagIds: Type.Optional(Type.Array(Id, { maxItems: 100 })),
      queueId: Type.Optional(Id),
      userId: Type.Optional(Nullable(Id)),
    }),
    answer: JobReference,
    status: 202,
    look: Type.Object({
      contacts: Type.Integer(),
      /** What goes with them when they are deleted, and who stays because of a protocol; nothing of it is told for anything else. */
      tickets: Type.Integer(),
      kept: Type.Integer(),
    }),
  },
} as const satisfies Record<string, Endpoint>
