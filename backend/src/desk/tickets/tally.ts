// The running tally behind the badges: a trigger writes +1 and −1 rows, this folds them so that a sum stays a few hundred rows.
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/** Replaces the tally's rows by one row for each combination. Readers see the same sums before and after. */
export async function foldTally(db: Db): Promise<void> {
  await getSql(db)`
    with gone as (delete from ticket_tally returning status, queue_id, user_id, is_group, unread, n)
    insert into ticket_tally (status, queue_id, user_id, is_group, unread, n)
    select status, queue_id, user_id, is_group, unread, sum(n) from gone group by 1, 2, 3, 4, 5 having sum(n) <> 0`
}
