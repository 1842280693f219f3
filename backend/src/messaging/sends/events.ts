// Telling that sends changed: each in its own name, a run of a scheduled send in that one's. Who shows them asks for them.
import type { LiveEvent } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvents } from '../../platform/live/append.ts'
import type { Audience } from '../../platform/live/table.ts'

/** Sends were changed, or how their messages went: they are newer than what anybody has read. */
export async function publishSendUpdates(
  tx: Tx,
  ids: readonly number[],
  action: 'create' | 'update' = 'update',
): Promise<void> {
  if (ids.length === 0) return
  const sql = getSql(tx)
  const rows = await sql<{ id: number; scheduleId: number | null; version: number }[]>`
    update send set version = version + 1 where id = any(${[...ids]}::int[])
    returning id, schedule_id as "scheduleId", version::int as version`
  const runs = rows.flatMap(({ scheduleId }) => scheduleId ?? [])
  const schedules = await sql<{ id: number; version: number }[]>`
    update schedule set version = version + 1 where id = any(${runs}::int[]) returning id, version::int as version`
  const events: { event: LiveEvent; audience: Audience }[] = []
  for (const { id, version, scheduleId } of rows)
    if (scheduleId === null)
      events.push({ event: { event: 'envioMassa', action, version, envioMassaId: id }, audience: { to: 'managers' } })
  await appendEvents(tx, [...events, ...schedules.map(scheduleEvent)])
}

/** Scheduled sends that go by a connection stand otherwise now: it was deleted. */
export async function publishOrphanedSchedules(tx: Tx, whatsappId: number): Promise<void> {
  const schedules = await getSql(tx)<{ id: number; version: number }[]>`
    update schedule set version = version + 1 where id in (
      select id from schedule where whatsapp_id = ${whatsappId} and next_run_at is not null order by id for update)
    returning id, version::int as version`
  await appendEvents(tx, schedules.map(scheduleEvent))
}

function scheduleEvent({ id, version }: { readonly id: number; readonly version: number }) {
  const event: LiveEvent = { event: 'agendamento', action: 'update', version, agendamentoId: id }
  const audience: Audience = { to: 'everyone' }
  return { event, audience }
}

/** Messages failed, or did not after all: the sends they belong to count that. */
export async function sendFailures(tx: Tx, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return
  const rows = await getSql(tx)<{ id: number }[]>`
    select distinct send_id as id from send_recipient where message_id = any(${[...messageIds]}::bigint[]) order by 1`
  await publishSendUpdates(
    tx,
    rows.map(({ id }) => id),
  )
}
