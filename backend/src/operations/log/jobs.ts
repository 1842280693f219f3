import { createLongJob, type JobParts } from '../../desk/jobs/long.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { LOG_EXPORT } from './export.ts'

export function logJobs(parts: JobParts): JobKind[] {
  return [createLongJob(parts, LOG_EXPORT)]
}
