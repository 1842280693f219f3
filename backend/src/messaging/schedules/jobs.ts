import { createMediaStorage } from '../../desk/media/storage.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { FREEZE, snapshotRecipients } from '../sends/snapshot-recipients.ts'
import { startDueSchedules } from './run.ts'

export function scheduleJobs(parts: Parts): JobKind[] {
  const place = createMediaStorage(parts)
  const begin = async () => {
    if ((await startDueSchedules(place)) > 0) parts.ring()
  }
  const freeze = async () => {
    if ((await snapshotRecipients(parts.db)) > 0) parts.ring()
  }
  return [
    { kind: 'begin-sends', crew: 'patient', cron: '* * * * *', alone: true, work: begin },
    { kind: FREEZE, crew: 'patient', work: freeze },
  ]
}
