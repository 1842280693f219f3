import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import type { Job, LiveEvent } from '@balcao/contract'
import { buildCommand } from '@balcao/simulator/processes'
import { eq } from 'drizzle-orm'
import pino from 'pino'
import { sweepJobs } from '../src/desk/jobs/jobs.ts'
import { createLongJob, type JobParts, startJob } from '../src/desk/jobs/long.ts'
import { jobs } from '../src/desk/jobs/table.ts'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { openMedia } from '../src/desk/media/store.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { startWorker } from '../src/platform/worker/run.ts'
import { getLogSource, runWithLogSource } from '../src/policy/log/source.ts'
import { createCountingJob } from './counting.ts'
import { createTestDatabase } from './database.ts'
import { createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { DATA_KEY, makePerson } from './desk-world.ts'
import { waitUntil } from './until.ts'

const quiet = pino({ level: 'silent' })
/** What happens at a step of a job of so many numbers; the others go on. */
const hooks = new Map<string, () => Promise<void> | void>()
const long = createCountingJob(step => hooks.get(step)?.())
let quick = 0
let work: JobParts | undefined
const server = await startDeskServer({}, parts => {
  work = parts
  return [createLongJob(parts, long), { kind: 'quick', crew: 'quick', work: () => void quick++ }]
})
const { db, config } = server
const elsewhere = [await createTestDatabase(), await createTestDatabase()] as const
const sql = getSql(db)
await sql`create table counted (job int not null, n int not null)`
const bruna = await member('Bruna')
const diego = await member('Diego')
const rafael = await member('Rafael')
afterEach(() => hooks.clear())

describe('long work', () => {
  test('is told batch by batch to who started it, and to nobody else', async () => {
    const id = await start(bruna, 3)
    const job = await ended(bruna, id)
    expect(job).toMatchObject({ kind: 'counting', state: 'done', done: 3, total: 3, error: null })
    expect(await counted(id)).toEqual([1, 2, 3])
    const rows = await sql<{ audience: object; payload: string }[]>`
      select audience, payload from live_event where payload like '{"event":"job"%' order by id`
    const events = rows.map(row => ({ audience: row.audience, event: parsed(row.payload) }))
    expect(events.every(({ audience }) => JSON.stringify(audience) === `{"to":"user","userId":${bruna.id}}`)).toBe(true)
    expect(events.map(({ event }) => (event.event === 'job' ? [event.job.state, event.job.done] : []))).toEqual([
      ['waiting', 0],
      ['running', 0],
      ['running', 1],
      ['running', 2],
      ['running', 3],
      ['done', 3],
    ])
    // What the last event said is what a fresh fetch says.
    const last = events.at(-1)?.event
    const [listed] = (await bruna.person.call<{ jobs: Job[] }>('GET', '/jobs')).body.jobs
    expect(last?.event === 'job' ? last.job : null).toEqual(listed ?? null)
  })

  test('of others is neither seen nor cancelled', async () => {
    const id = await start(bruna, 1)
    expect((await diego.person.call<{ jobs: Job[] }>('GET', '/jobs')).body.jobs).toEqual([])
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await diego.person.call(method, `/jobs/${id}`)
      expect([status, body.error]).toEqual([404, 'ERR_NO_JOB_FOUND'])
    }
    expect((await ended(bruna, id)).state).toBe('done')
  })

  test('is listed page by page, newest first', async () => {
    const rows = Array.from({ length: 45 }, () => ({
      kind: 'counting',
      userId: rafael.id,
      params: {},
      state: 'done' as const,
    }))
    await db.insert(jobs).values(rows)
    const pages: Job[][] = []
    for (let cursor: number | null | undefined; cursor !== null; ) {
      const query = cursor === undefined ? '' : `?cursor=${cursor}`
      const { body } = await rafael.person.call<{ jobs: Job[]; nextCursor: number | null }>('GET', `/jobs${query}`)
      pages.push(body.jobs)
      cursor = body.nextCursor
    }
    expect(pages.map(page => page.length)).toEqual([20, 20, 5])
    const ids = pages.flat().map(job => job.id)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  })

  test('that is cancelled stops between two batches: what was done stays, the batch on its way is undone', async () => {
    const at = gate('in 3')
    const id = await start(bruna, 5)
    await at.reached
    const { body } = await bruna.person.call<Job>('DELETE', `/jobs/${id}`)
    expect(body).toMatchObject({ state: 'cancelled', done: 2 })
    at.open()
    await waitUntil(
      'nobody works on it',
      async () => (await sql`select 1 from graphile_worker.jobs where key = ${`job:${id}`}`).length === 0,
    )
    expect(await counted(id)).toEqual([1, 2])
    expect(await own(bruna, id)).toEqual(body)
    // Again, or after the end: it stays as it ended.
    expect((await bruna.person.call<Job>('DELETE', `/jobs/${id}`)).body).toEqual(body)
  })

  test('that is cancelled before it began never begins', async () => {
    const at = gate('before 1')
    const first = await start(bruna, 1)
    await at.reached
    const second = await start(bruna, 1)
    await bruna.person.call('DELETE', `/jobs/${second}`)
    at.open()
    await ended(bruna, first)
    await waitUntil(
      'nobody works on it',
      async () => (await sql`select 1 from graphile_worker.jobs where key = ${`job:${second}`}`).length === 0,
    )
    expect(await counted(second)).toEqual([])
    expect((await own(bruna, second)).state).toBe('cancelled')
  })

  test('that refuses what it was given failed, with the code; its last batch is undone', async () => {
    hooks.set('in 2', () => {
      throw new AppError('ERR_FILE_TYPE')
    })
    const id = await start(bruna, 3)
    expect(await ended(bruna, id)).toMatchObject({ state: 'failed', error: 'ERR_FILE_TYPE', done: 1, result: null })
    expect(await counted(id)).toEqual([1])
  })

  test('that fails for an unknown reason goes on from its last mark', async () => {
    let failed = false
    hooks.set('in 2', () => {
      if (!failed) {
        failed = true
        throw new Error('by chance')
      }
    })
    const id = await start(bruna, 3)
    await triedAgainAtOnce(id)
    expect((await ended(bruna, id)).state).toBe('done')
    expect(await counted(id)).toEqual([1, 2, 3])
  })

  test.each([
    ['an unknown reason', new Error('each time'), 'ERR_INTERNAL'],
    ['a full disk', Object.assign(new Error('could not extend file'), { code: '53100' }), 'ERR_NO_SPACE'],
  ])('that fails for %s five times is over, and not before', async (_, fault, code) => {
    let tries = 0
    hooks.set('in 1', () => {
      tries++
      throw fault
    })
    const id = await start(bruna, 1)
    await triedAgainAtOnce(id, 3)
    await waitUntil('it failed for the fourth time', async () => (await failures(id)) === 4)
    expect([tries, (await own(bruna, id)).state]).toEqual([2, 'running'])
    await triedAgainAtOnce(id)
    expect(await ended(bruna, id)).toMatchObject({ state: 'failed', error: code, done: 0 })
    expect(tries).toBe(3)
  })

  test('that ended twenty-five processes is not begun once more; the twenty-fifth may still end it', async () => {
    const failing = () => {
      throw new Error('once')
    }
    for (const [before, state, done] of [
      [24, 'done', 1],
      [25, 'failed', 0],
    ] as const) {
      hooks.set('in 1', failing)
      const id = await start(bruna, 1)
      await waitUntil('it failed', async () => (await failures(id)) === 1)
      hooks.clear()
      await triedAgainAtOnce(id, before)
      const job = await ended(bruna, id)
      expect(job).toMatchObject({ state, done, error: state === 'failed' ? 'ERR_INTERNAL' : null })
    }
  })

  test('writes its log as coming from where it was asked for', async () => {
    const seen: string[] = []
    hooks.set('in 1', () => void seen.push(getLogSource()))
    for (const from of ['terminal', 'web'] as const)
      await ended(bruna, await runWithLogSource(from, () => start(bruna, 1)))
    await ended(bruna, await start(bruna, 1))
    expect(seen).toEqual(['terminal', 'web', 'auto'])
  })

  test('whose process lost it to another one changes nothing any more', async () => {
    const at = gate('in 2')
    const id = await start(bruna, 3)
    await at.reached
    // As another process takes a job whose owner counts as dead.
    await sql`update job set version = version + 1 where id = ${id}`
    at.open()
    await triedAgainAtOnce(id)
    expect((await ended(bruna, id)).state).toBe('done')
    expect(await counted(id)).toEqual([1, 2, 3])
  })
})

