import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { openDatabase } from '../src/platform/database/client.ts'
import { describeHolder, openTransactions } from '../src/platform/database/open-transactions.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { appendEvents } from '../src/platform/live/append.ts'
import { readAfter, readCurrentPosition, readIgnoringForeignTransactions } from '../src/platform/live/reader.ts'
import { createTestDatabase } from './database.ts'

const { db, url, beforeDrop } = await createTestDatabase()
const single = openDatabase(url, { max: 1 })
beforeDrop(() => single.$client.end())

test('a prepared transaction, which nobody runs any more, does not hold live events back for ever', async () => {
  const from = await readCurrentPosition(db)
  const sql = getSql(single)
  await sql.unsafe('begin')
  await sql`select pg_current_xact_id()`
  await sql.unsafe(`prepare transaction 'forgotten'`)
  try {
    const event = { event: 'quickAnswer', action: 'delete', version: 1, quickAnswerId: 1 } as const
    await db.transaction(tx => appendEvents(tx, [{ event, audience: { to: 'everyone' } }]))
    // Patient readers wait for whoever could still append.
    expect(await readAfter(db, from, 10)).toHaveLength(0)
    expect((await readIgnoringForeignTransactions(db, from, 10)).map(row => JSON.parse(row.payload))).toEqual([event])
  } finally {
    await sql.unsafe(`rollback prepared 'forgotten'`)
  }
})

test.each([
  ['copia-noturna', /^a transaction of 2 s: "copia-noturna" in "(.+)"$/],
  ['', /^a transaction of 2 s: a client without a name in "(.+)"$/],
])('the log names who holds live events back: %p', async (application, sentence) => {
  const stranger = postgres(url, { max: 1, connection: { application_name: application } })
  try {
    await stranger.begin(async sql => {
      await sql`select pg_current_xact_id()`
      const [own] = await sql<{ name: string }[]>`select current_database() as name`
      const held = (await openTransactions(db, 0)).find(({ database }) => database === own?.name)
      expect(describeHolder(held, 2).match(sentence)?.[1]).toBe(own?.name ?? '')
    })
  } finally {
    await stranger.end()
  }
})

test('one that is gone by then, or hidden from this role, is no name left open', () => {
  for (const held of [undefined, { application: '', database: '', seconds: 3 }])
    expect(describeHolder(held, 2)).not.toMatch(/undefined|null|""/)
})
