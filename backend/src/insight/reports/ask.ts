// Reports are asked for: looked at first, or begun as a job (spec 3 §7, decisions-2 §13).
import type { JobStarted, ReportName } from '@balcao/contract'
import { startJob } from '../../desk/jobs/long.ts'
import type { Tx } from '../../platform/database/client.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { type Asked, askedOf, type Given, periodIn } from './asked.ts'
import { lookAt } from './look.ts'
import { REPORT_JOBS } from './work.ts'

/** Begins one, or gives the same that was begun a moment ago; with `preview` says how large it would be. Throws as `askedOf` does. */
export async function askReport(
  parts: Parts,
  session: Session,
  report: ReportName,
  given: Given,
  preview: string | undefined,
): Promise<JobStarted | { rows: number; pages: number }> {
  const asked = await askedOf(parts.db, session, report, given)
  const { viewer, settings } = session
  if (preview === 'true') {
    const which = { ...asked, viewerId: viewer.id, period: periodIn(asked, settings.timezone) }
    return lookAt(parts.db, report, which, settings.timezone)
  }
  const { queueId, contactId } = asked
  return change(parts, async tx => {
    const begun = await justBegun(tx, viewer.id, report, asked)
    if (begun !== null) return { jobId: begun }
    await writeLog(tx, { action: `report.${report}`, userId: viewer.id, queueId, contactId })
    return startJob(tx, session, REPORT_JOBS[report], asked)
  })
}

/** Who presses twice, or asks again because the answer was lost, has one report: the same, of the last minute, that is not ready yet. */
async function justBegun(tx: Tx, userId: number, report: ReportName, asked: Asked): Promise<number | null> {
  const sql = sqlOf(tx)
  await sql`select pg_advisory_xact_lock(hashtext('reports'), ${userId}::int)`
  const [row] = await sql<{ id: number }[]>`
    select id from job where user_id = ${userId} and kind = ${REPORT_JOBS[report].kind} and ended_at is null
      and params = ${JSON.stringify(asked)}::text::jsonb and created_at > now() - interval '1 minute'
    order by id desc limit 1`
  return row?.id ?? null
}