describe('the crews', () => {
  test('long work of everybody does not hold up what is quick', async () => {
    const at = gate('before 1')
    const ids = [await start(bruna, 1), await start(diego, 1), await start(rafael, 1)]
    await at.reached
    const before = quick
    await sql`select graphile_worker.add_job('quick')`
    await waitUntil('the quick one is done', () => quick === before + 1)
    expect((await Promise.all(ids.map(running))).every(Boolean)).toBe(false)
    at.open()
    for (const [n, person] of [bruna, diego, rafael].entries()) await ended(person, ids[n] ?? 0)
  })

  test("one person's jobs are done one after the other", async () => {
    const at = gate('before 1')
    const [first, second] = [await start(bruna, 2), await start(bruna, 2)]
    await at.reached
    const other = await start(diego, 1)
    await waitUntil("somebody else's runs beside it", () => running(other))
    expect(await running(second)).toBe(false)
    at.open()
    for (const id of [first, second]) await ended(bruna, id)
    const order = await sql<{ job: number }[]>`select job from counted where job in (${first}, ${second}) order by ctid`
    expect(order.map(row => row.job)).toEqual([first, first, second, second])
  })
})

describe('the file of a result', () => {
  test('lies behind a link of 15 minutes, which only who started it is given', async () => {
    const job = await ended(bruna, await start(bruna, 3))
    const { url, expiresAt, name, counts } = job.result ?? {}
    expect({ name, counts }).toEqual({ name: 'numeros.txt', counts: { created: 3 } })
    const minutes = (Date.parse(expiresAt ?? '') - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(14)
    expect(minutes).toBeLessThanOrEqual(15)
    const link = new URL(url ?? '', server.url)
    const answer = await createBrowser(server.url).call('GET', link.pathname + link.search)
    expect({ ...answer, headers: null }).toMatchObject({ status: 200, body: '1\n2\n3' })
    // Without the link, or with another file's, it is nobody's.
    expect((await bruna.person.call('GET', link.pathname)).body.error).toBe('ERR_NO_FILE_FOUND')
    const other = new URL((await ended(bruna, await start(bruna, 1))).result?.url ?? '', server.url)
    expect((await bruna.person.call('GET', link.pathname + other.search)).status).toBe(404)
    expect((await createBrowser(server.url).call('GET', link.pathname + other.search)).status).toBe(401)
  })

  test('goes after 24 hours, the job itself after seven days', async () => {
    const id = await start(bruna, 1)
    await ended(bruna, id)
    const [row] = await db.select().from(jobs).where(eq(jobs.id, id))
    const place = { db, dataDir: config.dataDir }
    const path = (await openMedia(place, row?.mediaId ?? ''))?.path ?? ''
    await sql`update media set created_at = now() - interval '2 days' where id = ${row?.mediaId ?? ''}`
    await sweepJobs(db)
    await sweepFiles(place)
    expect(existsSync(path)).toBe(true)
    await sql`update job set ended_at = now() - interval '25 hours' where id = ${id}`
    await sweepJobs(db)
    await sweepFiles(place)
    expect(existsSync(path)).toBe(false)
    expect((await own(bruna, id)).result).toEqual({ url: null, expiresAt: null, name: null, counts: { created: 1 } })
    await sql`update job set ended_at = now() - interval '8 days' where id = ${id}`
    await sweepJobs(db)
    expect((await bruna.person.call('GET', `/jobs/${id}`)).status).toBe(404)
  })
})

test('a process that is asked to end does so between two batches, and the next one goes on', async () => {
  const [{ url, db: own }] = elsewhere
  await getSql(own)`create table counted (job int not null, n int not null)`
  const userId = await makePerson(own, { name: 'Bruna', profile: 'user' })
  const parts: JobParts = { db: own, config, log: quiet, ring: () => {} }
  const begun = () => startWorker({ url, log: quiet, kinds: [createLongJob(parts, long)] })
  const first = begun()
  await first.begun
  const at = gate('in 2')
  await own.transaction(tx =>
    startJob(tx, { viewer: { id: userId, profile: 'user', queueIds: [] } }, long, { upTo: 4 }),
  )
  await at.reached
  const stopping = first.stop()
  at.open()
  await stopping
  expect((await own.select().from(jobs)).map(({ state, done }) => [state, done])).toEqual([['running', 2]])
  const second = begun()
  await waitUntil('it is done', async () => (await own.select().from(jobs))[0]?.state === 'done')
  await second.stop()
  expect((await getSql(own)`select n from counted order by n`).map(row => row.n)).toEqual([1, 2, 3, 4])
})

test('kill -9 at any step loses nothing and doubles nothing', async () => {
  const [, { url, db: own }] = elsewhere
  const its = getSql(own)
  await its`create table counted (job int not null, n int not null)`
  const userId = await makePerson(own, { name: 'Bruna', profile: 'user' })
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: config.dataDir, DATA_KEY }
  const run = (KILL_AT: string) => Bun.spawn(buildCommand('backend/test/job-process.ts'), { env: { ...env, KILL_AT } })
  let child = run('in 2')
  await waitUntil(
    'the worker has its tables',
    async () => (await its`select 1 from pg_namespace where nspname = 'graphile_worker'`).length > 0,
  )
  await waitUntil('it can be asked', () =>
    own
      .transaction(tx => startJob(tx, { viewer: { id: userId, profile: 'user', queueIds: [] } }, long, { upTo: 6 }))
      .then(
        () => true,
        () => false,
      ),
  )
  for (const step of ['after 2', 'before 5', 'stored', '']) {
    await child.exited
    // Ten seconds must have passed before a worker counts as dead.
    for (const table of ['_private_jobs', '_private_job_queues'])
      await its`update ${its(`graphile_worker.${table}`)} set locked_at = now() - interval '1 minute' where locked_by is not null`
    child = run(step)
  }
  await waitUntil('it is done', async () => (await own.select().from(jobs))[0]?.state === 'done')
  child.kill('SIGKILL')
  await child.exited
  expect((await its`select n from counted order by n`).map(row => row.n)).toEqual([1, 2, 3, 4, 5, 6])
  // What was stored and claimed by nobody is the sweep's.
  const files = await its<{ owner: string }[]>`select owner from media order by owner`
  expect(files.map(file => file.owner)).toEqual(['job', 'upload'])
})

