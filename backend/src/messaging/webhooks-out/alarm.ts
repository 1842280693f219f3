import type { ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/** Webhooks that were switched off by themselves, until somebody switches them on or deletes them; the newest first. */
export async function listStoppedWebhooks(db: Db): Promise<ResponseBody<'GET /notifications'>['alarms']> {
  const rows = await getSql(db)<{ id: number; name: string; at: string | null }[]>`
    select id, name, stopped_at as at from webhook
    where not active and stop_reason in ('failing', 'gone') order by stopped_at desc, id desc limit 10`
  return rows.map(({ at, ...webhook }) => ({ code: 'webhook_off', at, reason: null, webhook }))
}
