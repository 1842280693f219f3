// Reports are asked for: looked at first, or begun as a job (spec 3 §7, decisions-2 §13).
import type { JobReference, ReportName } from '@balcao/contract'
import { startJob } from '../../desk/jobs/long.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { previewReport } from './preview.ts'
import { parseReportRequest, type ReportInput, type ReportRequest, resolveReportPeriod } from './request.ts'
import { REPORT_JOBS } from './work.ts'

/** Begins one, or gives the same that was begun a moment ago; with `preview` says how large it would be. Throws as `parseReportRequest` does. */
export async function requestReport(
  parts: Parts,
  session: Session,
  report: ReportName,
  input: ReportInput,
  preview: string | undefined,
): Promise<JobReference | { rows: number; pages: number }> {
  const request = await parseReportRequest(parts.db, session, report, input)
  const { viewer, settings } = session
  if (preview === 'true') {
    const which = { ...request, viewerId: viewer.id, period: resolveReportPeriod(request, settings.timezone) }
    return previewReport(parts.db, report, which, settings.timezone)
  }
  const { queueId, contactId } = request
  return change(parts, async tx => {
    const begun = await justBegun(tx, viewer.id, report, request)
    if (begun !== null) return { jobId: begun }
    await writeLog(tx, { action: `report.${report}`, userId: viewer.id, queueId, contactId })
    return startJob(tx, session, REPORT_JOBS[report], request)
  })
}

/** Who presses twice, or asks again because the answer was lost, has one report: the same, of the last minute, that is not ready yet. */
async function justBegun(tx: Tx, userId: number, report: ReportName, request: ReportRequest): Promise<number | null> {
  const sql = getSql(tx)
  await sql`select pg_advisory_xact_lock(hashtext('reports'), ${userId}::int)`
  const [row] = await sql<{ id: number }[]>`
    select id from job where (user_id = ${userId} or token_id = - ${userId}::int) and kind = ${REPORT_JOBS[report].kind} and ended_at is null
      and params = ${JSON.stringify(request)}::text::jsonb and created_at > now() - interval '1 minute'
    order by id desc limit 1`
  return row?.id ?? null
}
