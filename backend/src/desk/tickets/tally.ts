// The running tally behind the badges: a trigger writes +1 and −1 rows, this folds them so that a sum stays a few hundred rows.
import type { Db, Tx } from '../../platform/database/client.ts'
import { type FoldedPiece, foldInPieces, type TallyPiece } from '../../platform/database/pieces.ts'
import { getSql } from '../../platform/database/raw.ts'
import { ticketTally } from './table.ts'

/** Replaces the tally's rows by one row for each combination. Readers see the same sums before and after. */
export function foldTally(db: Db, signal?: AbortSignal): Promise<void> {
  return foldInPieces(db, signal, ticketTally, foldPiece)
}

async function foldPiece(tx: Tx, { after, last, size }: TallyPiece): Promise<FoldedPiece> {
  const [folded] = await getSql(tx)<FoldedPiece[]>`
    with gone as (
        delete from ticket_tally where id in (
          select id from ticket_tally where id > ${after} and id <= ${last} order by id limit ${size})
        returning id, status, queue_id, user_id, is_group, unread, n),
      kept as (
        insert into ticket_tally (status, queue_id, user_id, is_group, unread, n)
        select status, queue_id, user_id, is_group, unread, sum(n) from gone group by 1, 2, 3, 4, 5 having sum(n) <> 0)
    select count(*)::int as rows, coalesce(max(id), 0)::float8 as last from gone`
  return folded ?? { rows: 0, last }
}
