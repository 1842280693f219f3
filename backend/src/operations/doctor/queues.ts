// What waits to be done: messages on their way out, jobs, and what nobody could understand.
import type { Db } from '../../platform/database/client.ts'
import { getSqlState } from '../../platform/database/faults.ts'
import { getSql } from '../../platform/database/raw.ts'
import { type CheckContext, type CheckFinding, toLevel } from './checks.ts'

export async function checkQueues({ db }: CheckContext): Promise<readonly CheckFinding[]> {
  const sql = getSql(db)
  const [row] = await sql<WaitingCounts[]>`
    select count(*)::int as waiting, coalesce(extract(epoch from now() - min(o.next_at)), 0)::int as seconds,
      (select count(*)::int from outbox d join message m on m.id = d.message_id where d.state = 'unknown' and m.state = 'unknown') as unsure,
      (select count(*)::int from raw_event where error is not null) as undigested
    from outbox o join whatsapp w on w.id = o.whatsapp_id and w.status = 'CONNECTED' where o.state in ('queued', 'sending')`
  const jobs = await countJobs(db)
  if (!row) throw new Error('Nothing was counted')
  const { waiting, unsure, undigested } = row
  const seconds = Math.max(0, row.seconds)
  const lag = Math.max(0, jobs.seconds)
  return [
    {
      code: 'queues.outbox',
      level: toLevel(seconds, { warning: 60, danger: 600 }),
      params: { count: waiting, seconds },
    },
    { code: 'queues.unsure', level: toLevel(unsure, { warning: 1 }), params: { count: unsure } },
    {
      code: 'queues.jobs',
      level: toLevel(lag, { warning: 60, danger: 600 }),
      params: { count: jobs.due, seconds: lag },
    },
    { code: 'queues.givenUp', level: toLevel(jobs.givenUp, { warning: 1 }), params: { count: jobs.givenUp } },
    { code: 'queues.undigested', level: toLevel(undigested, { warning: 1 }), params: { count: undigested } },
  ]
}

/** A server makes the tables of the jobs as it starts: before the first one nothing waits. */
const NO_TABLES: readonly (string | null)[] = ['3F000', '42P01']

async function countJobs(db: Db): Promise<Jobs> {
  try {
    const [row] = await getSql(db)<Jobs[]>`
      select count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)::int as due,
        coalesce(extract(epoch from now() - min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)), 0)::int as seconds,
        count(*) filter (where attempts >= max_attempts and locked_at is null)::int as "givenUp"
      from graphile_worker._private_jobs`
    if (row) return row
  } catch (error) {
    if (!NO_TABLES.includes(getSqlState(error))) throw error
  }
  return { due: 0, seconds: 0, givenUp: 0 }
}

interface WaitingCounts {
  readonly waiting: number
  readonly seconds: number
  readonly unsure: number
  readonly undigested: number
}

interface Jobs {
  readonly due: number
  readonly seconds: number
  readonly givenUp: number
}
