// How many contacts there are, by a running tally: triggers write +1 and −1 rows, a job folds them.
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/** All contacts, or all but groups. */
export async function countContacts(db: Db, withGroups: boolean): Promise<number> {
  const [row] = await getSql(db)<{ n: number }[]>`
    select coalesce(sum(n), 0)::int as n from contact_tally where not is_group or ${withGroups}`
  return row?.n ?? 0
}

/** Replaces the tally's rows by one for people and one for groups. Readers see the same sums before and after. */
export async function foldContactTally(db: Db): Promise<void> {
  await getSql(db)`
    with gone as (delete from contact_tally returning is_group, n)
    insert into contact_tally (is_group, n) select is_group, sum(n) from gone group by is_group having sum(n) <> 0`
}
