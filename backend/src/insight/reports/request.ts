// What a report is asked with: checked once, kept as the parameters of its job.
import {
  LANGUAGES,
  type Language,
  REPORT_FORMATS,
  REPORT_STATUSES,
  type ReportFormat,
  type ReportName,
  type ReportStatus,
  validateReport,
} from '@balcao/contract'
import Type, { type Static } from 'typebox'
import { resolveMergedId } from '../../desk/contacts/merged-id.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createValidationError } from '../../platform/http/errors.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { ReportScope, resolveReportScope } from '../../policy/access/report-scope.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { hasScope } from '../../policy/sessions/scopes.ts'
import { type Period, resolvePeriod } from '../figures/read.ts'

const Filter = Type.Union([Type.Integer(), Type.Null()])

/** The parameters of a report's job. Days are whole ones of the company's zone, both included. */
export const ReportRequest = Type.Object({
  startDate: Type.String(),
  endDate: Type.String(),
  queueId: Filter,
  userId: Filter,
  contactId: Filter,
  status: Type.Enum([...REPORT_STATUSES]),
  format: Type.Enum([...REPORT_FORMATS]),
  language: Type.Enum([...LANGUAGES]),
  scope: ReportScope,
})
export type ReportRequest = Static<typeof ReportRequest>

/** What comes in; blanks are as good as nothing. */
export interface ReportInput {
  readonly startDate?: string | null | undefined
  readonly endDate?: string | null | undefined
  readonly queueId?: number | '' | null | undefined
  readonly userId?: number | '' | null | undefined
  readonly contactId?: number | '' | null | undefined
  readonly status?: ReportStatus | null | undefined
  readonly format?: ReportFormat | undefined
  readonly language?: Language | undefined
}

/**
 * Throws `ERR_NO_PERMISSION` for who may not, also for another manager's queue and for a program that may not read what it asks for, `ERR_VALIDATION`, and for what was never there
 * `ERR_NO_QUEUE_FOUND`, `ERR_NO_USER_FOUND`, `ERR_NO_CONTACT_FOUND`. Queues and people that are gone may be asked for.
 */
export async function parseReportRequest(
  db: Db,
  session: Session,
  report: ReportName,
  input: ReportInput,
): Promise<ReportRequest> {
  if (report === 'message' && !hasScope(session, 'readMessages')) throw new AppError('ERR_NO_PERMISSION')
  const scope = resolveReportScope(session)
  const faults = validateReport(report, input)
  if (faults.length > 0) throw createValidationError('report', faults)
  const { first, last } = resolveReportPeriod(
    { startDate: input.startDate ?? '', endDate: input.endDate ?? '' },
    session.settings.timezone,
  )
  const [queueId, userId] = [input.queueId || null, input.userId || null]
  if (queueId !== null) await needQueue(db, scope, queueId)
  if (userId !== null) await needPerson(db, session, userId)
  const contactId = input.contactId ? await resolveContact(db, input.contactId) : null
  const { status, format = 'pdf', language = 'pt' } = input
  return {
    ...{ startDate: first, endDate: last, queueId, userId, contactId },
    status: status ?? '',
    format,
    language,
    scope,
  }
}

/** The period as everything reads it. Throws `ERR_VALIDATION` at the field. */
export function resolveReportPeriod(
  { startDate, endDate }: Pick<ReportRequest, 'startDate' | 'endDate'>,
  timezone: string,
): Period {
  const days = { firstDate: startDate, lastDate: endDate }
  return resolvePeriod(days, timezone, new Date(), { firstDate: 'startDate', lastDate: 'endDate' })
}

async function needQueue(db: Db, scope: ReportScope, id: number): Promise<void> {
  const found = await getSql(
    db,
  )`select 1 from queue where id = ${id} union all select 1 from past_queue where id = ${id}`
  if (found.length === 0) throw new AppError('ERR_NO_QUEUE_FOUND')
  if (scope.profile !== 'admin' && !scope.queueIds.includes(id)) throw new AppError('ERR_NO_PERMISSION')
}

async function needPerson(db: Db, { viewer }: Session, id: number): Promise<void> {
  const found = isHidden(viewer, id) ? [] : await getSql(db)`select 1 from "user" where id = ${id}`
  if (found.length === 0) throw new AppError('ERR_NO_USER_FOUND')
}

/** Who was merged is who it turned out to be. */
async function resolveContact(db: Db, id: number): Promise<number> {
  const present = await resolveMergedId(db, id)
  if (present === null) throw new AppError('ERR_NO_CONTACT_FOUND')
  return present
}
