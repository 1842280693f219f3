// Who is known under a number, with all that a sheet can change of him.
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { hasHiddenTicket } from '../../policy/access/live-tickets.ts'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import { findByNumber } from '../contacts/find-by-number.ts'
import type { NameSource } from '../contacts/identity.ts'
import type { ContactEntry } from './contact-rows.ts'
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

/** Who an entry of a sheet is about, and which of its numbers nobody has. */
export interface ContactMatch {
  readonly known: KnownContact | null
  readonly freeNumbers: readonly string[]
}

/** The contact of each entry, for who brings the sheet: the first that has one of its numbers. */
export async function findKnownContacts(
  db: Db | Tx,
  wanted: readonly Pick<ContactEntry, 'number' | 'otherNumbers'>[],
  reader: AccessContext,
): Promise<ContactMatch[]> {
  const numbers = wanted.map(({ number, otherNumbers }) => [number, ...otherNumbers])
  const found = await findByNumber(db, numbers.flat())
  const known = await loadKnown(db, [...new Set(found.values())], reader)
  let at = 0
  return numbers.map(own => {
    const ids = own.map(() => found.get(at++))
    const [id = 0] = ids.flatMap(one => one ?? [])
    return { known: known.get(id) ?? null, freeNumbers: own.filter((_, place) => ids[place] === undefined) }
  })
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
