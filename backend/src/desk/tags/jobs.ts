import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { removeTagJob } from './delete.ts'
import { touchTaggedJob } from './tagged-contacts.ts'

export function tagJobs(parts: Parts): JobKind[] {
  return [touchTaggedJob(parts), removeTagJob(parts)]
}
