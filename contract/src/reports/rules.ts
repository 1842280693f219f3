// What a report must be asked with: the rules of page and server alike (spec 3 §5 "Reports", decisions-2 §23 "Periods").

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

/** Every rule with its sentence; two of them stand in the specification. */
export const REPORT_PROBLEMS = {
  datesRequired: 'Preencha os campos de data',
  backwards: 'A data final vem antes da inicial',
  contactRequired: 'Preencha o campo de contato',
} as const
export type ReportProblem = keyof typeof REPORT_PROBLEMS

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
