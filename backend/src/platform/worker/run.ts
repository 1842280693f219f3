// Runs jobs: graphile-worker on the same Postgres. Any process runs one; a killed one's jobs go to another.
import { EventEmitter } from 'node:events'
import { Logger, parseCrontab, type Runner, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { JobKind, WorkerPoolName } from './kind.ts'
import { startPolling } from './polling.ts'
import { openJobsPool } from './pool.ts'
import { pullCrontabsBack, watchClock } from './worker-clock.ts'
import { holdWorkerLock, releaseDeadWorkers, removeGivenUp } from './worker-locks.ts'

export interface WorkerOptions {
  readonly url: string
  readonly kinds: readonly JobKind[]
  readonly log: {
    info(fields: object, text: string): void
    warn(fields: object, text: string): void
    error(fields: object, text: string): void
  }
}

export interface Worker {
  /** Resolves when it runs for the first time. */
  readonly begun: Promise<void>
  /** Takes nothing more and waits for what runs; long work stops after its batch and goes on elsewhere. */
  stop(): Promise<void>
}

/** How many of each crew work at once in a process. */
const CREWS: Readonly<Record<WorkerPoolName, number>> = { quick: 3, patient: 6, long: 2, flow: 30 }

/**
 * Who is asked to stop is told at once. What was done is noted before the end: only with a delay, were it none, does the worker wait
 * for its last note, and a job that ended otherwise stays locked and is done again.
 */
const PRESET = { worker: { gracefulShutdownAbortTimeout: 0, completeJobBatchDelay: 0, failJobBatchDelay: 0 } } as const

/** Within this what nobody rings for is begun: a retry, or the next of a queue whose last one has just ended. */
const ROUND_MS: Readonly<Record<WorkerPoolName, number>> = { quick: 5000, patient: 5000, long: 1000, flow: 1000 }
/** Rounds are made for all; whoever looks by itself does so in case they are not. */
const POLL_MS = 60_000

/** The worker warns of a pool with fewer connections than jobs. Ours wait for Typebot, and need a connection for a moment only. */
const OWN_POOL = 'having maxPoolSize'

/** Any number, the same in every version of the product. */
const LOCK = 7_114_003
/** What ended by itself begins again after this. */
const AGAIN_MS = 1000

/** Makes the worker's own tables, or brings them up to this version: before anybody is served, for what is asked may begin a job. */
export async function makeJobTables({ url, log }: Pick<WorkerOptions, 'url' | 'log'>): Promise<void> {
  const pool = openJobsPool(url, error => log.warn({ err: error }, 'making the tables of the jobs lost its connection'))
  try {
    await makeTables(pool, createWorkerLogger(log))
  } finally {
    await pool.end()
  }
}

/** Several processes may start at once: one makes them, the others wait. */
async function makeTables(pool: pg.Pool, logger: Logger): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await runMigrations({ pgPool: pool, logger })
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {})
    client.release()
  }
}

/** Starts working, with a small pool of its own; while the database is away it tries again. */
export function startWorker({ url, kinds, log }: WorkerOptions): Worker {
  const pool = openJobsPool(url, error => log.warn({ err: error }, 'the jobs lost a database connection'))
  const logger = createWorkerLogger(log)
  let stopped = false
  let crews: Crews | undefined
  const begun = Promise.withResolvers<void>()
  const working = keepWorking()

  async function keepWorking(): Promise<void> {
    while (!stopped) {
      try {
        await makeTables(pool, logger)
        crews = await begin(pool, kinds, logger)
        begun.resolve()
        // Asked to stop while they began: nobody else knows them.
        if (stopped) await crews.stop()
        await crews.ended
      } catch (error) {
        log.error({ err: error }, 'the jobs stand still')
      }
      if (!stopped) await Bun.sleep(AGAIN_MS)
    }
  }

  return {
    begun: begun.promise,
    async stop() {
      stopped = true
      await crews?.stop()
      await working
      await pool.end()
    },
  }
}

interface Crews {
  /** When one of them has ended, and the others after it. */
  readonly ended: Promise<void>
  readonly stop: () => Promise<unknown>
}

async function begin(pool: pg.Pool, kinds: readonly JobKind[], logger: Logger): Promise<Crews> {
  const events: WorkerEvents = new EventEmitter()
  const runners: Runner[] = []
  const rounds: (() => void)[] = []
  // One that ended by itself has nothing to stop.
  const stop = () => {
    for (const end of rounds) end()
    return Promise.all(runners.map(runner => runner.stop().catch(() => {})))
  }
  // Whoever counts as dead must not go on: it ends, and begins again as somebody else.
  const releaseLock = await holdWorkerLock(pool, events, () => void stop())
  const endWatch = watchClock(pool, {
    jumped: () => void stop(),
    failed: error => logger.warn(`The crontab was not looked at: ${error}`),
  })
  const release = () => {
    endWatch()
    releaseLock()
  }
  const freeing: JobKind = {
    kind: 'free-the-dead',
    crew: 'quick',
    cron: '* * * * *',
    work: async () => {
      await releaseDeadWorkers(pool)
      await removeGivenUp(pool)
    },
  }
  try {
    await releaseDeadWorkers(pool)
    await pullCrontabsBack(pool)
    for (const crew of ['quick', 'patient', 'long', 'flow'] as const) {
      const own = [freeing, ...kinds].filter(kind => kind.crew === crew)
      if (own.length === 0) continue
      const theirs: WorkerEvents = new EventEmitter()
      theirs.on('pool:create', poolName => void events.emit('pool:create', poolName))
      rounds.push(startPolling(theirs, ROUND_MS[crew]))
      runners.push(
        await run({
          pgPool: pool,
          concurrency: CREWS[crew],
          noHandleSignals: true,
          preset: PRESET,
          pollInterval: POLL_MS,
          taskList: Object.fromEntries(own.map(({ kind, work }) => [kind, work])),
          parsedCronItems: parseCrontab(own.map(toCronLine).join('')),
          events: theirs,
          logger,
        }),
      )
    }
  } catch (error) {
    await stop()
    release()
    throw error
  }
  return { ended: ending(), stop }

  async function ending(): Promise<void> {
    try {
      await Promise.race(runners.map(runner => runner.promise))
    } finally {
      await stop()
      release()
    }
  }
}

function toCronLine({ kind, cron, alone }: JobKind): string {
  return cron === undefined ? '' : `${cron} ${kind} ?max=1${alone ? `&queue=${kind}` : ''}\n`
}

/** Only what somebody must know: payloads never reach the log. */
function createWorkerLogger(log: WorkerOptions['log']): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ by: 'jobs' }, message)
    else if (level === 'warning' && !message.includes(OWN_POOL)) log.warn({ by: 'jobs' }, message)
  })
}
