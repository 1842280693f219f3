// What is asked of the live log after every change: whoever has read it to its end reads nothing of it again, however long it is.
import { expect, test } from 'bun:test'
import { measureGap } from '../src/platform/live/reader.ts'
import { createTestDatabase } from './database.ts'
import { countRowsRead, createRecorder, PLAN_MODES } from './recorded-plans.ts'

const { db, url } = await createTestDatabase()
const sql = db.$client

const append = (many: number) => sql`
  insert into live_event (audience, payload) select '{}', repeat('x', 800) from generate_series(1, ${many})`

for (const mode of PLAN_MODES)
  test(`where nothing is new no event of before is read, ${mode}`, async () => {
    await append(2000)
    await sql`analyze live_event`
    for (let n = 0; n < 5; n++) await append(2000)
    const [last] = await sql<{ xid: string; id: number }[]>`
      select xid::text as xid, id::float8 as id from live_event order by live_event.xid desc, live_event.id desc limit 1`
    const recorder = createRecorder(url, mode)
    try {
      const nodes = await recorder.nodesOf(() => measureGap(recorder.db, last ?? { xid: '0', id: 0 }, 1000))
      expect(nodes.length).toBeGreaterThan(3)
      expect(nodes.reduce((sum, node) => sum + countRowsRead(node), 0)).toBeLessThan(20)
    } finally {
      await recorder.end()
    }
  })
