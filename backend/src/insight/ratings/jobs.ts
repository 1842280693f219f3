import { createLongJob, type JobParts } from '../../desk/jobs/long.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { RATINGS_JOB } from './export.ts'

export function ratingJobs(parts: JobParts): JobKind[] {
  return [createLongJob(parts, RATINGS_JOB)]
}
