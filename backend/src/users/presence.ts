// Who is there: online while a socket beats, away or offline when it stopped.
import type { Presence } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import { change, type Parts } from '../parts.ts'
import { userEvents } from './present.ts'

type Some = Pick<Parts, 'db' | 'ring' | 'config'>

/** Notes that somebody is there. Only a change of the status is told. */
export async function noteSeen(parts: Some, userId: number): Promise<void> {
  await setPresence(parts, [userId], 'online')
  await sqlOf(parts.db)`update "user" set last_seen_at = now() where id = ${userId}`
}

/** Whoever was not heard of for a while is away, later offline; every process may do this. */
export async function sweepPresence(parts: Some, awayAfterMs: number): Promise<void> {
  const rows = await sqlOf(parts.db)<{ id: number; far: boolean }[]>`
    select id, last_seen_at is null or last_seen_at < now() - ${2 * awayAfterMs} * interval '1 millisecond' as far
    from "user" where status <> 'offline' and deleted_at is null
      and (last_seen_at is null or last_seen_at < now() - ${awayAfterMs} * interval '1 millisecond')`
  const of = (far: boolean) => rows.filter(row => row.far === far).map(row => row.id)
  await setPresence(parts, of(false), 'away')
  await setPresence(parts, of(true), 'offline')
}

/** Sets the status of people and tells everybody, where it changes. */
export async function setPresence(parts: Some, ids: readonly number[], status: Presence): Promise<void> {
  if (ids.length === 0) return
  const known = await sqlOf(parts.db)`select 1 from "user" where id = any(${[...ids]}::int[]) and status <> ${status}`
  if (known.length === 0) return
  await change(parts, async tx => {
    const changed = await sqlOf(tx)<{ id: number }[]>`
      update "user" set status = ${status}, version = version + 1
      where id = any(${[...ids]}::int[]) and status <> ${status} returning id`
    await userEvents(
      tx,
      parts.config,
      changed.map(row => row.id),
      'update',
    )
  })
}
