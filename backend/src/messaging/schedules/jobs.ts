import { placeOf } from '../../desk/media/place.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { FREEZE, freezeRecipients } from '../sends/freeze.ts'
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
