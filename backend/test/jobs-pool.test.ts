// A worker's listener that breaks while it begins to listen and its workers are asked to stop, told by hand: in life it takes a
// database that dies within a millisecond.
import { expect, test } from 'bun:test'
import { Logger, run, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { openJobsPool } from '../src/platform/worker/pool.ts'
import { createTestDatabase } from './database.ts'

const { url, beforeDrop } = await createTestDatabase()
const logger = new Logger(() => () => {})
const pool = openJobsPool(url, () => {})
beforeDrop(() => pool.end())

test('the end of a worker whose LISTEN fails meanwhile ends no process, and its connection is back once', async () => {
  await runMigrations({ pgPool: pool, logger })
  const listen = Promise.withResolvers<never>()
  const reached = Promise.withResolvers<void>()
  pool.on('connect', client => holdListen(client, reached.resolve, listen.promise))
  const runner = await run({
    pgPool: pool,
    logger,
    noHandleSignals: true,
    concurrency: 1,
    taskList: { none: () => {} },
  })
  await reached.promise
  const stopped = runner.stop()
  listen.reject(new Error('Connection terminated unexpectedly'))
  await stopped
  // What nobody awaits is thrown a turn later, and would fail this test.
  for (let turns = 0; turns < 5; turns++) expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(pool.totalCount - pool.idleCount).toBe(0)
})

/** Its LISTEN is on the way until `ends`; everything else goes to the database. */
function holdListen(client: pg.PoolClient, onListen: () => void, ends: Promise<never>): void {
  const query = client.query
  client.query = ((...words: [string, ...unknown[]]) => {
    if (typeof words[0] !== 'string' || !words[0].startsWith('LISTEN')) return Reflect.apply(query, client, words)
    onListen()
    return ends
  }) as typeof client.query
}
