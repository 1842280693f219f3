// The people of a batch about whom there is nothing new, found in one statement: in daily work that is nearly everybody.
import type { Peer } from '../channels/driver.ts'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { type Hint, type NameSource, tellsNews } from './identity.ts'
import { identitiesOf } from './names.ts'

export interface Person {
  readonly peer: Peer
  readonly hint: Hint
}

/**
 * For each of the people the contact that has all their names, if it is one contact and nothing is to be learned about it; otherwise
 * null: `resolveContact` looks closer. Those found are not merged into others before the transaction is over: what is stored for
 * them now would be a dead contact's.
 */
export async function familiarContacts(tx: Tx, people: readonly Person[]): Promise<(number | null)[]> {
  const names = people.map(({ peer }) => identitiesOf(peer))
  const flat = names.flatMap((list, at) => list.map(name => ({ ...name, at })))
  if (flat.length === 0) return []
  const rows = await sqlOf(tx)<Row[]>`
    select n.at, c.id, c.name, c.name_source, c.number
    from unnest(${flat.map(name => name.at)}::int[], ${flat.map(name => name.kind)}::text[], ${flat.map(name => name.value)}::text[]) as n(at, kind, value)
      join contact_identity i on i.kind = n.kind and i.value = n.value
      join contact c on c.id = i.contact_id
    where c.merged_into is null order by c.id for share of c`
  const found = Map.groupBy(rows, row => row.at)
  return people.map(({ peer, hint }, at) => {
    const known = found.get(at) ?? []
    const [one] = known
    const isAll = known.length === names[at]?.length && known.every(row => row.id === one?.id)
    return one && isAll && !tellsNews(one, peer, hint) ? one.id : null
  })
}

interface Row {
  at: number
  id: number
  name: string
  name_source: NameSource
  number: string | null
}
