import { createSweep, type JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { removalJob } from './delete.ts'
import { foldContactTally } from './tally.ts'
import { sweepMerges } from './unmerge.ts'

export function contactJobs(parts: Parts): JobKind[] {
  const { db } = parts
  return [
    {
      kind: 'fold-contact-tally',
      crew: 'quick',
      cron: '*/5 * * * *',
      work: (_, { abortSignal }) => foldContactTally(db, abortSignal),
    },
    removalJob(parts),
    createSweep(parts, 'sweep-merges', '47 * * * *', () => sweepMerges(db)),
  ]
}
