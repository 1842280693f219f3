// Reports are asked for: looked at first, or begun as a job (spec 3 §7, decisions-2 §13).
import type { JobStarted, ReportName } from '@balcao/contract'
import { startJob } from '../jobs/long.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { askedOf, type Given, periodIn } from './asked.ts'
import { lookAt } from './look.ts'
import { REPORT_JOBS } from './work.ts'

/** Begins one, or with `preview` says how large it would be. Throws as `askedOf` does. */
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
    await writeLog(tx, { action: `report.${report}`, userId: viewer.id, queueId, contactId })
    return startJob(tx, session, REPORT_JOBS[report], asked)
  })
}
