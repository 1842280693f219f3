import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { createDailyBackup } from './daily.ts'

export function backupJobs(parts: Parts): JobKind[] {
  const work: JobKind['work'] = async (_, { abortSignal }) => {
    await createDailyBackup(parts, new Date(), abortSignal)
  }
  return [{ kind: 'daily-backup', crew: 'patient', cron: '*/10 * * * *', alone: true, work }]
}
