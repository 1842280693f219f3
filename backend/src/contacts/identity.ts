// Finds the one contact behind all names the networks know a person by; makes it when it is new, merges when two turn out to be one.
import { digitsOf, phoneVariants } from '@balcao/contract'
import type { Peer } from '../channels/driver.ts'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { mergeContacts } from './merge.ts'
import type { IdentityKind } from './table.ts'

export interface Identity {
  readonly kind: IdentityKind
  readonly value: string
}

export type NameSource = 'none' | 'push' | 'phone' | 'manual'

/** What came with the peer: a name and where it is from. Names given by the team are never overwritten. */
export interface Hint {
  readonly name?: string
  readonly source?: NameSource
}

export interface Resolved {
  readonly id: number
  /** Contacts that ceased to exist because they were this one. */
  readonly merged: readonly number[]
  /** New, renamed or given a number: screens must hear of it. */
  readonly changed: boolean
}

const NAME_LIMIT = 255

/**
 * All names of a peer, in a fixed order so that two transactions never wait for each other crosswise. A Brazilian mobile has two
 * spellings; both are kept, so either finds the contact.
 */
export function identitiesOf(peer: Pick<Peer, 'jid' | 'pn' | 'lid' | 'bsuid' | 'group'>): Identity[] {
  if (peer.group) return [{ kind: 'group', value: peer.jid }]
  const found: Identity[] = []
  if (peer.bsuid) found.push({ kind: 'bsuid', value: peer.bsuid })
  if (peer.lid) found.push({ kind: 'lid', value: bare(peer.lid) })
  if (peer.pn) for (const value of phoneVariants(digitsOf(bare(peer.pn))).sort()) found.push({ kind: 'pn', value })
  if (found.length === 0)
    found.push(
      peer.jid.endsWith('@lid')
        ? { kind: 'lid', value: bare(peer.jid) }
        : { kind: 'pn', value: digitsOf(bare(peer.jid)) },
    )
  return found
}

/** The contact of a peer, made or merged as needed, inside the caller's transaction. */
export async function resolveContact(tx: Tx, peer: Peer, hint: Hint = {}): Promise<Resolved> {
  const names = identitiesOf(peer)
  const known = await contactsOf(tx, names)
  if (known.length === 0) return create(tx, peer, names, hint)
  const [keep, ...others] = known
  if (keep === undefined) throw new Error('unreachable: a list that is not empty has a first')
  for (const other of others) await mergeContacts(tx, keep, other)
  const added = await addIdentities(tx, keep, names)
  const renamed = await learn(tx, keep, peer, hint)
  return { id: keep, merged: others, changed: renamed || others.length > 0 || (added > 0 && others.length > 0) }
}

/** Ids of the contacts that have any of these names, oldest first. */
async function contactsOf(tx: Tx, names: readonly Identity[]): Promise<number[]> {
  const rows = await sqlOf(tx)<{ contact_id: number }[]>`
    select distinct i.contact_id from contact_identity i
    join unnest(${names.map(name => name.kind)}::text[], ${names.map(name => name.value)}::text[]) as wanted(kind, value)
      on i.kind = wanted.kind and i.value = wanted.value
    order by i.contact_id`
  return rows.map(row => row.contact_id)
}

async function create(tx: Tx, peer: Peer, names: readonly Identity[], hint: Hint): Promise<Resolved> {
  const sql = sqlOf(tx)
  const name = clean(hint.name)
  const [made] = await sql<{ id: number }[]>`
    insert into contact (name, name_source, number, is_group)
    values (${name}, ${name ? (hint.source ?? 'push') : 'none'}, ${numberOf(peer)}, ${peer.group}) returning id`
  if (!made) throw new Error('A contact could not be made')
  const added = await addIdentities(tx, made.id, names)
  if (added === names.length) return { id: made.id, merged: [], changed: true }
  // Somebody else made the same person meanwhile: the names decide, ours goes.
  await sql`delete from contact where id = ${made.id}`
  return resolveContact(tx, peer, hint)
}

/** Gives a contact the names it does not have; names that belong to somebody stay there. */
export async function addIdentities(tx: Tx, contactId: number, names: readonly Identity[]): Promise<number> {
  const rows = await sqlOf(tx)`
    insert into contact_identity (kind, value, contact_id)
    select kind, value, ${contactId} from unnest(${names.map(name => name.kind)}::text[], ${names.map(name => name.value)}::text[]) as n(kind, value)
    on conflict do nothing returning 1`
  return rows.length
}

const RANK: Record<NameSource, number> = { none: 0, push: 1, phone: 2, manual: 3 }

/** Whether a peer brings a better name than the contact has, or a number it lacks. The same rule as in `learn`. */
export function tellsNews(
  contact: { readonly name: string; readonly name_source: NameSource; readonly number: string | null },
  peer: Peer,
  hint: Hint,
): boolean {
  if (contact.number === null && numberOf(peer) !== null) return true
  const name = clean(hint.name)
  const isStronger = contact.name_source !== 'manual' && RANK[contact.name_source] <= RANK[hint.source ?? 'push']
  return name !== '' && name !== contact.name && isStronger
}

/** Takes a better name or a number that was unknown. Returns whether anything changed. */
async function learn(tx: Tx, contactId: number, peer: Peer, hint: Hint): Promise<boolean> {
  const name = clean(hint.name)
  const source = hint.source ?? 'push'
  const number = numberOf(peer)
  if (!name && !number) return false
  const weaker = Object.entries(RANK)
    .filter(([, rank]) => rank <= RANK[source])
    .map(([key]) => key)
  const rows = await sqlOf(tx)`
    update contact set
      name = case when ${name} <> '' and name_source = any(${weaker}::text[]) then ${name} else name end,
      name_source = case when ${name} <> '' and name_source = any(${weaker}::text[]) then ${source} else name_source end,
      number = coalesce(number, ${number}), updated_at = now(), version = version + 1
    where id = ${contactId}
      and ((${name} <> '' and name_source = any(${weaker}::text[]) and name_source <> 'manual' and name <> ${name}) or (number is null and ${number}::text is not null))
    returning 1`
  return rows.length > 0
}

function numberOf(peer: Peer): string | null {
  if (peer.group) return null
  if (peer.pn) return digitsOf(bare(peer.pn)) || null
  return /@(s\.whatsapp\.net|c\.us)$/.test(peer.jid) || /^\d+$/.test(peer.jid) ? digitsOf(bare(peer.jid)) || null : null
}

/** A name fit to store: one line, no control characters, of bounded length. */
function clean(name: string | undefined): string {
  return (name ?? '')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(0, NAME_LIMIT)
}

/** `'553198762210:4@s.whatsapp.net'` without device and server. */
function bare(jid: string): string {
  return jid.replace(/[:@].*$/, '')
}
