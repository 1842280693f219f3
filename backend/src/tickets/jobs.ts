import type { Parts } from '../parts.ts'
import type { JobKind } from '../worker/kind.ts'
import { foldTally } from './tally.ts'

export function ticketJobs({ db }: Parts): JobKind[] {
  // Often, because badges sum it.
  return [{ kind: 'fold-tally', crew: 'quick', cron: '* * * * *', work: () => foldTally(db) }]
}
