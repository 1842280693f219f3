// What a report is asked for with: as it stands in the form, and as the server takes it.
import type { BodyOf } from '@balcao/contract'
import { type ReportFormat, type ReportName, type ReportStatus, reportFaults } from '@balcao/contract/report-rules'
import { currentLanguage } from '@balcao/ui/i18n'
import { type Faults, type Pick, spansOf } from '@balcao/ui/screens'

export interface ReportFields {
  readonly startDate: string
  readonly endDate: string
  readonly status: ReportStatus | null
  readonly queueId: number | null
  readonly userId: number | null
  readonly contactId: readonly Pick[]
  readonly format: ReportFormat
}

/** From the first day of the month to today; everything. */
export function startOf(today: string): ReportFields {
  const { from, to } = spansOf(today).month
  return { startDate: from, endDate: to, status: null, queueId: null, userId: null, contactId: [], format: 'pdf' }
}

/** When a day is over: who chose no days of their own has those of the new one. */
export function movedOn(fields: ReportFields, then: string, now: string): ReportFields {
  const { startDate, endDate } = startOf(then)
  if (fields.startDate !== startDate || fields.endDate !== endDate) return fields
  const next = startOf(now)
  return { ...fields, startDate: next.startDate, endDate: next.endDate }
}

/** The contract's rules, by field. */
export function faultsOf(report: ReportName, fields: ReportFields): Faults<ReportFields> {
  const { startDate, endDate, contactId } = fields
  const found = reportFaults(report, { startDate, endDate, contactId: contactId[0]?.id })
  return Object.fromEntries(found.map(({ path, code }) => [path, code]))
}

export function bodyOf(report: ReportName, fields: ReportFields): BodyOf<'POST /report/ticket'> {
  const { startDate, endDate, status, queueId, userId, contactId, format } = fields
  const [contact] = contactId
  const asked = { startDate, endDate, format, language: currentLanguage(), ...(contact && { contactId: contact.id }) }
  if (report === 'message') return asked
  return {
    ...asked,
    ...(status && { status }),
    ...(queueId !== null && { queueId }),
    ...(userId !== null && { userId }),
  }
}
