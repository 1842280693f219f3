import type postgres from 'postgres'

/** How many sessions of this database wait for a lock: those of other databases on the server are other tests'. */
export async function countLockWaits(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return row?.n ?? 0
}
