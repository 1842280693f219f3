// How often a send may be tried on a phone: each goes out at once, beside the pace that keeps a number from being blocked. Counted in the
// activity log, for all processes together.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { createRateLimitError } from '../../platform/http/errors.ts'

/** So many within so many seconds, by one person and over one connection. */
const PACE = [
  { own: true, seconds: 60, most: 5 },
  { own: true, seconds: 3600, most: 30 },
  { own: false, seconds: 3600, most: 60 },
] as const

/** Throws 429 `ERR_TOO_MANY_ATTEMPTS` with the seconds until the next one. Counts with the entry of the log that its transaction writes. */
export async function checkTestPace(tx: Tx, userId: number, whatsappId: number): Promise<void> {
  const sql = getSql(tx)
  // One after the other, so that many at once are counted, too.
  await sql`select pg_advisory_xact_lock(hashtext('send_test'))`
  const [row] = await sql<{ wait: number | null }[]>`
    select max(extract(epoch from nth.at - clock_timestamp()) + p.seconds)::float8 as wait
    from jsonb_to_recordset(${JSON.stringify(PACE)}::text::jsonb) as p(own boolean, seconds int, most int)
      cross join lateral (select (array_agg(l.created_at order by l.created_at desc))[p.most] as at from log_entry l
        where l.action = 'send.test' and (case when p.own then l.user_id = ${userId} else l.whatsapp_id = ${whatsappId} end)
          and l.created_at > clock_timestamp() - p.seconds * interval '1 second') nth`
  const wait = row?.wait ?? null
  if (wait !== null) throw createRateLimitError(wait)
}
