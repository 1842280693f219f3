// One look at what is due for a whole crew, however many work in it: were each of them to look by itself, a desk where nothing happens
// would do little else (0197).
import type { WorkerEvents, WorkerPool } from 'graphile-worker'

/**
 * Wakes one of the crew every so often, and while that finds something the next one. What is due and nobody rings for begins within that
 * time: a retry, or what another process left. The next of a queue whose last one has just ended is looked for at once as well.
 * `events` are the crew's own; gives what ends the rounds.
 */
export function startPolling(events: WorkerEvents, everyMs: number): () => void {
  let crew: WorkerPool | undefined
  let finding = false
  let soon: ReturnType<typeof setTimeout> | undefined
  let another = false

  function wake(): void {
    if (crew && !crew._shuttingDown) crew.nudge(1)
  }

  function check(): void {
    finding = true
    wake()
  }

  function lookSoon(): void {
    soon = setTimeout(() => {
      soon = undefined
      check()
      if (another) lookSoon()
      another = false
    }, NOTED_MS)
  }

  const timer = setInterval(check, everyMs)
  events
    .on('pool:create', ({ workerPool }) => {
      crew = workerPool
    })
    .on('job:start', () => {
      if (finding) wake()
    })
    .on('worker:getJob:empty', () => {
      finding = false
    })
    .on('job:complete', ({ job }) => {
      if (job.job_queue_id === null) return
      if (soon) another = true
      else lookSoon()
    })
  return () => {
    crew = undefined
    clearInterval(timer)
    clearTimeout(soon)
  }
}

/** By then it is noted that a job has ended, as a rule; before that its queue is not free. */
const NOTED_MS = 20
