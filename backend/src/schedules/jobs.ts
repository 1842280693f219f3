import { placeOf } from '../media/place.ts'
import type { Parts } from '../parts.ts'
import { FREEZE, freezeRecipients } from '../sends/freeze.ts'
import type { JobKind } from '../worker/kind.ts'
import { beginDue } from './run.ts'

export function scheduleJobs(parts: Parts): JobKind[] {
  const place = placeOf(parts)
  const begin = async () => {
    if ((await beginDue(place)) > 0) parts.ring()
  }
  const freeze = async () => {
    if ((await freezeRecipients(parts.db)) > 0) parts.ring()
  }
  return [
    { kind: 'begin-sends', crew: 'patient', cron: '* * * * *', alone: true, work: begin },
    { kind: FREEZE, crew: 'patient', work: freeze },
  ]
}
