import { LANGUAGES } from '../kit/language.ts'
import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'

export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** What came of a job, or has come of it so far. A file can be had for 24 hours; `url` is made for who asks for this one job, and good until `expiresAt`. */
export const JobResult = Type.Object({
  url: Nullable(Type.String()),
  expiresAt: Nullable(Instant),
  /** The file's; null without one, or when its time is over. */
  name: Nullable(Type.String()),
  /** Numbers to be told, by what they count: `created`, `updated`, `skipped`, … */
  counts: Type.Record(Type.String(), Type.Integer()),
})
export type JobResult = Static<typeof JobResult>

export const JOB_FORMATS = ['pdf', 'xlsx', 'csv'] as const

/** What tells a job from others of its kind, each where it was asked for: the first and the last day of its period, and the kind of its file. */
export const JobSubject = Type.Object({
  from: Nullable(Type.String()),
  to: Nullable(Type.String()),
  format: Nullable(StringEnum(JOB_FORMATS)),
})
export type JobSubject = Static<typeof JobSubject>

/**
 * Long work that somebody started (decisions §13): an import, an export, a report. It goes on when the page is closed and when a
 * process dies. `total` is null while it is not known; `error` is a code of the catalogue.
 */
export const Job = Type.Object({
  id: Id,
  kind: Type.String(),
  about: Nullable(JobSubject),
  userId: Nullable(Type.Integer({ description: 'null: a program of the company' })),
  state: StringEnum(JOB_STATES),
  done: Type.Integer({ minimum: 0 }),
  total: Nullable(Type.Integer({ minimum: 0 })),
  result: Nullable(JobResult),
  error: Nullable(Type.String()),
  createdAt: Instant,
  endedAt: Nullable(Instant),
  version: Type.Integer(),
})
export type Job = Static<typeof Job>

/** What a call answers that begins long work (202). */
export const JobReference = Type.Object({ jobId: Id })
export type JobReference = Static<typeof JobReference>

/** In which language a sheet is asked for; Portuguese unless it is said. */
export const SheetLanguage = Type.Optional(StringEnum(LANGUAGES))

/** Why a sheet is not read at all. */
export const SHEET_ERRORS = [
  'ERR_FILE_TYPE',
  'ERR_FILE_TOO_LARGE',
  'ERR_NO_SPACE',
  'ERR_SHEET_UNREADABLE',
  'ERR_SHEET_PASSWORD',
  'ERR_SHEET_TOO_LARGE',
] as const
