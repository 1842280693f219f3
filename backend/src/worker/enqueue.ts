// Puts a job into the worker's queue with the change it belongs to: both are there after the commit, or neither.
import type { Db, Tx } from '../database/client.ts'
import { sqlStateOf } from '../database/faults.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'

const NO_SUCH_SCHEMA = '3F000'

export interface Enqueued {
  readonly payload?: Readonly<Record<string, unknown>>
  /** Asked for again before it began, it is still one job. */
  readonly key: string
  /** How often it is tried in all. */
  readonly attempts: number
  /** Jobs of one queue are done one after the other. */
  readonly queue?: string
}

export async function enqueueJob(
  tx: Db | Tx,
  kind: string,
  { payload = {}, key, attempts, queue }: Enqueued,
): Promise<void> {
  try {
    await sqlOf(tx)`
      select graphile_worker.add_job(${kind}::text, ${JSON.stringify(payload)}::text::json, job_key => ${key}::text,
        queue_name => ${queue ?? null}::text, max_attempts => ${attempts}::int)`
  } catch (error) {
    // The worker makes its tables beside the start of the server.
    throw sqlStateOf(error) === NO_SUCH_SCHEMA ? new AppError('ERR_NOT_READY') : error
  }
}
