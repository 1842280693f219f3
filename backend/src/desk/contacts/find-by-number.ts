// Who is known under a number, in whatever form it is written (decisions-2 §14).
import { listPhoneVariants } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/**
 * The contact of each number, by its place; by any spelling. Who was only ever typed in, without the country's code, is found by that
 * too: such a number of somebody who writes to us may be another country's.
 */
export async function findByNumber(db: Db | Tx, numbers: readonly string[]): Promise<ReadonlyMap<number, number>> {
  const wanted = numbers.flatMap((number, at) => [
    ...listPhoneVariants(number).map(value => ({ at, value, isWhole: true })),
    ...toNationalForms(number).map(value => ({ at, value, isWhole: false })),
  ])
  const rows = await getSql(db)<{ at: number; id: number }[]>`
    select distinct on (w.at) w.at, c.id
    from unnest(${wanted.map(one => one.at)}::int[], ${wanted.map(one => one.value)}::text[], ${wanted.map(one => String(one.isWhole))}::text[]::boolean[])
        as w(at, value, is_whole)
      join contact_identity i on i.kind = 'pn' and i.value = w.value
      join contact c on c.id = i.contact_id and c.merged_into is null
    where w.is_whole or not exists (select 1 from contact_channel h where h.contact_id = c.id)
      and not exists (select 1 from contact_identity a where a.contact_id = c.id and a.kind in ('lid', 'bsuid'))
    order by w.at, w.is_whole desc, c.id`
  return new Map(rows.map(({ at, id }) => [at, id]))
}

/** A Brazilian number as it is typed without the country's code. */
function toNationalForms(number: string): string[] {
  if (!/^55\d{10,11}$/.test(number)) return []
  return listPhoneVariants(number).flatMap(one => [one.slice(2), `0${one.slice(2)}`])
}
