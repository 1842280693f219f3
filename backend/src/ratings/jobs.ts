import { type JobParts, longJob } from '../jobs/long.ts'
import type { JobKind } from '../worker/kind.ts'
import { RATINGS_JOB } from './export.ts'

export function ratingJobs(parts: JobParts): JobKind[] {
  return [longJob(parts, RATINGS_JOB)]
}
