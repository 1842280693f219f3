// A report whose process is killed, again and again (decisions-2 §13): it is made once, and leaves one file.
import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'
import { startJob } from '../src/desk/jobs/long.ts'
import { jobs } from '../src/desk/jobs/table.ts'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { openMedia } from '../src/desk/media/store.ts'
import { REPORT_JOBS } from '../src/insight/reports/work.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY, makeConnection, makeContact, makePerson } from './desk-world.ts'
import { readSheets } from './report-files.ts'
import { waitUntil } from './until.ts'

const { db, url } = await createTestDatabase()
const sql = getSql(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-report-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))
const ROWS = 2300

test('§13: kill -9 at any step of a report loses nothing and doubles nothing', async () => {
  const userId = await makePerson(db, { name: 'Marina', profile: 'admin' })
  const [contact, shop] = [await makeContact(db, 'Padaria'), await makeConnection(db, 'Loja')]
  await sql`
    insert into ticket (status, contact_id, whatsapp_id, created_at, closed_at)
    select 'closed', ${contact}, ${shop}, '2026-03-01T12:00:00Z'::timestamptz + n * interval '1 minute', now() from generate_series(1, ${ROWS}::int) n`
  let child = run('report:page')
  await waitUntil('the worker has its tables', async () => {
    const found =
      await sql`select 1 from pg_tables where schemaname = 'graphile_worker' and tablename = '_private_jobs'`
    return found.length > 0
  })
  await waitUntil('it can be asked', () => begin(userId).then(yes, no))
  for (const step of ['report:page#2', 'report:read', 'report:stored', '']) {
    await child.exited
    // Ten seconds must have passed before a worker counts as dead.
    for (const table of ['_private_jobs', '_private_job_queues'])
      await sql`update ${sql(`graphile_worker.${table}`)} set locked_at = now() - interval '1 minute' where locked_by is not null`
    child = run(step)
  }
  await waitUntil('it is done', async () => (await db.select().from(jobs))[0]?.state === 'done')
  child.kill('SIGKILL')
  await child.exited

  const [job] = await db.select().from(jobs)
  const file = await openMedia({ db, dataDir }, job?.mediaId ?? '')
  const { Atendimentos: rows = [] } = readSheets(await Bun.file(file?.path ?? '').bytes())
  expect([rows.length - 1, new Set(rows.map(([id]) => id)).size - 1, job?.counts.rows]).toEqual([ROWS, ROWS, ROWS])
  expect(await sql`select 1 from media where owner = 'job'`).toHaveLength(1)

  // What killed processes left behind belongs to nobody, and goes with the next sweep.
  await sql`update media set created_at = now() - interval '2 days' where owner = 'upload'`
  const incoming = join(dataDir, 'media', 'incoming')
  const old = new Date(Date.now() - 2 * 86_400_000)
  for (const name of await readdir(incoming)) await utimes(join(incoming, name), old, old)
  await sweepFiles({ db, dataDir })
  expect([...(await sql<{ owner: string }[]>`select owner from media`)]).toEqual([{ owner: 'job' }])
  expect(await readdir(incoming)).toEqual([])
})

function run(CRASH_AT: string) {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY, CRASH_AT }
  return Bun.spawn(buildCommand('backend/test/report-process.ts'), { env })
}

function begin(userId: number) {
  const viewer = { id: userId, profile: 'admin', queueIds: [] } as const
  const scope = { profile: 'admin', queueIds: [], hierarchy: false, onlyAdminSeeEmptyQueue: false } as const
  const filters = { queueId: null, userId: null, contactId: null, status: '' } as const
  return db.transaction(tx =>
    startJob(tx, { viewer }, REPORT_JOBS.ticket, {
      ...{ startDate: '2026-01-01', endDate: '2026-12-31', ...filters },
      ...{ format: 'xlsx', language: 'pt', scope: { ...scope, queueIds: [] } },
    }),
  )
}

const yes = () => true
const no = () => false
