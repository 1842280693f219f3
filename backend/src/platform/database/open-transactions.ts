// Who has written and not yet committed, anywhere on the database's server: live readers may have to wait for them.
import type { Db } from './client.ts'
import { getSql } from './raw.ts'

export interface OpenTransaction {
  readonly application: string
  readonly database: string
  readonly seconds: number
}

/** Those that have been open for longer, the oldest first. */
export async function openTransactions(db: Db, longerThanS: number): Promise<readonly OpenTransaction[]> {
  return getSql(db)<OpenTransaction[]>`
    select coalesce(application_name, '') as application, coalesce(datname, '') as database,
      extract(epoch from clock_timestamp() - xact_start)::int as seconds
    from pg_stat_activity
    where backend_xid is not null and xact_start < clock_timestamp() - make_interval(secs => ${longerThanS})
    order by xact_start`
}

/** Who holds live events back, for the log: nobody's name is left open. */
export function describeHolder(oldest: OpenTransaction | undefined, longerThanS: number): string {
  const held = `a transaction of ${longerThanS} s`
  if (!oldest) return `${held}, which has just ended or is of a role that this one may not see (pg_read_all_stats)`
  const { application, database } = oldest
  return `${held}: ${application ? `"${application}"` : 'a client without a name'} in ${database ? `"${database}"` : 'no database'}`
}
