import { createMediaStorage } from '../../desk/media/storage.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { endLeftBehind } from '../sends/pace.ts'
import { FREEZE, snapshotRecipients } from '../sends/snapshot-recipients.ts'
import { startDueSchedules } from './run.ts'

export function scheduleJobs(parts: Pick<Parts, 'config' | 'db' | 'ring'>): JobKind[] {
  const place = createMediaStorage(parts)
  const begin = async () => {
    const begun = await startDueSchedules(place)
    const isOver = await runInTransaction(parts.db, tx => endLeftBehind(tx, null))
    if (begun > 0 || isOver) parts.ring()
  }
  const freeze = async () => {
    if ((await snapshotRecipients(parts.db)) > 0) parts.ring()
  }
  return [
    { kind: 'begin-sends', crew: 'patient', cron: '* * * * *', alone: true, work: begin },
    { kind: FREEZE, crew: 'patient', work: freeze },
  ]
}
