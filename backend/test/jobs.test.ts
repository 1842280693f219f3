import { afterAll, describe, expect, setSystemTime, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { startServer } from '../src/app/server.ts'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { openMedia, storeMedia } from '../src/desk/media/store.ts'
import { foldTally } from '../src/desk/tickets/tally.ts'
import { runCheckUp } from '../src/operations/doctor/check-up.ts'
import { sweepEvents, sweepOutbox, sweepRaw, sweepTokens } from '../src/operations/retention.ts'
import { readConfig } from '../src/platform/config.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { enqueueJob } from '../src/platform/worker/enqueue.ts'
import { type JobKind, readNumber } from '../src/platform/worker/kind.ts'
import { openJobsPool } from '../src/platform/worker/pool.ts'
import { startWorker, type Worker } from '../src/platform/worker/run.ts'
import { watchClock } from '../src/platform/worker/worker-clock.ts'
import { removeGivenUp } from '../src/platform/worker/worker-locks.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { makeTestFolder } from './test-folder.ts'
import { waitUntil } from './until.ts'

const { db, url } = await createTestDatabase()
const untouched = await createTestDatabase()
const sql = getSql(db)
const dataDir = makeTestFolder()
const place = { db, dataDir }
const log = { info() {}, warn() {}, error() {} }
/** As the worker takes it. */
const TABLES_LOCK = 7_114_003
let workers: Worker[] = []
afterAll(() => Promise.all(workers.map(one => one.stop())))

describe('what is kept for a while', () => {
  test('raw events go after seven days; what could not be digested stays', async () => {
    await sql`insert into whatsapp (name, api) values ('Loja', 'baileys')`
    await sql`insert into raw_event (whatsapp_id, key, payload, error, received_at) values
      (1, 'new', '{}', null, now()), (1, 'old', '{}', null, now() - interval '8 days'), (1, 'bad', '{}', 'Error', now() - interval '8 days')`
    expect(await sweepRaw(db)).toBe(1)
    expect((await sql`select key from raw_event order by key`).map(row => row.key)).toEqual(['bad', 'new'])
  })

  test('live events go after 24 hours, all but the newest of the old: by it a reader sees that its cursor is too old', async () => {
    await sql`insert into live_event (audience, payload, created_at)
      select '{"to":"everyone"}', '{}', now() - make_interval(hours => 30 - g) from generate_series(1, 10) g`
    expect(await sweepEvents(db)).toBe(5)
    const [left] =
      await sql`select count(*)::int as n, count(*) filter (where created_at < now() - interval '24 hours')::int as old from live_event`
    expect(left).toEqual({ n: 5, old: 1 })
  })

  test('uploads that became part of nothing go after 24 hours, with their files', async () => {
    const old = await upload('velho')
    const fresh = await upload('novo')
    await sql`update media set created_at = now() - interval '25 hours' where id = ${old.id}`
    expect(await sweepFiles(place)).toBe(1)
    expect(existsSync(old.path)).toBe(false)
    expect(existsSync(fresh.path)).toBe(true)
  })

  test('files that cannot be reached now hold up none of the others, and the doctor misses none of those that go', async () => {
    const [far, old] = [await upload('longe'), await upload('gasto')]
    await sql`update media set owner = 'gone', kept_in = 's3' where id = ${far.id}`
    await sql`update media set created_at = now() - interval '25 hours' where id = ${old.id}`
    expect(await sweepFiles(place).catch(error => error.code)).toBe('ERR_FILES_AWAY')
    expect(existsSync(old.path)).toBe(false)
    const left = await sql<{ id: string }[]>`select id from media where id in (${far.id}, ${old.id})`
    expect(left.map(({ id }) => id)).toEqual([far.id])
    const [going] = [await upload('indo')]
    await rm(going.path)
    await sql`update media set owner = 'gone' where id = ${going.id}`
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY })
    const { findings } = await runCheckUp({ db, config })
    expect(findings.find(({ code }) => code === 'files.missing')).toMatchObject({ level: 'ok' })
    await sql`delete from media where id in (${far.id}, ${going.id})`
  })

  test('answered commands and used-up tokens go', async () => {
    await sql`insert into whatsapp_command (whatsapp_id, command, state, created_at) values (1, 'start', 'done', now() - interval '2 days')`
    expect(await sweepTokens(db)).toBe(1)
  })

  test('what was sent a month ago goes from the outbox, a bite at a time; what still waits stays', async () => {
    await sql`
      insert into outbox (whatsapp_id, contact_id, operation, payload, state, done_at)
      select 1, 1, 'read', '{}'::jsonb, 'done', now() - interval '31 days' from generate_series(1, 4100)
      union all select 1, 1, 'read', '{}', 'done', now()
      union all select 1, 1, 'read', '{}', 'queued', null`
    expect(await sweepOutbox(db)).toBe(4100)
    expect((await sql`select state from outbox order by id`).map(row => row.state)).toEqual(['done', 'queued'])
  })
})

