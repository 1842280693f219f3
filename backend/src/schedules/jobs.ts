import type { Parts } from '../parts.ts'
import type { JobKind } from '../worker/kind.ts'
import { beginDue } from './run.ts'

export function scheduleJobs(parts: Parts): JobKind[] {
  const place = { db: parts.db, dataDir: parts.config.dataDir }
  const work = async () => {
    if ((await beginDue(place)) > 0) parts.ring()
  }
  return [{ kind: 'begin-sends', crew: 'patient', cron: '* * * * *', alone: true, work }]
}
