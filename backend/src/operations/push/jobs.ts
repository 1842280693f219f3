// When web push is looked at: once a minute, and a little after something happened that somebody may want to be told of.
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import { createSweep, type JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { sweepPages } from './open-pages.ts'
import { pushNewEvents } from './push-events.ts'

const PUSH = 'push'

export function pushJobs(parts: Parts): JobKind[] {
  return [
    { kind: PUSH, crew: 'quick', cron: '* * * * *', alone: true, work: () => pushNewEvents(parts) },
    createSweep(parts, 'sweep-pages', '37 * * * *', () => sweepPages(parts.db)),
  ]
}

/** Unless nobody has a device: then it costs one look. */
export async function enqueuePush(db: Db): Promise<void> {
  const devices = await getSql(db)`select 1 from push_subscription limit 1`
  if (devices.length > 0) await enqueueJob(db, PUSH, { key: PUSH, queue: PUSH, attempts: 1 })
}
