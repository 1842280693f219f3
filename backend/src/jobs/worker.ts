// What runs later or again and again: graphile-worker on the same Postgres. Any process runs a job; a killed one's jobs go to another.
import { EventEmitter } from 'node:events'
import { Logger, type Runner, run, runMigrations, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { type Db, OURS } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { sweepPages } from '../push/open-pages.ts'
import { foldTally } from '../tickets/tally.ts'
import { freeTheDead, keepLiving } from './living.ts'
import { sweepEvents, sweepRaw, sweepTokens, sweepUploads } from './sweeps.ts'

export interface JobsOptions {
  readonly url: string
  readonly db: Db
  readonly dataDir: string
  /** The work of the web push job. */
  readonly push?: () => Promise<void>
  /** Cards for messages nobody could read in time. */
  readonly unreadable?: () => Promise<void>
  /** What features have done by jobs, besides the sweeps here. */
  readonly tasks?: TaskList
  readonly log: {
    info(fields: object, text: string): void
    warn(fields: object, text: string): void
    error(fields: object, text: string): void
  }
}

export interface Jobs {
  /** Resolves when the worker runs for the first time. */
  readonly begun: Promise<void>
  /** Wants the web push job to run soon, unless nobody has a device: then it costs one look. */
  askForPush(): Promise<void>
  /** Takes nothing more and waits for what runs. */
  stop(): Promise<void>
}

/** Minutes are enough for sweeping; the tally is folded often because badges sum it. */
const CRONTAB = `
* * * * * free-the-dead ?max=1
* * * * * fold-tally ?max=1
* * * * * push ?max=1&queue=push
* * * * * show-unreadable ?max=1&queue=unreadable
*/5 * * * * sweep-events ?max=3
7 * * * * sweep-raw ?max=3
17 * * * * sweep-uploads ?max=3
27 * * * * sweep-tokens ?max=3
37 * * * * sweep-pages ?max=3
`

/** Any number, the same in every version of the product. */
const LOCK = 7_114_003
/** What ended by itself begins again after this. */
const AGAIN_MS = 1000

/** Starts working, with a small pool of its own; while the database is away it tries again. */
export function startJobs(options: JobsOptions): Jobs {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: 5,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5000,
    application_name: `${OURS}-jobs`,
    statement_timeout: 120_000,
    idle_in_transaction_session_timeout: 10_000,
  })
  // Without listeners a lost connection would end the process.
  const lost = (error: Error) => options.log.warn({ err: error }, 'the jobs lost a database connection')
  pool.on('error', lost).on('connect', client => client.on('error', lost))
  const logger = loggerOf(options.log)
  let stopped = false
  let runner: Runner | undefined
  const begun = Promise.withResolvers<void>()
  const working = keepWorking()

  async function keepWorking(): Promise<void> {
    while (!stopped) {
      try {
        await makeTables(pool, logger)
        runner = await begin(pool, options, logger)
        begun.resolve()
        // Asked to stop while it began: nobody else knows this runner.
        if (stopped) await runner.stop()
        await runner.promise
      } catch (error) {
        options.log.error({ err: error }, 'the jobs stand still')
      }
      if (!stopped) await Bun.sleep(AGAIN_MS)
    }
  }

  return {
    begun: begun.promise,
    async askForPush() {
      await sqlOf(options.db)`
        select graphile_worker.add_job('push', job_key => 'push', queue_name => 'push', max_attempts => 1)
        where exists (select 1 from push_subscription)`
    },
    async stop() {
      stopped = true
      // One that ended by itself has nothing to stop.
      await runner?.stop().catch(() => {})
      await working
      await pool.end()
    },
  }
}

async function begin(pool: pg.Pool, options: JobsOptions, logger: Logger): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter()
  let runner: Runner | undefined
  // Whoever counts as dead must not go on: it ends, and begins again as somebody else.
  const release = await keepLiving(pool, events, () => void runner?.stop().catch(() => {}))
  try {
    await freeTheDead(pool)
    runner = await run({
      pgPool: pool,
      concurrency: 3,
      noHandleSignals: true,
      pollInterval: 5000,
      taskList: { ...tasksOf(options), 'free-the-dead': () => freeTheDead(pool) },
      crontab: CRONTAB,
      events,
      logger,
    })
  } catch (error) {
    release()
    throw error
  }
  runner.promise.then(release, release)
  return runner
}

/** The worker's own tables. Several processes may start at once: one makes them, the others wait. */
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

function tasksOf({ db, dataDir, log, push, unreadable, tasks }: JobsOptions): TaskList {
  const told = (task: string, sweep: () => Promise<number>) => async () => {
    const gone = await sweep()
    if (gone > 0) log.info({ task, gone }, 'swept')
  }
  return {
    ...tasks,
    'fold-tally': () => foldTally(db),
    push: () => push?.(),
    'show-unreadable': () => unreadable?.(),
    'sweep-events': told('sweep-events', () => sweepEvents(db)),
    'sweep-raw': told('sweep-raw', () => sweepRaw(db)),
    'sweep-uploads': told('sweep-uploads', () => sweepUploads({ db, dataDir })),
    'sweep-tokens': told('sweep-tokens', () => sweepTokens(db)),
    'sweep-pages': told('sweep-pages', () => sweepPages(db)),
  }
}

/** Only what somebody must know: payloads never reach the log. */
function loggerOf(log: JobsOptions['log']): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({ by: 'jobs' }, message)
    else if (level === 'warning') log.warn({ by: 'jobs' }, message)
  })
}
