import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { REFRESH_DUE, refreshDue } from './answer-due.ts'
import { foldTally } from './tally.ts'

export function ticketJobs({ db }: Parts): JobKind[] {
  // Often, because badges sum it.
  return [
    { kind: 'fold-tally', crew: 'quick', cron: '* * * * *', work: (_, { abortSignal }) => foldTally(db, abortSignal) },
    { kind: REFRESH_DUE, crew: 'patient', work: (_, { abortSignal }) => refreshDue(db, abortSignal) },
  ]
}
