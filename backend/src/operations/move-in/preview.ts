// What would come of the rows that lie aside, and what cannot come and why.
import { MOVE_IN_KINDS, type MoveInFault, type MoveInKind, type MoveInPreview } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/** So many names of those that cannot come are shown; of whoever was erased none is kept. */
const NAMED = 5

export async function describeMove(db: Db, { id }: { readonly id: number }): Promise<MoveInPreview> {
  const sql = getSql(db)
  const [counts, faults, [times], [open], companies] = await Promise.all([
    sql<{ kind: MoveInKind; n: number }[]>`
      select kind, count(*)::int as n from move_in_row
      where move_in_id = ${id} and kind = any(${[...MOVE_IN_KINDS]}::text[]) group by kind`,
    sql<{ kind: MoveInKind; fault: MoveInFault; n: number; names: string[] }[]>`
      select kind, coalesce(fault, '') as fault, count(*)::int as n,
        coalesce((array_agg(coalesce(nullif(record->>'name', ''), record->>'shortcut', key) order by key)
          filter (where fault <> 'contactErased'))[1:${NAMED}::int], '{}') as names
      from move_in_row where move_in_id = ${id} and kind = any(${[...MOVE_IN_KINDS]}::text[]) and fault is not null
      group by kind, fault order by kind, fault`,
    sql<{ firstAt: string | null; lastAt: string | null }[]>`
      select min(record->>'at') as "firstAt", max(record->>'at') as "lastAt"
      from move_in_row where move_in_id = ${id} and kind = 'message' and fault is null`,
    sql<{ n: number }[]>`
      select count(*)::int as n from move_in_row
      where move_in_id = ${id} and kind = 'ticket' and fault is null and record->>'isOpen' = 'true'`,
    sql<{ key: string; name: string }[]>`
      select ltrim(key, '0') as key, coalesce(record->>'name', '') as name from move_in_row
      where move_in_id = ${id} and kind = 'company' order by move_in_row.key`,
  ])
  const found = [...faults.map(({ n, ...fault }) => ({ ...fault, count: n })), ...(await countLost(db, id))]
  const left = (kind: MoveInKind) => found.reduce((sum, fault) => sum + (fault.kind === kind ? fault.count : 0), 0)
  const kinds = MOVE_IN_KINDS.map(kind => {
    const all = counts.find(one => one.kind === kind)?.n ?? 0
    return { kind, count: all - left(kind), left: left(kind) }
  })
  const { firstAt = null, lastAt = null } = times ?? {}
  return { kinds, faults: found, firstAt, lastAt, openTickets: open?.n ?? 0, companies: [...companies] }
}

/** Tickets whose contact does not come, and what is of tickets that do not. */
async function countLost(db: Db, id: number): Promise<MoveInPreview['faults']> {
  const lost = await getSql(db)<{ kind: MoveInKind; count: number }[]>`
    with coming as materialized (
      select t.key from move_in_row t join move_in_row c on c.move_in_id = ${id} and c.kind = 'contact' and c.key = t.record->>'contact' and c.fault is null
      where t.move_in_id = ${id} and t.kind = 'ticket' and t.fault is null)
    select m.kind, count(*)::int as count from move_in_row m
    where m.move_in_id = ${id} and m.kind in ('ticket', 'rating', 'message') and m.fault is null
      and not exists (select 1 from coming where coming.key = case when m.kind = 'ticket' then m.key else m.record->>'ticket' end)
    group by m.kind order by m.kind`
  return lost.map(({ kind, count }) => ({
    ...{ kind, count, names: [] },
    fault: kind === 'ticket' ? 'contactMissing' : 'ticketMissing',
  }))
}
