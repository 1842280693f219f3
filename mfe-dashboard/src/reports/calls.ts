import type { JobReference, RequestBody, ResponseBody } from '@balcao/contract'
import type { ReportName } from '@balcao/contract/reports/rules'
import { api } from '@balcao/ui/api'

/** What a report is asked for with. */
export type ReportBody = RequestBody<'POST /report/ticket'>
/** How large a report would be. */
export type ReportSize = Exclude<ResponseBody<'POST /report/ticket'>, JobReference>

/** How large it would be; nothing begins. */
export async function previewReport(
  report: ReportName,
  body: ReportBody,
  signal: AbortSignal,
): Promise<ReportSize | null> {
  const answer = await api(`POST /report/${report}`, { query: { preview: 'true' }, body, signal })
  return 'rows' in answer ? answer : null
}

/** Begins it; the tray goes on with it. */
export async function startReport(report: ReportName, body: ReportBody): Promise<JobReference | null> {
  const answer = await api(`POST /report/${report}`, { query: {}, body })
  return 'jobId' in answer ? answer : null
}
