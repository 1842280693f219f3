// The desk's figures for Prometheus (docs/operating.md): how much is under way and how long it has waited, never who.
import type { Registry } from 'prom-client'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { addGauges } from '../../platform/http/metrics.ts'
import { longestWaitSql } from './read.ts'

/** Adds them to a register; they are read when they are asked for. */
export function addDeskMetrics(registry: Registry, db: Db): void {
  addGauges(registry, { tickets: 'Live tickets' }, ['status'], () => tickets(db))
  addGauges(registry, DESK, [], () => desk(db))
  addGauges(registry, { sends: 'Sends that are not over' }, ['state'], () => sends(db))
  addGauges(registry, JOBS, [], () => jobs(db))
}

const DESK = {
  oldest_wait_seconds: 'How long the ticket has waited that has waited longest',
  people_online: 'People of the team who are online',
  send_recipients_waiting: 'Recipients whom sends have not come to',
  events_undigested: 'Events of providers that could not be understood and are kept',
  figure_changes: 'Changes of tickets that are not yet in the daily sums',
} as const

const JOBS = {
  jobs_due: 'Jobs that could begin now',
  jobs_running: 'Jobs that are being done',
  jobs_retrying: 'Jobs that have failed and are tried again',
  jobs_given_up: 'Jobs that have failed for good',
  job_lag_seconds: 'How long the oldest of the due jobs has waited',
} as const

function tickets(db: Db): Promise<{ status: string; tickets: number }[]> {
  return getSql(db)<{ status: string; tickets: number }[]>`
    select s.status, (select coalesce(sum(t.n), 0) from ticket_tally t where t.status = s.status)::int as tickets
    from unnest(array['open', 'pending', 'paused', 'bot', 'nps']) s(status)`
}

function desk(db: Db): Promise<Record<keyof typeof DESK, number>[]> {
  const sql = getSql(db)
  return sql<Record<keyof typeof DESK, number>[]>`
    select coalesce(extract(epoch from now() - (${longestWaitSql(sql, {})})), 0)::int as oldest_wait_seconds,
      (select count(*) from "user" where status = 'online' and active and deleted_at is null and id <> 1)::int as people_online,
      (select count(*) from send_recipient r join send s on s.id = r.send_id
        where r.state = 'waiting' and s.state in ('running', 'waiting', 'paused', 'stopped'))::int as send_recipients_waiting,
      (select count(*) from raw_event where error is not null)::int as events_undigested,
      (select count(*) from figure_change)::int as figure_changes`
}

function sends(db: Db): Promise<{ state: string; sends: number }[]> {
  return getSql(db)<{ state: string; sends: number }[]>`
    select k.state, (select count(*) from send s where s.state = k.state)::int as sends
    from unnest(array['calculating', 'waiting', 'running', 'paused', 'stopped']) k(state)`
}

/** Of graphile-worker's own tables: where it has not made them yet there are none. */
function jobs(db: Db): Promise<Record<keyof typeof JOBS, number>[]> {
  return getSql(db)<Record<keyof typeof JOBS, number>[]>`
    select count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)::int as jobs_due,
      count(*) filter (where locked_at is not null)::int as jobs_running,
      count(*) filter (where locked_at is null and attempts between 1 and max_attempts - 1)::int as jobs_retrying,
      count(*) filter (where attempts >= max_attempts and locked_at is null)::int as jobs_given_up,
      coalesce(extract(epoch from now() - min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)), 0)::int as job_lag_seconds
    from graphile_worker._private_jobs`
}
