// Every feature's jobs.
import type { JobKind } from '../platform/worker/kind.ts'
import type { Parts } from '../policy/kit/parts.ts'
import * as features from './job-list.ts'

export function featureJobs(parts: Parts): JobKind[] {
  return Object.values(features).flatMap(make => make(parts))
}
