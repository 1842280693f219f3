import type { Parts } from '../parts.ts'
import type { JobKind } from '../worker/kind.ts'
import { dailyBackup } from './daily.ts'

export function backupJobs(parts: Parts): JobKind[] {
  const work: JobKind['work'] = async (_, { abortSignal }) => {
    await dailyBackup(parts, new Date(), abortSignal)
  }
  return [{ kind: 'daily-backup', crew: 'patient', cron: '*/10 * * * *', alone: true, work }]
}
