import type { Parts } from '../parts.ts'
import type { JobKind } from '../worker/kind.ts'
import { showUnreadable } from './overdue.ts'

export function inboxJobs({ db, ring }: Parts): JobKind[] {
  const work = () => showUnreadable(db, ring)
  return [{ kind: 'show-unreadable', crew: 'quick', cron: '* * * * *', alone: true, work }]
}