interface Member {
  readonly id: number
  readonly person: SignedInPerson
}

async function member(name: string): Promise<Member> {
  return { id: await makePerson(db, { name, profile: 'user' }), person: await server.as(name) }
}

async function start({ id }: Member, upTo: number): Promise<number> {
  const session = { viewer: { id, profile: 'user', queueIds: [] } } as const
  const { jobId } = await db.transaction(tx => startJob(tx, session, long, { upTo }))
  work?.ring()
  return jobId
}

async function own({ person }: Member, id: number): Promise<Job> {
  return (await person.call<Job>('GET', `/jobs/${id}`)).body
}

async function ended(person: Member, id: number): Promise<Job> {
  await waitUntil('the job has ended', async () => (await own(person, id)).endedAt !== null)
  return own(person, id)
}

async function running(id: number): Promise<boolean> {
  const [row] = await db.select().from(jobs).where(eq(jobs.id, id))
  return row?.state === 'running'
}

async function counted(id: number): Promise<number[]> {
  const rows = await sql<{ n: number }[]>`select n from counted where job = ${id} order by n`
  return rows.map(row => row.n)
}

/** Work waits at a step until it is opened. */
function gate(step: string): { readonly reached: Promise<void>; readonly open: () => void } {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  hooks.set(step, () => {
    reached.resolve()
    return opened.promise
  })
  return { reached: reached.promise, open: opened.resolve }
}

function parsed(payload: string): LiveEvent {
  return JSON.parse(payload)
}

async function failures(id: number): Promise<number> {
  const [row] = await sql<{ attempts: number }[]>`
    select attempts::int from graphile_worker._private_jobs
    where key = ${`job:${id}`} and last_error is not null and locked_at is null`
  return row?.attempts ?? 0
}

/** A job that failed would be tried again in a while: now. `attempts`: as if it had been so often already. */
async function triedAgainAtOnce(id: number, attempts: number | null = null): Promise<void> {
  const waiting = () => sql`
    update graphile_worker._private_jobs set run_at = now(), attempts = coalesce(${attempts}::int, attempts) where locked_at is null and key = ${`job:${id}`} and last_error is not null returning 1`
  await waitUntil('it is tried again later', async () => (await waiting()).length === 1)
}
