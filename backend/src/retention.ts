// What is kept for a while goes after its time, in small bites: no long transaction, or live readers would wait for it.
import type { Db } from './database/client.ts'
import { sqlOf } from './database/raw.ts'
import type { Parts } from './parts.ts'
import { type JobKind, sweep } from './worker/kind.ts'

const BITE = 2000

export function retention(parts: Parts): JobKind[] {
  const { db } = parts
  return [
    sweep(parts, 'sweep-events', '*/5 * * * *', () => sweepEvents(db)),
    sweep(parts, 'sweep-raw', '7 * * * *', () => sweepRaw(db)),
    sweep(parts, 'sweep-outbox', '17 * * * *', () => sweepOutbox(db)),
    sweep(parts, 'sweep-tokens', '27 * * * *', () => sweepTokens(db)),
  ]
}

/** Raw provider events: seven days. What could not be digested stays until somebody has looked at it, ninety days at most. */
export function sweepRaw(db: Db): Promise<number> {
  return inBites(
    () => sqlOf(db)`
    delete from raw_event where (whatsapp_id, key) in (
      select whatsapp_id, key from raw_event
      where received_at < now() - interval '7 days' and (error is null or received_at < now() - interval '90 days') limit ${BITE})`,
  )
}

/** Live events: 24 hours. The newest of the old ones stays: by it a reader knows whether its cursor is too old. */
export function sweepEvents(db: Db): Promise<number> {
  return inBites(
    () => sqlOf(db)`
    delete from live_event where id in (
      select id from live_event where created_at < now() - interval '24 hours'
        and id < (select max(id) from live_event where created_at < now() - interval '24 hours')
      order by created_at limit ${BITE})`,
  )
}

/** What was sent, or was not: nobody sends a message again after a month. */
export function sweepOutbox(db: Db): Promise<number> {
  return inBites(
    () => sqlOf(db)`
    delete from outbox where id in (
      select id from outbox where state in ('done', 'failed', 'unknown') and done_at < now() - interval '30 days' limit ${BITE})`,
  )
}

/** Tokens that are good for nothing any more, old failed sign-ins, answered commands, and what the external API kept. */
export async function sweepTokens(db: Db): Promise<number> {
  const sql = sqlOf(db)
  const swept = await Promise.all([
    sql`delete from refresh_token where expires_at < now() - interval '7 days'`,
    sql`delete from sign_in_failure where until < now() - interval '1 hour'`,
    sql`delete from socket_token where expires_at < now() - interval '1 hour'`,
    sql`delete from api_request where created_at < now() - interval '24 hours'`,
    sql`delete from number_check where asked_at < now() - interval '24 hours'`,
    sql`delete from api_use where minute < now() - interval '1 hour'`,
    sql`delete from whatsapp_command where created_at < now() - interval '1 day'`,
  ])
  return swept.reduce((sum, { count }) => sum + count, 0)
}

async function inBites(bite: () => PromiseLike<{ readonly count: number }>): Promise<number> {
  for (let gone = 0; ; ) {
    const { count } = await bite()
    gone += count
    if (count < BITE) return gone
  }
}
