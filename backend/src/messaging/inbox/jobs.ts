import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { showUnreadableCards } from './overdue.ts'
import { reprocessForVersion } from './reprocess.ts'

export function inboxJobs({ db, config, log, ring, fetchMedia }: Parts): JobKind[] {
  const work = () => showUnreadableCards(db, ring)
  async function digest(): Promise<void> {
    const again = await reprocessForVersion(db, config.version)
    if (!again || again.looked === 0) return
    log.info(again, 'what was not understood was read again')
    ring()
    if (again.withMedia) await fetchMedia()
  }
  return [
    { kind: 'show-unreadable', crew: 'quick', cron: '* * * * *', alone: true, work },
    // At the first minute of a new version; afterwards it finds that it was done.
    { kind: 'digest-again', crew: 'patient', cron: '* * * * *', alone: true, work: digest },
  ]
}
