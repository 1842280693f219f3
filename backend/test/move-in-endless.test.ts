// A dump that has no end, as one of many gigabytes has none for those who wait: how far it is can be seen, and it can be stopped at any row.
import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginMove, stopMove, undoMove } from '../src/operations/move-in/begin.ts'
import { loadMoveInState } from '../src/operations/move-in/state.ts'
import { startMoveInDesk } from './move-in-desk.ts'
import { waitUntil } from './until.ts'

const { sql, here, asker } = await startMoveInDesk()
const folder = await mkdtemp(join(tmpdir(), 'balcao-endless-'))
afterAll(() => rm(folder, { recursive: true }))

/** A pipe with the beginning of a dump, and one row again and again for as long as somebody reads it. */
async function openEndlessDump(head: string, row: string) {
  const pipe = join(folder, crypto.randomUUID())
  expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0)
  // The shell goes on behind the arrow once somebody reads.
  const script = '{ echo begun >&2; printf %s "$1"; yes "$2"; } > "$3"'
  const writer = Bun.spawn(['sh', '-c', script, 'sh', head, row, pipe], { stdio: ['ignore', 'ignore', 'pipe'] })
  return { pipe, writer }
}

test.each([
  ['that is wanted', 'COPY public."Messages" ("id", "body", "ticketId") FROM stdin;\n', 'M1\tOlá\t1', true],
  ['that nobody wants', 'COPY public."Baileys" ("id", "value") FROM stdin;\n', '1\tchave', false],
])('of a table %s', async (_, head, row, isWanted) => {
  const { pipe, writer } = await openEndlessDump(head, row)
  const id = await beginMove(here, asker, { source: 'ticketz', from: { dump: pipe }, openTag: 'x' })
  await writer.stderr.getReader().read()
  if (isWanted) await waitUntil('it is seen how far it is', async () => (await loadMoveInState(here, id)).done > 10_000)
  expect((await stopMove(here, id)).state).toBe('stopped')
  // Nobody reads on: the pipe breaks.
  await writer.exited
  await waitUntil('nothing works on it', async () => {
    return (await sql`select 1 from graphile_worker._private_jobs where key like 'job:%'`).length === 0
  })
  await undoMove(here, asker, id)
  await waitUntil('it is thrown away', async () => (await loadMoveInState(here, id)).state === 'undone')
  expect((await sql`select 1 from move_in_row`).length).toBe(0)
})
