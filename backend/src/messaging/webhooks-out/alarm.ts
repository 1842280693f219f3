import type { ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { KEPT_DAYS } from './table.ts'

type Alarms = ResponseBody<'GET /notifications'>['alarms']

/** What webhooks were not told, for as long as deliveries are kept; then those that are off, the newest first. */
export async function listWebhookAlarms(db: Db): Promise<Alarms> {
  const gaps = await getSql(db)<{ at: string | null }[]>`
    select missed_at as at from webhook_cursor
    where missed_at > now() - ${KEPT_DAYS}::int * interval '1 day' and exists (select 1 from webhook where active)`
  return [...gaps.map(row => ({ code: 'webhook_missed', reason: null, ...row }) as const), ...(await listStopped(db))]
}

/** Those that were switched off by themselves, until somebody switches them on or deletes them. */
async function listStopped(db: Db): Promise<Alarms> {
  const rows = await getSql(db)<{ id: number; name: string; at: string | null }[]>`
    select id, name, stopped_at as at from webhook
    where not active and stop_reason in ('failing', 'gone') order by stopped_at desc, id desc limit 10`
  return rows.map(({ at, ...webhook }) => ({ code: 'webhook_off', at, reason: null, webhook }))
}
