// When a contact may be written to freely: kinds with a window (the official API) give 24 hours from what the contact said last.
import { filterKinds } from '@balcao/contract'
import type postgres from 'postgres'

type Fragment = postgres.PendingQuery<postgres.Row[]>

const WINDOWED = filterKinds(can => can.window24h)

/** Until when, of the connection `w`; null where its kind has no window or nothing was heard. `heard`: when the contact wrote last. */
export function windowEndSql(sql: postgres.Sql, heard: Fragment): Fragment {
  return sql`case when ${isWindowedSql(sql)} then ${windowUntilSql(sql, heard)} end`
}

/** The same where it is known that there is a window. */
export function windowUntilSql(sql: postgres.Sql, heard: Fragment): Fragment {
  return sql`${heard} + interval '24 hours'`
}

/** Whether the connection `w` has a window. */
export function isWindowedSql(sql: postgres.Sql): Fragment {
  return sql`w.api = any(${WINDOWED}::text[])`
}

/** Whether it is open now, of the connection `w` and the contact's `contact_channel` `h`, which may be missing. */
export function windowOpenSql(sql: postgres.Sql): Fragment {
  return sql`(w.api <> all(${WINDOWED}::text[]) or coalesce(${windowEndSql(sql, sql`h.last_inbound_at`)} > now(), false))`
}
