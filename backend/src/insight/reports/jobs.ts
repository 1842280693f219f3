import { createLongJob, type JobParts } from '../../desk/jobs/long.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { REPORT_JOBS } from './work.ts'

export function reportJobs(parts: JobParts): JobKind[] {
  return Object.values(REPORT_JOBS).map(report => createLongJob(parts, report))
}
