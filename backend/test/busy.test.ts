// What meets a row that somebody holds for a moment is done all the same, and not told that the desk is busy.
import { expect, test } from 'bun:test'
import { startDeskServer } from './desk-server.ts'
import { makePerson } from './desk-world.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin' })
const marina = await server.as('Marina')

/** Since when each transaction that waits for a lock has been going on. */
async function waiting(): Promise<string[]> {
  const rows = await sql<{ since: string }[]>`
    select xact_start::text as since from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return rows.map(({ since }) => since)
}

test('a person is added though the row of who adds is held for longer than a lock is waited for', async () => {
  const held = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const holding = db.transaction(async tx => {
    await tx.execute(`select 1 from "user" where id = ${marinaId} for update`)
    held.resolve()
    await done.promise
  })
  await held.promise
  const adding = marina.call('POST', '/users', { name: 'Rita', email: 'rita@saojose.example', profile: 'user' })
  let first = ''
  await waitUntil('it waits', async () => {
    first = (await waiting())[0] ?? ''
    return first !== ''
  })
  await waitUntil('it waits again', async () => (await waiting()).some(since => since !== first))
  done.resolve()
  await holding
  expect((await adding).status).toBe(201)
})
