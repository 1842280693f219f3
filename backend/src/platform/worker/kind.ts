// What runs later or again and again. A feature names its kinds in its `jobs.ts`, as it names its calls in its `routes.ts`.
import type { Task } from 'graphile-worker'

/**
 * Who does it, so that no kind of work holds up another: `quick` is done in moments; `patient` goes through whole tables, or makes a
 * backup; `long` is what people started; `flow` waits for programs of others, which may be slow: a customer's talk, a transcription, the
 * page behind a link. No work of the clock does.
 */
export type WorkerPoolName = 'quick' | 'patient' | 'long' | 'flow'

export interface JobKind {
  readonly kind: string
  readonly crew: WorkerPoolName
  /** When it begins by itself, as a crontab writes it. */
  readonly cron?: string
  /** Never twice at once, whatever the number of processes. */
  readonly alone?: boolean
  readonly work: Task
}

/** What removes something of a past; how much is told to the log. */
export function createSweep(
  { log }: { readonly log: { info(fields: object, text: string): void } },
  kind: string,
  cron: string,
  remove: () => Promise<number>,
): JobKind {
  async function work(): Promise<void> {
    const gone = await remove()
    if (gone > 0) log.info({ kind, gone }, 'swept')
  }
  return { kind, crew: 'patient', cron, work }
}

/** A number that a job was enqueued with. */
export function readNumber(payload: unknown, name: string): number {
  const value = typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined
  if (typeof value !== 'number') throw new Error(`The job has no ${name}`)
  return value
}
