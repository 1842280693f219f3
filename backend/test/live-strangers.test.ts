import { expect, test } from 'bun:test'
import { openDatabase } from '../src/platform/database/client.ts'
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
