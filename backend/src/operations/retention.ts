// What is kept for a while goes after its time, in small bites: no long transaction, or live readers would wait for it.
import type { Db } from '../platform/database/client.ts'
import { getSql } from '../platform/database/raw.ts'
import { createSweep, type JobKind } from '../platform/worker/kind.ts'
import type { Parts } from '../policy/kit/parts.ts'
import { readSettings } from '../policy/settings/read.ts'

const BITE = 2000

export function createRetentionJobs(parts: Parts): JobKind[] {
  const { db } = parts
  return [
    createSweep(parts, 'sweep-events', '*/5 * * * *', () => sweepEvents(db)),
    createSweep(parts, 'sweep-raw', '7 * * * *', () => sweepRaw(db)),
    createSweep(parts, 'sweep-outbox', '17 * * * *', () => sweepOutbox(db)),
    createSweep(parts, 'sweep-connections', '37 * * * *', () => sweepConnections(db)),
    createSweep(parts, 'sweep-tokens', '27 * * * *', () => sweepTokens(db)),
    createSweep(parts, 'sweep-log', '37 * * * *', () => sweepLog(db)),
  ]
}

/**
 * Raw provider events: seven days. What could not be digested stays until somebody has looked at it, ninety days at most; what was typed
 * on the phone and waits for an answer, thirty.
 */
export function sweepRaw(db: Db): Promise<number> {
  return inBites(
    () => getSql(db)`
    delete from raw_event where (whatsapp_id, key) in (
      select whatsapp_id, key from raw_event
      where received_at < now() - interval '7 days' and (error is null or received_at < now() - interval '90 days')
        and (waits_for is null or waits_for not like 'answer:%' or received_at < now() - interval '30 days') limit ${BITE})`,
  )
}

/**
 * Live events: 24 hours, and three days while webhooks have not read them; after that administrators are told (docs/decisions/0301). The newest
 * of the old ones stays: by it a reader knows whether its cursor is too old.
 */
export function sweepEvents(db: Db): Promise<number> {
  return inBites(async () => {
    const [swept] = await getSql(db)<{ count: number }[]>`
      with cursor as (select * from webhook_cursor where exists (select 1 from webhook where active)),
        gone as (
          delete from live_event where id in (
            select e.id from live_event e left join cursor c on true
            where e.created_at < now() - interval '24 hours'
              and e.id < (select max(id) from live_event where created_at < now() - interval '24 hours')
              and (c.id is null or (e.xid, e.id) <= (c.xid, c.event_id) or e.created_at < now() - interval '3 days')
            order by e.created_at limit ${BITE})
          returning xid, id, created_at),
        missed as (
          select max(g.created_at) as at from gone g join cursor c on (g.xid, g.id) > (c.xid, c.event_id)),
        noted as (
          update webhook_cursor set missed_at = greatest(missed_at, missed.at) from missed where missed.at is not null)
      select count(*)::int as count from gone`
    return swept ?? { count: 0 }
  })
}

/** What was sent, or was not: nobody sends a message again after a month. */
export function sweepOutbox(db: Db): Promise<number> {
  return inBites(
    () => getSql(db)`
    delete from outbox where id in (
      select id from outbox where state in ('done', 'failed', 'unknown') and done_at < now() - interval '30 days' limit ${BITE})`,
  )
}

/** How connections were doing, and what was counted of them: eight days, and how each stood when they began. */
export async function sweepConnections(db: Db): Promise<number> {
  const sql = getSql(db)
  await sql`delete from whatsapp_count where hour < now() - interval '8 days'`
  return inBites(
    () => sql`
    delete from whatsapp_status where id in (
      select old.id from whatsapp_status old where exists (
        select 1 from whatsapp_status later where later.whatsapp_id = old.whatsapp_id
          and later.at < now() - interval '8 days' and (later.at, later.id) > (old.at, old.id))
      limit ${BITE})`,
  )
}

/** Tokens that are good for nothing any more, old failed sign-ins, answered commands, what the external API kept, and what pages said of themselves. */
export async function sweepTokens(db: Db): Promise<number> {
  const sql = getSql(db)
  const swept = await Promise.all([
    sql`delete from refresh_token where expires_at < now() - interval '7 days'`,
    sql`delete from sign_in_failure where until < now() - interval '1 hour'`,
    sql`delete from socket_token where expires_at < now() - interval '1 hour'`,
    sql`delete from api_request where created_at < now() - interval '24 hours'`,
    sql`delete from link_preview where fetched_at < now() - interval '1 day'`,
    sql`delete from number_check where asked_at < now() - interval '24 hours'`,
    sql`delete from api_use where minute < now() - interval '1 hour'`,
    sql`delete from whatsapp_command where created_at < now() - interval '1 day'`,
  ])
  return swept.reduce((sum, { count }) => sum + count, 0)
}

/** The activity log: `logMonths` months of the calendar, in UTC. */
export async function sweepLog(db: Db, now = new Date()): Promise<number> {
  const { logMonths } = await readSettings(db)
  return inBites(
    () => getSql(db)`
    delete from log_entry where id in (
      select id from log_entry where created_at < ${now.toISOString()}::timestamptz - make_interval(months => ${logMonths})
      order by created_at, id limit ${BITE})`,
  )
}

async function inBites(bite: () => PromiseLike<{ readonly count: number }>): Promise<number> {
  for (let gone = 0; ; ) {
    const { count } = await bite()
    gone += count
    if (count < BITE) return gone
  }
}
