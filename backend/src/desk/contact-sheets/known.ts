// Who is known under a number, with all that a sheet can change of him.
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { hasHiddenTicket } from '../../policy/access/live-tickets.ts'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import { findByNumber } from '../contacts/find-by-number.ts'
import type { NameSource } from '../contacts/identity.ts'
import type { Redirect } from './delegations.ts'

/** A contact as it stands, as far as a sheet can change it. */
export interface KnownContact {
  readonly id: number
  readonly name: string
  readonly nameSource: NameSource
  readonly number: string | null
  readonly email: string
  readonly answers: boolean
  /** Their names in small letters. */
  readonly tags: readonly string[]
  readonly redirect: readonly Redirect[]
  /** It has a live ticket that who brings the sheet does not see. */
  readonly isHidden: boolean
}

/** The contact that has each of these numbers, for who brings the sheet; null where nobody has. */
export async function findKnownContacts(
  db: Db | Tx,
  numbers: readonly string[],
  reader: AccessContext,
): Promise<(KnownContact | null)[]> {
  const ids = await findByNumber(db, numbers)
  const known = await loadKnown(db, [...new Set(ids.values())], reader)
  return numbers.map((_, at) => known.get(ids.get(at) ?? 0) ?? null)
}

async function loadKnown(
  db: Db | Tx,
  ids: readonly number[],
  reader: AccessContext,
): Promise<Map<number, KnownContact>> {
  if (ids.length === 0) return new Map()
  const rows = await getSql(db)<
    (Omit<KnownContact, 'tags' | 'redirect' | 'nameSource'> & {
      source: NameSource
      tags: string[]
      redirects: Redirect[]
    })[]
  >`
    select c.id, c.name, c.name_source as source, c.number, c.email, c.resposta_automatica as answers,
      coalesce(${hasHiddenTicket(getSql(db), reader, 'c')}, false) as "isHidden",
      array(select lower(g.name) from contact_tag t join tag g on g.id = t.tag_id where t.contact_id = c.id order by g.id) as tags,
      coalesce((select json_agg(json_build_object('queueId', r.queue_id, 'userId', r.user_id) order by r.queue_id) from contact_redirect r where r.contact_id = c.id), '[]'::json) as redirects
    from contact c where c.id = any(${[...ids]}::int[])`
  return new Map(
    rows.map(({ source, redirects, ...row }) => [row.id, { ...row, nameSource: source, redirect: redirects }]),
  )
}
