// Puts a job into the worker's queue with the change it belongs to: both are there after the commit, or neither.
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError, codeOf } from '../http/errors.ts'

const NO_SUCH_SCHEMA = '3F000'

/** `key`: asked for again before it began, it is still one job. `attempts`: how often it is tried in all. */
export async function enqueueJob(
  tx: Tx,
  task: string,
  payload: Readonly<Record<string, unknown>>,
  { key, attempts }: { readonly key: string; readonly attempts: number },
): Promise<void> {
  try {
    await sqlOf(tx)`
    select graphile_worker.add_job(${task}::text, ${JSON.stringify(payload)}::text::json, job_key => ${key}::text, max_attempts => ${attempts}::int)`
  } catch (error) {
    // The worker makes its tables beside the start of the server.
    throw codeOf(error) === NO_SUCH_SCHEMA ? new AppError('ERR_NOT_READY') : error
  }
}
