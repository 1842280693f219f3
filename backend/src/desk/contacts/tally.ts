// How many contacts there are, by a running tally: triggers write +1 and −1 rows, a job folds them.
import type { Db, Tx } from '../../platform/database/client.ts'
import { type FoldedPiece, foldInPieces, type TallyPiece } from '../../platform/database/pieces.ts'
import { getSql } from '../../platform/database/raw.ts'
import { contactTally } from './table.ts'

/** All contacts, or all but groups. */
export async function countContacts(db: Db, withGroups: boolean): Promise<number> {
  const [row] = await getSql(db)<{ n: number }[]>`
    select coalesce(sum(n), 0)::int as n from contact_tally where not is_group or ${withGroups}`
  return row?.n ?? 0
}

/** Replaces the tally's rows by one for people and one for groups. Readers see the same sums before and after. */
export function foldContactTally(db: Db, signal?: AbortSignal): Promise<void> {
  return foldInPieces(db, signal, contactTally, foldPiece)
}

async function foldPiece(tx: Tx, { after, last, size }: TallyPiece): Promise<FoldedPiece> {
  const [folded] = await getSql(tx)<FoldedPiece[]>`
    with gone as (
        delete from contact_tally where id in (
          select id from contact_tally where id > ${after} and id <= ${last} order by id limit ${size})
        returning id, is_group, n),
      kept as (
        insert into contact_tally (is_group, n) select is_group, sum(n) from gone group by is_group having sum(n) <> 0)
    select count(*)::int as rows, coalesce(max(id), 0)::float8 as last from gone`
  return folded ?? { rows: 0, last }
}
