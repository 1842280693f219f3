import { type JobParts, longJob } from '../../desk/jobs/long.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { LOG_EXPORT } from './export.ts'

export function logJobs(parts: JobParts): JobKind[] {
  return [longJob(parts, LOG_EXPORT)]
}
