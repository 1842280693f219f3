// A move that is stopped between two batches of messages: what came stays, and goes on or goes away (docs/decisions/0319).
import { afterAll, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginMove, goOn, stopMove, undoMove } from '../src/operations/move-in/begin.ts'
import { startMoveInDesk } from './move-in-desk.ts'
import { makeDump, writeText } from './move-in-dump.ts'
import { waitUntil } from './until.ts'

const { sql, here, asker, settle } = await startMoveInDesk()
const TICKETS = 100
const dump = join(tmpdir(), `balcao-stopped-${crypto.randomUUID()}.sql`)
await Bun.write(dump, [...makeDump(TICKETS)].join(''))
afterAll(() => rm(dump))

async function countMessages(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from message`
  return row?.n ?? 0
}

// Who puts the later messages in waits for whoever holds this lock.
const LOCK = 4711
await sql`
  create function wait_for_test() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$`
await sql`
  create trigger wait_for_test before insert on message for each row when (new.body ~ '^Mensagem [45][0-9][0-9] ') execute function wait_for_test()`

/** Stops it with some messages there and others not. */
async function bringPart(): Promise<number> {
  const { id } = await settle(await beginMove(here, asker, { source: 'ticketz', from: { dump }, openTag: 'x' }))
  const holder = await sql.reserve()
  await holder`select pg_advisory_lock(${LOCK})`
  await goOn(here, asker, id)
  const isWaiting = async () =>
    (await sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`).length > 0
  await waitUntil('its next batch waits', isWaiting)
  await stopMove(here, id)
  await holder`select pg_advisory_unlock(${LOCK})`
  holder.release()
  expect((await settle(id)).state).toBe('stopped')
  await waitUntil('nothing works on it', async () => {
    const left = await sql`select 1 from graphile_worker._private_jobs where key like 'job:%'`
    return left.length === 0
  })
  const came = await countMessages()
  expect(came).toBeGreaterThan(0)
  expect(came).toBeLessThan(TICKETS * 5)
  return id
}

test('undone it leaves nothing, and brought again it stops and goes on to its end', async () => {
  await undoMove(here, asker, await bringPart())
  await waitUntil('it is undone', async () => (await sql`select 1 from move_in where state = 'undone'`).length === 1)
  for (const table of ['ticket', 'message', 'contact', 'move_in_link', 'move_in_row', 'ticket_span'])
    expect([table, (await sql`select 1 from ${sql(table)}`).length]).toEqual([table, 0])
  const id = await bringPart()
  await goOn(here, asker, id)
  expect((await settle(id)).state).toBe('done')
  const texts = await sql<{ body: string }[]>`select body from message order by substring(body from '\\d+')::int`
  expect(texts.map(({ body }) => body)).toEqual(Array.from({ length: TICKETS * 5 }, (_, n) => writeText(n + 1)))
  const [order] = await sql`select count(distinct (ticket_id, seq))::int as n, max(seq)::int as most from message`
  expect(order).toEqual({ n: TICKETS * 5, most: 5 })
})
