// An import whose process is killed, again and again, and one that is cancelled (decisions-2 §13): nobody is lost, nobody is there twice.
import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'
import { SHEET_JOBS } from '../src/desk/contact-sheets/sheet-jobs.ts'
import { startJob } from '../src/desk/jobs/long.ts'
import { jobs } from '../src/desk/jobs/table.ts'
import { claimUpload } from '../src/desk/media/claim.ts'
import { storeMedia } from '../src/desk/media/store.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY, makePerson } from './desk-world.ts'
import { waitUntil } from './until.ts'

const { db, url } = await createTestDatabase()
const sql = getSql(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-import-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))
const ROWS = 900
/** Every hundredth is wrong. */
const WRONG = ROWS / 100

test('§13: kill -9 at any step of an import loses nothing and doubles nothing', async () => {
  const userId = await makePerson(db, { name: 'Bruna', profile: 'user' })
  const lines = Array.from(
    { length: ROWS },
    (_, n) => `${n % 100 === 7 ? 'X' : `Pessoa ${n}`};${31_980_000_000 + n};Importada`,
  )
  const text = ['nome;numero;tags', ...lines].join('\n')
  const place = { db, dataDir }
  const { id: uploadId } = await storeMedia(place, new Blob([text]).stream(), {
    name: 'a.csv',
    userId,
    most: 1_000_000,
  })
  let child = run('contacts:stored#2')
  await waitUntil('the worker has its tables', async () => {
    const found =
      await sql`select 1 from pg_tables where schemaname = 'graphile_worker' and tablename = '_private_jobs'`
    return found.length > 0
  })
  await waitUntil('it can be asked', () => begin(userId, uploadId).then(yes, no))
  for (const step of ['contacts:committed', 'contacts:before#2', 'contacts:stored#3', 'contacts:committed#2', '']) {
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
  expect(job?.counts).toEqual({ created: ROWS - WRONG, updated: 0, skipped: 0, failed: WRONG })
  const [there] = await sql`
    select count(*)::int as contacts, count(distinct number)::int as numbers,
      (select count(*)::int from contact_tag) as tagged, (select count(*)::int from tag) as tags,
      (select count(*)::int from job_error where row > 1) as wrong,
      (select count(*)::int from log_entry where action = 'contact.create') as logged,
      (select count(*)::int from log_entry where action = 'contact.import') as ends from contact`
  const right = ROWS - WRONG
  expect(there).toEqual({
    ...{ contacts: right, numbers: right, tagged: right, tags: 1, wrong: WRONG, logged: right, ends: 1 },
  })
})

function run(CRASH_AT: string) {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY, CRASH_AT }
  return Bun.spawn(buildCommand('backend/test/import-process.ts'), { env })
}

function begin(userId: number, uploadId: string) {
  const params = { uploadId, name: 'a.csv', columns: ['nome', 'numero', 'tags'], partial: true }
  return db.transaction(async tx => {
    const { jobId } = await startJob(
      tx,
      { viewer: { id: userId, profile: 'user', queueIds: [] } },
      SHEET_JOBS.contacts,
      params,
    )
    await claimUpload(tx, userId, uploadId, { jobId })
  })
}

const yes = () => true
const no = () => false
