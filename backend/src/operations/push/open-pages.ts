// Who sees the desk now: their devices stay quiet, the page tells them itself.
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/** A tab beats every 120 s (spec 1 §4); one that missed a beat and a half is gone. */
const GONE_AFTER_SECONDS = 180

/** Notes that somebody sees a tab. */
export async function recordOpenPage(db: Db, id: string, userId: number): Promise<void> {
  await getSql(db)`
    insert into open_page (id, user_id) values (${id}, ${userId}) on conflict (id) do update set seen_at = now()`
}

/** The tab is hidden, or gone. */
export async function closePage(db: Db, id: string): Promise<void> {
  await getSql(db)`delete from open_page where id = ${id}`
}

/** Of these people those who see a tab now. */
export async function findUsersWithOpenPage(db: Db, userIds: readonly number[]): Promise<Set<number>> {
  const rows = await getSql(db)<{ id: number }[]>`
    select distinct user_id as id from open_page
    where user_id = any(${[...userIds]}::int[]) and seen_at > now() - ${GONE_AFTER_SECONDS} * interval '1 second'`
  return new Set(rows.map(row => row.id))
}

/** Tabs of processes that were killed, and devices whose session is over. */
export async function sweepPages(db: Db): Promise<number> {
  const sql = getSql(db)
  const pages = await sql`delete from open_page where seen_at < now() - interval '1 hour'`
  const devices = await sql`
    delete from push_subscription s where not exists (select 1 from refresh_token r
      where r.family = s.family and r.user_id = s.user_id and r.revoked_at is null and r.expires_at > now())`
  return pages.count + devices.count
}
