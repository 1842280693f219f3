// The one way to tell screens that something changed: append in the transaction of the change; ring after its commit.
import type { LiveEvent } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { getSql } from '../database/raw.ts'
import type { Audience } from './table.ts'

/** Appends one event to the live log. */
export function appendEvent(tx: Tx, audience: Audience, event: LiveEvent): Promise<void> {
  return appendEvents(tx, [{ event, audience }])
}

/** Appends events to the live log. Must run inside the transaction that makes the change. */
export async function appendEvents(tx: Tx, events: readonly { event: LiveEvent; audience: Audience }[]): Promise<void> {
  if (events.length === 0) return
  // By hand and prepared: this runs with every message.
  await getSql(tx)`
    insert into live_event (audience, payload) select a::jsonb, p
    from unnest(${events.map(one => JSON.stringify(one.audience))}::text[], ${events.map(one => JSON.stringify(one.event))}::text[]) with ordinality as e(a, p, at)
    order by at`
}
