// Every feature's jobs.
import * as features from './job-list.ts'
import type { Parts } from './parts.ts'
import type { JobKind } from './worker/kind.ts'

export function featureJobs(parts: Parts): JobKind[] {
  return Object.values(features).flatMap(make => make(parts))
}
