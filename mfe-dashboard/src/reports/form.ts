// What a report is asked for with: as it stands in the form, and as the server takes it.
import type { RequestBody } from '@balcao/contract'
import { type ReportFormat, type ReportName, type ReportStatus, validateReport } from '@balcao/contract/reports/rules'
import { getLanguage } from '@balcao/ui/i18n'
import { type FieldFaults, getUsualPeriods, type Pick } from '@balcao/ui/screens'

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
export function createFields(today: string): ReportFields {
  const { from, to } = getUsualPeriods(today).month
  return { startDate: from, endDate: to, status: null, queueId: null, userId: null, contactId: [], format: 'pdf' }
}

/** When a day is over: who chose no days of their own has those of the new one. */
export function advanceFields(fields: ReportFields, then: string, now: string): ReportFields {
  const { startDate, endDate } = createFields(then)
  if (fields.startDate !== startDate || fields.endDate !== endDate) return fields
  const next = createFields(now)
  return { ...fields, startDate: next.startDate, endDate: next.endDate }
}

/** The contract's rules, by field. */
export function validateFields(report: ReportName, fields: ReportFields): FieldFaults<ReportFields> {
  const { startDate, endDate, contactId } = fields
  const found = validateReport(report, { startDate, endDate, contactId: contactId[0]?.id })
  return Object.fromEntries(found.map(({ path, code }) => [path, `report.${code}`]))
}

export function toBody(report: ReportName, fields: ReportFields): RequestBody<'POST /report/ticket'> {
  const { startDate, endDate, status, queueId, userId, contactId, format } = fields
  const [contact] = contactId
  const request = { startDate, endDate, format, language: getLanguage(), ...(contact && { contactId: contact.id }) }
  if (report === 'message') return request
  return {
    ...request,
    ...(status && { status }),
    ...(queueId !== null && { queueId }),
    ...(userId !== null && { userId }),
  }
}
