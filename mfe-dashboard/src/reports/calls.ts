import type { AnswerOf, BodyOf, JobStarted } from '@balcao/contract'
import type { ReportName } from '@balcao/contract/report-rules'
import { api } from '@balcao/ui/api'

/** What a report is asked for with. */
export type ReportBody = BodyOf<'POST /report/ticket'>
/** How large a report would be. */
export type Size = Exclude<AnswerOf<'POST /report/ticket'>, JobStarted>

/** How large it would be; nothing begins. */
export async function lookAt(report: ReportName, body: ReportBody, signal: AbortSignal): Promise<Size | null> {
  const answer = await api(`POST /report/${report}`, { query: { preview: 'true' }, body, signal })
  return 'rows' in answer ? answer : null
}

/** Begins it; the tray goes on with it. */
export async function begin(report: ReportName, body: ReportBody): Promise<JobStarted | null> {
  const answer = await api(`POST /report/${report}`, { query: {}, body })
  return 'jobId' in answer ? answer : null
}
