// Puts a job into the worker's queue with the change it belongs to: both are there after the commit, or neither.
import type { Db, Tx } from '../database/client.ts'
import { getSql } from '../database/raw.ts'

export interface JobOptions {
  readonly payload?: Readonly<Record<string, unknown>>
  /** Asked for again before it began, it is still one job. */
  readonly key: string
  /** How often it is tried in all. */
  readonly attempts: number
  /** Jobs of one queue are done one after the other. */
  readonly queue?: string
  /** Not before so many seconds are over; asked for again, they are counted anew. */
  readonly inSeconds?: number
}

export async function enqueueJob(
  tx: Db | Tx,
  kind: string,
  { payload = {}, key, attempts, queue, inSeconds = 0 }: JobOptions,
): Promise<void> {
  await getSql(tx)`
    select graphile_worker.add_job(${kind}::text, ${JSON.stringify(payload)}::text::json, job_key => ${key}::text,
      queue_name => ${queue ?? null}::text, max_attempts => ${attempts}::int, run_at => now() + ${inSeconds}::int * interval '1 second')`
}

/** Takes a job back that has not begun; one that has is tried no more. */
export async function cancelJob(tx: Db | Tx, key: string): Promise<void> {
  await getSql(tx)`select 1 from graphile_worker.remove_job(${key}::text)`
}
