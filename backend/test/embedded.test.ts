import { afterAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { ensurePostgres, isProcessAlive } from '../src/platform/database/embedded.ts'
import { getSql, isDatabaseReachable } from '../src/platform/database/raw.ts'
import { waitUntil } from './until.ts'

const home = await mkdtemp(join(tmpdir(), 'balcao-embedded-'))
await chmod(home, 0o711)
const dataDir = join(home, 'pg')
afterAll(() => rm(home, { recursive: true, force: true }))

test('a Postgres of ours that is killed is started again on its port, as often as it happens; one that is stopped stays away', async () => {
  const engine = await ensurePostgres({ dataDir, test: true })
  const db = openDatabase(engine.url, { max: 2 })
  await getSql(db)`create table kept (n int)`
  for (let times = 0; times < 2; times++) {
    await getSql(db)`insert into kept values (${times})`
    await getSql(db)`checkpoint`
    const before = await pid()
    process.kill(before, 'SIGKILL')
    await waitUntil(
      'another one answers',
      async () => (await pid()) !== before && (await isDatabaseReachable(db)),
      60_000,
    )
  }
  expect((await getSql(db)`select n from kept order by n`).map(row => row.n)).toEqual([0, 1])
  const last = await pid()
  await engine.stop()
  expect(isProcessAlive(last)).toBe(false)
  expect(await isDatabaseReachable(db)).toBe(false)
  await closeDatabase(db)
})

test('a guest leaves one that its server stops: it is not brought back for nobody', async () => {
  const engine = await ensurePostgres({ dataDir, test: true })
  const guest = await ensurePostgres({ dataDir, test: true, isGuest: true })
  expect([guest.wasRunning, guest.url]).toEqual([true, engine.url])
  const last = await pid()
  await guest.stop()
  expect(await pid()).toBe(last)
  const other = await ensurePostgres({ dataDir, test: true, isGuest: true })
  await engine.stop()
  // Whoever watches it looks four times a second.
  await Bun.sleep(600)
  expect(await pid()).toBe(0)
  await other.stop()
})

/** Of the server's first process, as it says itself. */
async function pid(): Promise<number> {
  const text = await readFile(join(dataDir, 'cluster/postmaster.pid'), 'utf8').catch(() => '')
  return Number(text.split('\n')[0])
}
