// Every feature's jobs in one list.
import { aiJobs } from './ai/jobs.ts'
import { backupJobs } from './backup/jobs.ts'
import { contactSheetJobs } from './contact-sheets/jobs.ts'
import { contactJobs } from './contacts/jobs.ts'
import { figureJobs } from './figures/jobs.ts'
import { inboxJobs } from './inbox/jobs.ts'
import { jobJobs } from './jobs/jobs.ts'
import { logJobs } from './log/jobs.ts'
import { mediaJobs } from './media/jobs.ts'
import type { Parts } from './parts.ts'
import { privacyJobs } from './privacy/jobs.ts'
import { pushJobs } from './push/jobs.ts'
import { ratingJobs } from './ratings/jobs.ts'
import { reportJobs } from './reports/jobs.ts'
import { retention } from './retention.ts'
import { scheduleJobs } from './schedules/jobs.ts'
import { sendJobs } from './sends/jobs.ts'
import { sweepJobs } from './sweeps/jobs.ts'
import { ticketJobs } from './tickets/jobs.ts'
import { typebotJobs } from './typebot/jobs.ts'
import type { JobKind } from './worker/kind.ts'

export function featureJobs(parts: Parts): JobKind[] {
  return [
    ...ticketJobs(parts),
    ...figureJobs(parts),
    ...contactJobs(parts),
    ...contactSheetJobs(parts),
    ...reportJobs(parts),
    ...inboxJobs(parts),
    ...pushJobs(parts),
    ...aiJobs(parts),
    ...jobJobs(parts),
    ...logJobs(parts),
    ...mediaJobs(parts),
    ...privacyJobs(parts),
    ...scheduleJobs(parts),
    ...sendJobs(parts),
    ...sweepJobs(parts),
    ...typebotJobs(parts),
    ...ratingJobs(parts),
    ...backupJobs(parts),
    ...retention(parts),
  ]
}
