import { type JobParts, longJob } from '../jobs/long.ts'
import type { JobKind } from '../worker/kind.ts'
import { REPORT_JOBS } from './work.ts'

export function reportJobs(parts: JobParts): JobKind[] {
  return Object.values(REPORT_JOBS).map(report => longJob(parts, report))
}
