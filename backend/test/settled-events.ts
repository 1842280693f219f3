// When live events can be read. What runs on the server counts, in whatever database: until it is over nothing after it is told, and what was told
// before is told again.
import type postgres from 'postgres'
import { waitUntil } from './until.ts'

export async function waitForSettledEvents(sql: postgres.Sql): Promise<void> {
  await waitUntil('nothing older runs', async () => {
    const [open] = await sql`select 1 from live_event where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1`
    return !open
  })
}
