// Who is there: online while a socket beats, away while nobody touches the screen, offline once no process has a socket of theirs.
import type { Presence } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import type { Parts } from '../../policy/kit/parts.ts'

type Some = Pick<Parts, 'db' | 'presenceChanged'>

/** Notes that somebody is there. Only a change of the status is told. */
export async function markUserSeen(parts: Some, userId: number, status: 'online' | 'away'): Promise<void> {
  // First: from here on nobody takes them for gone.
  await getSql(parts.db)`update "user" set last_seen_at = now() where id = ${userId}`
  await setPresence(parts, [userId], status)
}

/**
 * Those who are connected to no process as far as this one knows are offline: but for whoever came in a moment ago, of whom the others hear
 * with the next repetition (`platform/live/viewers.ts`).
 */
export async function markUsersGone(parts: Some, ids: readonly number[]): Promise<void> {
  const changed = await getSql(parts.db)<{ id: number }[]>`
    update "user" set status = 'offline' where id = any(${[...ids]}::int[]) and status <> 'offline'
      and coalesce(last_seen_at < now() - ${MOMENT_MS} * interval '1 millisecond', true) returning id`
  if (changed.length > 0) parts.presenceChanged()
}

/**
 * Whoever was not heard of for a while is away, later offline, and offline at once who is connected to no process (`connected`,
 * null when that is not known yet). Every process may do this.
 */
export async function sweepPresence(
  parts: Some,
  awayAfterMs: number,
  connected: readonly number[] | null = null,
): Promise<void> {
  const sql = getSql(parts.db)
  const isSilent = (ms: number) => sql`coalesce(last_seen_at < now() - ${ms} * interval '1 millisecond', true)`
  const isNowhere = sql`${connected !== null} and id <> all(${[...(connected ?? [])]}::int[]) and ${isSilent(NOWHERE_MS)}`
  const becomes = sql`case when ${isSilent(2 * awayAfterMs)} or ${isNowhere} then 'offline' else 'away' end`
  // In one statement: whoever comes in meanwhile stays.
  const changed = await sql<{ id: number }[]>`
    update "user" set status = ${becomes}
    where status <> 'offline' and deleted_at is null and (${isSilent(awayAfterMs)} or ${isNowhere}) and status <> ${becomes} returning id`
  if (changed.length > 0) parts.presenceChanged()
}

/** Sets the status of people; where it changes everybody is told in the next round (`platform/live/presence-broadcast.ts`). */
export async function setPresence(parts: Some, ids: readonly number[], status: Presence): Promise<void> {
  if (ids.length === 0) return
  const changed = await getSql(parts.db)<{ id: number }[]>`
    update "user" set status = ${status} where id = any(${[...ids]}::int[]) and status <> ${status} returning id`
  if (changed.length > 0) parts.presenceChanged()
}

/** Longer than processes take to hear who came to another one, shorter than the grace of who went. */
const MOMENT_MS = 6000
const NOWHERE_MS = 30_000