describe('the jobs', () => {
  test('of a process that was killed are done by the next one, and their queue goes on', async () => {
    const done: string[] = []
    const begun = () => worker(pushing(async () => void done.push('push')))
    const first = begun()
    await first.begun
    await first.stop()
    await sql`select graphile_worker.add_job('push', job_key => 'push', queue_name => 'push')`
    // As a kill leaves it: the job and its queue are held by a worker that is no more.
    for (const table of ['_private_jobs', '_private_job_queues'])
      await sql`update ${sql(`graphile_worker.${table}`)} set locked_by = 'worker-that-was-killed', locked_at = now() - interval '1 minute'`
    const second = begun()
    await waitUntil('it is done', () => done.length === 1)
    await second.stop()
  })

  test('of one that lives are left to it, however long they take', async () => {
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    let times = 0
    const push = async () => {
      times++
      begun.resolve()
      await end.promise
    }
    const first = worker(pushing(push))
    await first.begun
    await sql`select graphile_worker.add_job('push', job_key => 'push', queue_name => 'push')`
    await begun.promise
    await sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour' where locked_by is not null`
    await sql`update graphile_worker._private_job_queues set locked_at = now() - interval '1 hour' where locked_by is not null`
    const second = worker(pushing(async () => void times++))
    await second.begun
    await sql`select graphile_worker.add_job('free-the-dead')`
    await waitUntil(
      'the dead were looked for',
      async () => (await sql`select 1 from graphile_worker.jobs where task_identifier = 'free-the-dead'`).length === 0,
    )
    expect(times).toBe(1)
    end.resolve()
    await Promise.all([first.stop(), second.stop()])
  })

  test('that nobody rings for are begun: the next of a queue whose last one has ended, and all that became due by itself', async () => {
    const begun: number[] = []
    const open = Promise.withResolvers<void>()
    const kind = 'talk'
    const work = async (payload: unknown) => {
      begun.push(readNumber(payload, 'n'))
      if (readNumber(payload, 'n') >= 10) await open.promise
    }
    const one = worker({ kind, crew: 'flow', work })
    await one.begun
    for (const n of [1, 2, 3])
      await sql`select graphile_worker.add_job(${kind}, json_build_object('n', ${n}::int), queue_name => 'talk')`
    await waitUntil('one after the other', () => begun.length === 3)
    expect(begun).toEqual([1, 2, 3])
    for (const n of [11, 12, 13, 14, 15])
      await sql`select graphile_worker.add_job(${kind}, json_build_object('n', ${n}::int), run_at => now() + interval '1 hour')`
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now() + interval '50 minutes'`
    await waitUntil('all of them at once', () => begun.length === 8)
    open.resolve()
    await one.stop()
  })

  test('have their tables before a server answers: the first that is asked for may be one', async () => {
    const there = untouched.db.$client
    const other = await there.reserve()
    await other`select pg_advisory_lock(${TABLES_LOCK}::bigint)`
    let answers = false
    const env = { DATABASE_URL: untouched.url, DATA_DIR: dataDir, DATA_KEY, PORT: '0', LOG_LEVEL: 'silent' }
    const starting = startServer({ env }).then(server => {
      answers = true
      return server
    })
    await waitUntil('it waits for who makes them', async () => (await countLockWaits(there)) > 0)
    await Bun.sleep(1000)
    expect(answers).toBe(false)
    await other`select pg_advisory_unlock(${TABLES_LOCK}::bigint)`
    other.release()
    const server = await starting
    try {
      await enqueueJob(untouched.db, 'nobody', { key: 'nobody', attempts: 1 })
      expect(await there`select key from graphile_worker.jobs where key = 'nobody'`).toHaveLength(1)
    } finally {
      await server.stop()
    }
  })

  test('of the crontab begin again though some clock was ahead once', async () => {
    const kind: JobKind = { kind: 'by-the-clock', crew: 'quick', cron: '* * * * *', work: async () => {} }
    const first = worker(kind)
    await first.begun
    await first.stop()
    const ahead = () => sql`
      select 1 from graphile_worker._private_known_crontabs
      where identifier = 'by-the-clock' and last_execution > now() + interval '1 minute'`
    await sql`update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 year'`
    expect(await ahead()).toHaveLength(1)
    const second = worker(kind)
    await second.begun
    expect(await ahead()).toHaveLength(0)
    await second.stop()

    await sql`update graphile_worker._private_known_crontabs set last_execution = now() + interval '1 year'`
    const pool = openJobsPool(url, () => {})
    let jumps = 0
    const end = watchClock(pool, { jumped: () => void jumps++, failed: console.error }, 20)
    try {
      await waitUntil('what another machine noted is pulled back', async () => (await ahead()).length === 0)
      expect(jumps).toBe(0)
      setSystemTime(new Date(Date.now() + 3 * 3_600_000))
      await Bun.sleep(60)
      expect(jumps).toBe(0)
      setSystemTime()
      await waitUntil('the clock was put back', () => jumps > 0)
      expect(jumps).toBe(1)
    } finally {
      setSystemTime()
      end()
      await pool.end()
    }
  })

  test('that were given up go once nobody needs to know', async () => {
    const add = async (key: string, payload: object, row: { error: string | null; hours: number; max: number }) => {
      await sql`select graphile_worker.add_job('push', ${JSON.stringify(payload)}::text::json, job_key => ${key}, max_attempts => ${row.max})`
      await sql`
        update graphile_worker._private_jobs set attempts = max_attempts, last_error = ${row.error},
          updated_at = now() - make_interval(hours => ${row.hours}) where key = ${key}`
    }
    await add('killed', { _cron: {} }, { error: null, hours: 0, max: 1 })
    await add('failed now', { _cron: {} }, { error: 'x', hours: 1, max: 1 })
    await add('failed before', { _cron: {} }, { error: 'x', hours: 2, max: 1 })
    await add('not by the clock', {}, { error: 'x', hours: 24, max: 3 })
    await add('long ago', {}, { error: 'x', hours: 169, max: 3 })
    const pool = openJobsPool(url, () => {})
    await removeGivenUp(pool)
    await pool.end()
    const left = await sql<{ key: string }[]>`select key from graphile_worker.jobs where key is not null order by key`
    expect(left.map(({ key }) => key)).toEqual(['failed now', 'not by the clock'])
  })

  test('begin in two processes at once and fold the tally', async () => {
    await sql`insert into contact (name) select 'c' || g from generate_series(1, 20) g`
    await sql`insert into ticket (status, contact_id, whatsapp_id) select 'open', id, 1 from contact`
    const folding = { kind: 'fold-tally', crew: 'quick', work: () => foldTally(db) } as const
    workers = [worker(folding), worker(folding)]
    await Promise.all(workers.map(one => one.begun))
    await sql`select graphile_worker.add_job('fold-tally')`
    await waitUntil('the tally is folded', async () => (await sql`select 1 from ticket_tally`).length === 1)
    expect((await sql`select n from ticket_tally`)[0]?.n).toBe(20)
  })
})

function worker(...kinds: JobKind[]): Worker {
  return startWorker({ url, log, kinds })
}

function pushing(work: () => Promise<void>): JobKind {
  return { kind: 'push', crew: 'quick', work }
}

async function upload(text: string): Promise<{ id: string; path: string }> {
  const { id } = await storeMedia(place, new Response(text).body ?? new ReadableStream(), {
    name: `${text}.txt`,
    most: 1000,
  })
  return { id, path: (await openMedia(place, id))?.path ?? '' }
}
