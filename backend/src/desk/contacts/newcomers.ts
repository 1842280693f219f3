// The people of a batch whom nobody knows by any name, made in one statement: on a busy morning these are many.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { cleanName, getPeerNumber } from './identity.ts'
import { type Identity, joinPhoneDigits, toIdentities } from './names.ts'
import { toPastInstant } from './numbers.ts'
import type { ContactHint } from './unchanged.ts'

/**
 * For each of these people the contact that was made; null where a name is known, also as one that somebody had before, or is told of
 * two of them: `resolveContact` looks closer. Of who appears at the same moment elsewhere nothing is made here.
 */
export async function createNewcomers(tx: Tx, people: readonly ContactHint[]): Promise<(number | null)[]> {
  const names = people.map(({ peer }) => toIdentities(peer))
  const byIdentity = Map.groupBy(names.flat(), toKey)
  const rows = people.flatMap(({ peer, hint }, place) => {
    const own = names[place] ?? []
    if (own.length === 0 || own.some(name => byIdentity.get(toKey(name))?.length !== 1)) return []
    const name = cleanName(hint.name)
    const source = name ? (hint.source ?? 'push') : 'none'
    const digits = joinPhoneDigits(own)
    const since = toPastInstant(hint.at)
    return { place, name, source, number: getPeerNumber(peer), is_group: peer.group, digits, names: own, since }
  })
  if (rows.length === 0) return people.map(() => null)
  const taken = rows.flatMap(({ place, names: own }) =>
    own.flatMap(one => toTakenNames(one).map(name => ({ ...name, place }))),
  )
  const sql = getSql(tx)
  const made = await sql<{ place: number; id: number; isWhole: boolean }[]>`
    with told as (
      select x.*, row_number() over (order by x.place) as nth from jsonb_to_recordset(${toJsonbText(rows)}::jsonb)
        as x(place int, name text, source text, number text, is_group boolean, digits text, names jsonb, since timestamptz)
      where x.place not in (
        select n.place from unnest(${taken.map(({ place }) => place)}::int[], ${taken.map(({ kind }) => kind)}::text[], ${taken.map(({ value }) => value)}::text[]) as n(place, kind, value)
          join contact_identity i on i.kind = n.kind and i.value = n.value)),
    made as (
      insert into contact (name, name_source, number, is_group, search_digits)
      select name, source, number, is_group, digits from told order by place returning id),
    numbered as (
      select t.place, t.names, t.since, m.id from told t
        join (select id, row_number() over (order by id) as nth from made) m on m.nth = t.nth),
    named as (
      insert into contact_identity (kind, value, contact_id, created_at)
      select n.kind, n.value, w.id, w.since from numbered w cross join jsonb_to_recordset(w.names) as n(kind text, value text)
      order by n.kind, n.value on conflict do nothing returning contact_id)
    select w.place, w.id, (select count(*) from named n where n.contact_id = w.id) = jsonb_array_length(w.names) as "isWhole" from numbered w`
  // Somebody else made the same person meanwhile: the names decide, ours goes.
  const beaten = made.filter(one => !one.isWhole).map(({ id }) => id)
  if (beaten.length > 0) await sql`delete from contact where id = any(${beaten}::int[])`
  const found = new Map(made.flatMap(({ place, id, isWhole }) => (isWhole ? [[place, id] as const] : [])))
  return people.map((_, place) => found.get(place) ?? null)
}

/** How somebody may have had a name already: a number may have been left. */
function toTakenNames({ kind, value }: Identity): Identity[] {
  return kind === 'pn'
    ? [
        { kind, value },
        { kind: 'former', value },
      ]
    : [{ kind, value }]
}

function toKey({ kind, value }: Identity): string {
  return `${kind}:${value}`
}
