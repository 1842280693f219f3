// What a report must be asked with: the rules of page and server alike (spec 3 §5 "Reports", decisions-2 §23 "Periods").
import type { FaultCode } from '../kit/app-error.ts'

/** The reports, as the last word of their calls says them. */
export const REPORTS = ['ticket', 'contact', 'queue', 'user', 'message'] as const
export type ReportName = (typeof REPORTS)[number]

export const REPORT_FORMATS = ['pdf', 'xlsx'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** The statuses one may ask for; blank is all of them, also those of the bot and the survey. */
export const REPORT_STATUSES = ['', 'pending', 'open', 'paused', 'closed'] as const
export type ReportStatus = (typeof REPORT_STATUSES)[number]

/** The most rows a table holds, the newest or most important first; totals are always of everything. */
export const REPORT_ROWS = { pdf: 50_000, xlsx: 500_000 } as const satisfies Record<ReportFormat, number>

/** How many rows are counted before a report is asked for. */
export const REPORT_LOOK_ROWS = 100_000

export type ReportProblem = FaultCode<'report'>

export interface ReportFault {
  readonly path: 'startDate' | 'endDate' | 'contactId'
  readonly code: ReportProblem
}

/** What a person fills in; days as `YYYY-MM-DD`. */
export interface ReportForm {
  readonly startDate?: string | null | undefined
  readonly endDate?: string | null | undefined
  readonly contactId?: number | '' | null | undefined
}

/** What is wrong with a form, at most one thing a field; empty when it may be asked for. */
export function validateReport(report: ReportName, { startDate, endDate, contactId }: ReportForm): ReportFault[] {
  const faults: ReportFault[] = []
  if (!startDate) faults.push({ path: 'startDate', code: 'datesRequired' })
  if (!endDate) faults.push({ path: 'endDate', code: 'datesRequired' })
  if (startDate && endDate && endDate.slice(0, 10) < startDate.slice(0, 10))
    faults.push({ path: 'endDate', code: 'backwards' })
  if (report === 'message' && !contactId) faults.push({ path: 'contactId', code: 'contactRequired' })
  return faults
}
