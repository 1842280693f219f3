import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { createSweep, type JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { KEPT_DAYS } from './table.ts'

const BITE = 2000

export function webhookOutJobs(parts: Parts): JobKind[] {
  return [createSweep(parts, 'sweep-webhooks', '27 * * * *', () => sweepWebhooks(parts.db))]
}

/** What was told longer ago than it is kept, with its deliveries. */
export async function sweepWebhooks(db: Db): Promise<number> {
  for (let gone = 0; ; ) {
    const { count } = await getSql(db)`
      delete from webhook_event where id in (
        select id from webhook_event where created_at < now() - ${KEPT_DAYS}::int * interval '1 day' order by created_at limit ${BITE})`
    gone += count
    if (count < BITE) return gone
  }
}
