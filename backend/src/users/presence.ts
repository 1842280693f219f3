// Who is there: online while a socket beats, away while nobody touches the screen, offline once no process has a socket of theirs.
import type { Presence } from '@balcao/contract'
import { idsOf } from '../database/ids.ts'
import { sqlOf } from '../database/raw.ts'
import type { Parts } from '../parts.ts'

type Some = Pick<Parts, 'db' | 'presenceChanged'>

/** Notes that somebody is there. Only a change of the status is told. */
export async function noteSeen(parts: Some, userId: number, status: 'online' | 'away'): Promise<void> {
  await setPresence(parts, [userId], status)
  await sqlOf(parts.db)`update "user" set last_seen_at = now() where id = ${userId}`
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
  const rows = await sqlOf(parts.db)<{ id: number; far: boolean }[]>`
    select id, nowhere or far as far from (
      select id, status, last_seen_at is null or last_seen_at < now() - ${awayAfterMs} * interval '1 millisecond' as silent,
        last_seen_at is null or last_seen_at < now() - ${2 * awayAfterMs} * interval '1 millisecond' as far,
        ${connected !== null} and id <> all(${[...(connected ?? [])]}::int[])
          and (last_seen_at is null or last_seen_at < now() - interval '30 seconds') as nowhere
      from "user" where status <> 'offline' and deleted_at is null
    ) u where silent or nowhere`
  const of = (far: boolean) => idsOf(rows.filter(row => row.far === far))
  await setPresence(parts, of(false), 'away')
  await setPresence(parts, of(true), 'offline')
}

/** Sets the status of people; where it changes everybody is told in the next round (`live/rounds.ts`). */
export async function setPresence(parts: Some, ids: readonly number[], status: Presence): Promise<void> {
  if (ids.length === 0) return
  const changed = await sqlOf(parts.db)<{ id: number }[]>`
    update "user" set status = ${status} where id = any(${[...ids]}::int[]) and status <> ${status} returning id`
  if (changed.length > 0) parts.presenceChanged()
}
