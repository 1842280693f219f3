// Who is known under a number, in whatever form it is written (decisions-2 §14).
import { phoneVariants } from '@balcao/contract'
import { hasHiddenTicket } from '../access/live-tickets.ts'
import type { Reader } from '../access/ticket-facts.ts'
import type { NameSource } from '../contacts/identity.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import type { Redirect } from './delegations.ts'

/** A contact as it stands, as far as a sheet can change it. */
export interface Known {
  readonly id: number
  readonly name: string
  readonly nameSource: NameSource
  readonly number: string | null
  readonly email: string
  readonly answers: boolean
  readonly tagIds: readonly number[]
  readonly redirect: readonly Redirect[]
  /** It has a live ticket that who brings the sheet does not see. */
  readonly isHidden: boolean
}

/** The contact that has each of these numbers, for who brings the sheet; null where nobody has. */
export async function knownBy(db: Db | Tx, numbers: readonly string[], reader: Reader): Promise<(Known | null)[]> {
  const ids = await idsBy(db, numbers)
  const known = await loadKnown(db, [...new Set(ids.values())], reader)
  return numbers.map((_, at) => known.get(ids.get(at) ?? 0) ?? null)
}

/**
 * By any spelling. Who was only ever typed in, without the country's code, is found by that too: such a number of somebody who writes
 * to us may be another country's.
 */
async function idsBy(db: Db | Tx, numbers: readonly string[]): Promise<Map<number, number>> {
  const wanted = numbers.flatMap((number, at) => [
    ...phoneVariants(number).map(value => ({ at, value, isWhole: true })),
    ...nationalForms(number).map(value => ({ at, value, isWhole: false })),
  ])
  const rows = await sqlOf(db)<{ at: number; id: number }[]>`
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
function nationalForms(number: string): string[] {
  if (!/^55\d{10,11}$/.test(number)) return []
  return phoneVariants(number).flatMap(one => [one.slice(2), `0${one.slice(2)}`])
}

async function loadKnown(db: Db | Tx, ids: readonly number[], reader: Reader): Promise<Map<number, Known>> {
  if (ids.length === 0) return new Map()
  const rows = await sqlOf(db)<
    (Omit<Known, 'tagIds' | 'redirect' | 'nameSource'> & {
      source: NameSource
      tags: number[]
      redirects: Redirect[]
    })[]
  >`
    select c.id, c.name, c.name_source as source, c.number, c.email, c.resposta_automatica as answers,
      coalesce(${hasHiddenTicket(sqlOf(db), reader, 'c')}, false) as "isHidden",
      array(select t.tag_id from contact_tag t where t.contact_id = c.id order by t.tag_id) as tags,
      coalesce((select json_agg(json_build_object('queueId', r.queue_id, 'userId', r.user_id) order by r.queue_id) from contact_redirect r where r.contact_id = c.id), '[]'::json) as redirects
    from contact c where c.id = any(${[...ids]}::int[])`
  return new Map(
    rows.map(({ source, tags, redirects, ...row }) => [
      row.id,
      { ...row, nameSource: source, tagIds: tags, redirect: redirects },
    ]),
  )
}
