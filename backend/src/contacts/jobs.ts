import type { Parts } from '../parts.ts'
import type { JobKind } from '../worker/kind.ts'
import { foldContactTally } from './tally.ts'

export function contactJobs({ db }: Parts): JobKind[] {
  return [{ kind: 'fold-contact-tally', crew: 'quick', cron: '*/5 * * * *', work: () => foldContactTally(db) }]
}
