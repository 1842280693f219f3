// A move whose process is killed again and again (docs/decisions/0319): all comes, and nothing twice.
import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginMove, goOn } from '../src/operations/move-in/begin.ts'
import { loadMoveInState } from '../src/operations/move-in/state.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY, makeConnection, makePerson } from './desk-world.ts'
import { makeDump, writeText } from './move-in-dump.ts'
import { waitUntil } from './until.ts'
import { verifySpans } from './verify-spans.ts'

const { db, url } = await createTestDatabase({ jobs: true })
const sql = db.$client
const folder = await mkdtemp(join(tmpdir(), 'balcao-move-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const TICKETS = 600
const here = { db, config: { dataKey: DATA_KEY, dataDir: folder } }

test('kill -9 while it is read and while it is written loses nothing and doubles nothing', async () => {
  const id = await makePerson(db, { name: 'Marina', profile: 'admin' })
  await makeConnection(db, 'Loja Centro')
  await sql`update whatsapp set is_default = true`
  const asker = { viewer: { id, profile: 'admin' as const, queueIds: [] } }
  const dump = join(folder, 'dump.sql')
  await Bun.write(dump, [...makeDump(TICKETS)].join(''))
  const moveId = await beginMove(here, asker, { source: 'ticketz', from: { dump }, openTag: 'x' })
  await killAfter(async () => (await countRows()) >= 1000)
  await runUntil(async () => (await loadMoveInState(here, moveId)).state === 'ready')
  await goOn(here, asker, moveId)
  for (const done of [100, 400, 1000, 2500])
    await killAfter(async () => (await loadMoveInState(here, moveId)).done >= done)
  await runUntil(async () => (await loadMoveInState(here, moveId)).state === 'done')

  const [there] = await sql`
    select (select count(*)::int from contact) as contacts, (select count(*)::int from ticket) as tickets, (select count(*)::int from message) as messages,
      (select count(*)::int from message where quoted_id is not null) as quoting,
      (select count(*)::int from ticket where message_seq <> 5 or last_message = '') as wrong, (select count(*)::int from move_in_row) as left`
  expect(there).toEqual({
    ...{ contacts: TICKETS / 3, tickets: TICKETS, messages: TICKETS * 5, quoting: TICKETS },
    ...{ wrong: 0, left: 0 },
  })
  // Each conversation in its order, word by word.
  const texts = await sql<{ body: string }[]>`
    select m.body from message m join move_in_link l on l.kind = 'ticket' and l.own_id = m.ticket_id order by l.key, m.seq`
  expect(texts.map(({ body }) => body)).toEqual(Array.from({ length: TICKETS * 5 }, (_, n) => writeText(n + 1)))
  await verifySpans(db, 'kills')
}, 600_000)

async function countRows(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from move_in_row`
  return row?.n ?? 0
}

async function killAfter(isSo: () => Promise<boolean>): Promise<void> {
  await runUntil(isSo)
  // Ten seconds must have passed before a worker counts as dead.
  for (const table of ['_private_jobs', '_private_job_queues'])
    await sql`update ${sql(`graphile_worker.${table}`)} set locked_at = now() - interval '1 minute' where locked_by is not null`
}

async function runUntil(isSo: () => Promise<boolean>): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: folder, DATA_KEY }
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'move-in-process.ts')], { env })
  await waitUntil('it has come so far', isSo, 180_000)
  child.kill('SIGKILL')
  await child.exited
}
