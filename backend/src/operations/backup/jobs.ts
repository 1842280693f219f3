import { getDatabaseAddress } from '../../platform/database/client.ts'
import { createSweep, type JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { createDailyBackup } from './daily.ts'
import { removeAllLeftovers } from './leftovers.ts'

export function backupJobs(parts: Parts): JobKind[] {
  const work: JobKind['work'] = async (_, { abortSignal }) => {
    await createDailyBackup(parts, new Date(), abortSignal)
  }
  const removeLeft = () => removeAllLeftovers(parts.config.dataDir, getDatabaseAddress(parts.db))
  return [
    { kind: 'daily-backup', crew: 'patient', cron: '*/10 * * * *', alone: true, work },
    createSweep(parts, 'backup-leftovers', '23 * * * *', removeLeft),
  ]
}
