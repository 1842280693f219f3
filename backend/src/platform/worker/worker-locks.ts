// Which workers live. A killed process leaves its jobs and their queues locked, and graphile-worker frees them only after four
// hours: so each pool of workers holds an advisory lock as long as its process lives, and what is locked by one without is given back.
import { createWaitingLine } from '@balcao/contract/kit/waiting-line'
import type { WorkerEvents } from 'graphile-worker'
import type pg from 'pg'

/** Any number, the same in every version of the product. */
const LOCK = 7_114_004

/** Keeps the lock of the pool that these events tell of, on a connection of its own; `lost` when that one breaks. */
export async function holdWorkerLock(pool: pg.Pool, events: WorkerEvents, lost: () => void): Promise<() => void> {
  const client = await pool.connect()
  const line = createWaitingLine(1)
  let released = false
  const broken = () => {
    if (!released) lost()
  }
  client.once('error', broken).once('end', broken)
  events.on('pool:create', ({ workerPool }) => {
    line.run(() => client.query('select pg_advisory_lock($1, hashtext($2))', [LOCK, workerPool.id])).catch(broken)
  })
  return () => {
    released = true
    // With it go the locks.
    client.release(true)
  }
}

/** Gives back what dead workers hold, and rings for it. One that has only just begun may not hold its lock yet. */
export async function releaseDeadWorkers(pool: pg.Pool): Promise<void> {
  await pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(held.locked_by)),
      pg_notify('jobs:insert', json_build_object('count', count(*))::text)
    from (
      select locked_by, locked_at from graphile_worker._private_jobs where locked_by is not null
      union select locked_by, locked_at from graphile_worker._private_job_queues where locked_by is not null
    ) held
    where locked_at < now() - interval '10 seconds' and not exists (
      select 1 from pg_locks l where l.locktype = 'advisory' and l.classid = $1
        and l.database = (select oid from pg_database where datname = current_database())
        and l.objid = (hashtext(held.locked_by)::bigint & 4294967295)::oid)
    having count(*) > 0`,
    [LOCK],
  )
}

/**
 * Removes what was given up and of which nobody needs to know any more: a run by the crontab that failed, once the runs of the next
 * hour and a half are over (if it still fails, theirs stand); a week later all others. At once what was to be tried once and never
 * failed: its process was killed.
 */
export async function removeGivenUp(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from graphile_worker._private_jobs
      where attempts >= max_attempts and locked_at is null and (
        max_attempts = 1 and last_error is null
        or payload -> '_cron' is not null and updated_at < now() - interval '90 minutes'
        or updated_at < now() - interval '7 days')`,
  )
}
