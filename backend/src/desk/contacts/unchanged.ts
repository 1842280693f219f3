// The people of a batch about whom there is nothing new, found in one statement: in daily work that is nearly everybody.
import type { Peer } from '../../platform/channel/driver.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { hasNewerDetails, type IdentityHint, type NameSource } from './identity.ts'
import { toIdentities } from './names.ts'

export interface ContactHint {
  readonly peer: Peer
  readonly hint: IdentityHint
}

/**
 * For each of the people the contact that has all their names, if it is one contact and nothing is to be learned about it; otherwise
 * null, also of a number that somebody had before: `resolveContact` looks closer. Nothing is locked: whoever stores something for one of them holds it first.
 */
export async function findUnchangedContacts(tx: Tx, people: readonly ContactHint[]): Promise<(number | null)[]> {
  const names = people.map(({ peer }) => toIdentities(peer))
  const flat = names.flatMap((list, at) => list.map(name => ({ ...name, at })))
  if (flat.length === 0) return []
  const rows = await getSql(tx)<Row[]>`
    with found as (
      select n.at, min(i.contact_id) as id
      from unnest(${flat.map(name => name.at)}::int[], ${flat.map(name => name.kind)}::text[], ${flat.map(name => name.value)}::text[]) as n(at, kind, value)
        left join contact_identity i on i.kind = n.kind and i.value = n.value
        left join contact_identity f on n.kind = 'pn' and f.kind = 'former' and f.value = n.value
      group by n.at having count(*) filter (where i.is_proven) = count(*) and count(f.value) = 0 and count(distinct i.contact_id) = 1)
    select f.at, c.id, c.name, c.name_source, c.number from found f join contact c on c.id = f.id
    where c.merged_into is null`
  const found = new Map(rows.map(row => [row.at, row]))
  return people.map(({ peer, hint }, at) => {
    const one = found.get(at)
    return one && !hasNewerDetails(one, peer, hint) ? one.id : null
  })
}

/**
 * Keeps contacts from being merged into others before the transaction is over: what is stored for one meanwhile would be a dead
 * contact's. Gives those that still are.
 */
export async function lockContacts(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await getSql(tx)<{ id: number }[]>`
    select id from contact where id = any(${[...new Set(ids)]}::int[]) and merged_into is null order by id for share`
  return new Set(rows.map(row => row.id))
}

interface Row {
  at: number
  id: number
  name: string
  name_source: NameSource
  number: string | null
}
