// A send that goes on but may not hand anything over now says so, and goes on by itself: its connection is down, or it is not the hour.
import type { SendReason } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { publishSendUpdates } from './events.ts'

/** What goes on by a connection that is not connected waits for it; told unless the caller tells of its own change. */
export async function waitForConnection(tx: Tx, whatsappId: number, tell = true): Promise<void> {
  const rows = await getSql(tx)<{ id: number }[]>`
    update send s set state = 'waiting', state_reason = 'disconnected', state_at = now(), state_user_id = null, not_before = null
    from whatsapp w where w.id = ${whatsappId} and s.whatsapp_id = w.id and w.status <> 'CONNECTED'
      and (s.state = 'running' or s.state = 'waiting' and s.state_reason <> 'disconnected') returning s.id`
  if (tell) await publishSendUpdates(tx, toIds(rows))
}

/** The connection is back: what waited for it may be looked at. */
export async function resumeWaitingSends(tx: Tx, whatsappId: number): Promise<void> {
  const rows = await getSql(tx)<{ id: number }[]>`
    update send set state = 'running', state_reason = null, state_at = now()
    where whatsapp_id = ${whatsappId} and state = 'waiting' and state_reason = 'disconnected' returning id`
  await publishSendUpdates(tx, toIds(rows))
}

/** Sends wait until an instant, by the calendar or the day's limit. */
export async function waitUntil(tx: Tx, ids: readonly number[], reason: SendReason, until: Date): Promise<void> {
  const rows = await getSql(tx)<{ id: number }[]>`
    update send set not_before = ${until.toISOString()}, state_at = case when state_reason is distinct from ${reason} then now() else state_at end,
      state = 'waiting', state_reason = ${reason}, state_user_id = null
    where id = any(${[...ids]}::int[]) and state in ('running', 'waiting') returning id`
  await publishSendUpdates(tx, toIds(rows))
}
