// Finds the one contact behind all names the networks know a person by; makes it when it is new, merges when two turn out to be one.
import { extractDigits, stripDirectionMarks, truncateText } from '@balcao/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { readAddress, stripAddress } from '../../platform/channel/addresses.ts'
import type { Peer } from '../../platform/channel/driver.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { mergeContacts, orderByHistory } from './merge.ts'
import { hasConflictingIdentity, type Identity, isAccountIdentity, joinPhoneDigits, toIdentities } from './names.ts'
import { releaseNumber, toPastInstant, transferNumber } from './numbers.ts'
import { contactIdentities, contacts } from './table.ts'

export type NameSource = 'none' | 'push' | 'phone' | 'manual'

/** What came with the peer: a name and where it is from, and when it was said (ms). Names given by the team are never overwritten. */
export interface IdentityHint {
  readonly at?: number
  readonly name?: string
  readonly source?: NameSource
}

export interface ResolvedContact {
  readonly id: number
  /** Contacts that ceased to exist because they were this one. */
  readonly merged: readonly number[]
  /** New, renamed or given a number: screens must hear of it. */
  readonly changed: boolean
}

const NAME_LIMIT = 255

/**
 * The contact of a peer who writes, made or merged as needed, inside the caller's transaction: nobody merges or ends it before that
 * is over. Who writes from a number has it: one that an account we know by another name had before is taken from it.
 */
export async function resolveContact(tx: Tx, peer: Peer, hint: IdentityHint = {}): Promise<ResolvedContact> {
  const { at } = hint
  const names = toIdentities(peer)
  const owners = await lockOwners(tx, names)
  const { same, others } = sorted(names, owners)
  const before = movedFrom(names, same)
  const isProven = names.some(isAccountIdentity)
  if (isProven && isOutdated([...before, ...selectPhones(names, others)], at))
    return resolveContact(tx, withoutPhone(peer), hint)
  if (!isProven && (same.length === 0 || isOutdated(selectPhones(names, same), at))) {
    const former = await findFormerOwner(tx, names, at)
    if (former !== null) return { id: former, merged: [], changed: false }
  }
  const [keep, ...merged] = await orderByHistory(tx, toIds(same))
  if (keep === undefined) return create(tx, peer, names, hint, others)
  for (const other of merged) await mergeContacts(tx, keep, other)
  if (isProven) for (const other of others) await transferNumber(tx, names, other.id, keep, at)
  if (before.length > 0) await releaseNumber(tx, keep, before, names, getPeerNumber(peer), at)
  await addIdentities(tx, keep, names, at)
  const renamed = await learn(tx, keep, peer, hint)
  return { id: keep, merged, changed: renamed || before.length > 0 || merged.length > 0 }
}

/**
 * What is told about somebody who does not write: it joins what is known and gives names that were missing. It makes nobody, takes no
 * number from anybody, and gives nobody a second one: such tellings may be of last year. Null: it says nothing we can use.
 */
export async function updateKnownContact(tx: Tx, peer: Peer, hint: IdentityHint = {}): Promise<ResolvedContact | null> {
  const names = toIdentities(peer)
  const owners = await lockOwners(tx, names)
  const { same, others } = sorted(names, owners)
  const [keep, ...merged] = await orderByHistory(tx, toIds(same))
  if (keep === undefined || others.length > 0 || areDifferent(same, names)) return null
  for (const other of merged) await mergeContacts(tx, keep, other)
  await addIdentities(tx, keep, names)
  const renamed = await learn(tx, keep, peer, hint)
  return { id: keep, merged, changed: renamed || merged.length > 0 }
}

/** The numbers an account had that writes from one it did not have. */
function movedFrom(names: readonly Identity[], same: readonly Owner[]): readonly KnownName[] {
  const account = same.find(owner => names.some(name => isAccountIdentity(name) && has(owner, name)))
  return account && hasConflictingIdentity(account.names, names, ['pn'])
    ? account.names.filter(name => name.kind === 'pn')
    : []
}

/** The numbers told that these have. */
function selectPhones(names: readonly Identity[], owners: readonly Owner[]): KnownName[] {
  return owners
    .flatMap(owner => owner.names)
    .filter(({ kind, value }) => kind === 'pn' && names.some(name => name.kind === kind && name.value === value))
}

/** Whether what is said now is older than what is known of these: it came late, and moves nobody. */
function isOutdated(known: readonly KnownName[], at: number | undefined): boolean {
  return at !== undefined && known.some(({ since }) => since > at)
}

/** Somebody by the names of the account alone. */
function withoutPhone({ lid, bsuid }: Peer): Peer {
  return { jid: lid ?? bsuid ?? '', ...(lid && { lid }), ...(bsuid && { bsuid }), group: false }
}

/** Whose number it was when this was said; locked. */
async function findFormerOwner(tx: Tx, names: readonly Identity[], at: number | undefined): Promise<number | null> {
  if (at === undefined) return null
  const [row] = await getSql(tx)<{ id: number }[]>`
    select c.id from contact_identity f join contact c on c.id = f.contact_id and c.merged_into is null
    where f.kind = 'former' and f.value = any(${names.flatMap(({ kind, value }) => (kind === 'pn' ? value : []))}::text[])
      and date_trunc('second', f.created_at) > ${toPastInstant(at)} limit 1 for share of c`
  return row?.id ?? null
}

/** Whether any of these has another number than the others or than what is told. */
function areDifferent(contacts: readonly Owner[], identities: readonly Identity[]): boolean {
  const sets = [identities, ...contacts.map(one => one.names)]
  return sets.some((one, at) => sets.slice(at + 1).some(other => hasConflictingIdentity(one, other, ['pn'])))
}

/** The contact a peer is known as; nothing is made, merged or taken. */
export async function findKnownContact(tx: Tx, peer: Peer): Promise<number | null> {
  const names = toIdentities(peer)
  return sorted(names, await lockOwners(tx, names, true)).same[0]?.id ?? null
}

/** One name for a person that lasts, and all names under which he may have been called so far. */
export async function findPersonNames(tx: Tx, peer: Peer): Promise<{ name: string; names: ReadonlySet<string> }> {
  const identities = toIdentities(peer)
  const [owner] = sorted(identities, await lockOwners(tx, identities, true)).same
  const text = ({ kind, value }: Identity) => `${kind}:${value}`
  return {
    name: identities.slice(0, 1).map(text).join(),
    names: new Set([...identities, ...(owner?.names ?? [])].map(text)),
  }
}

/** A contact with all its names. */
interface Owner {
  readonly id: number
  readonly names: readonly KnownName[]
}

/** `since`: in ms, to the second, as messages have it. */
interface KnownName extends Identity {
  readonly since: number
}

/**
 * Whom the names speak of: `same` are one person, the account's own contact first; `others` only had the number before. An account
 * that nobody has yet is the owner of its number, unless that owner is known as another account.
 */
function sorted(names: readonly Identity[], owners: readonly Owner[]): { same: Owner[]; others: Owner[] } {
  const strength = (owner: Owner) => names.findIndex(name => has(owner, name))
  const same: Owner[] = []
  const others: Owner[] = []
  for (const owner of owners.toSorted((a, b) => strength(a) - strength(b) || a.id - b.id)) {
    const isOne =
      !hasConflictingIdentity(names, owner.names) && same.every(one => !hasConflictingIdentity(one.names, owner.names))
    const list = isOne ? same : others
    list.push(owner)
  }
  return { same, others }
}

/**
 * The contacts that have any of these names, locked so that none is merged before the transaction is over: shared by those who only
 * look, for oneself alone by who may change them.
 */
async function lockOwners(tx: Tx, names: readonly Identity[], isLook = false): Promise<Owner[]> {
  const sql = getSql(tx)
  for (;;) {
    const rows = await sql<{ contact_id: number; kind: Identity['kind']; value: string; since: number }[]>`
      select i.contact_id, i.kind, i.value, extract(epoch from date_trunc('second', i.created_at))::float8 * 1000 as since from contact_identity i where i.kind <> 'former' and i.contact_id in (
        select w.contact_id from contact_identity w
        join unnest(${names.map(name => name.kind)}::text[], ${names.map(name => name.value)}::text[]) as wanted(kind, value)
          on w.kind = wanted.kind and w.value = wanted.value)`
    const found = Map.groupBy(rows, row => row.contact_id)
    const held = await sql<{ id: number }[]>`
      select id from contact where id = any(${[...found.keys()]}::int[]) and merged_into is null order by id for ${isLook ? sql`share` : sql`no key update`}`
    // One that was merged while its lock was waited for has given its names away: look again.
    if (held.length === found.size) return [...found].map(([id, list]) => ({ id, names: list }))
  }
}

/** Whether the contact has this name. */
function has({ names }: Owner, wanted: Identity): boolean {
  return names.some(name => name.kind === wanted.kind && name.value === wanted.value)
}

/**
 * The provider says that somebody we know has new names: they are his, and the number he had finds him but is nobody's address any
 * more. Who is known by his new account name is he; who only had his new number gives it away, if that is another account.
 */
export async function moveKnownContact(tx: Tx, from: Peer, to: Peer, at?: number): Promise<ResolvedContact | null> {
  const [before, now] = [toIdentities(from), toIdentities(to)]
  const owners = await lockOwners(tx, [...before, ...now])
  const isOf = (names: readonly Identity[]) => (owner: Owner) => names.some(name => has(owner, name))
  const [previous] = sorted(before, owners.filter(isOf(before))).same
  if (!previous) return null
  const account = now.filter(isAccountIdentity)
  const met = owners.filter(owner => owner.id !== previous.id && isOf(now)(owner))
  const isHe = (owner: Owner) =>
    isOf(account)(owner) ||
    !(hasConflictingIdentity(account, owner.names) || hasConflictingIdentity(previous.names, owner.names))
  const [keep = previous.id, ...merged] = await orderByHistory(tx, [previous.id, ...toIds(met.filter(isHe))])
  for (const other of merged) await mergeContacts(tx, keep, other)
  for (const other of met) if (!isHe(other)) await transferNumber(tx, now, other.id, keep, at)
  await releaseNumber(tx, keep, before, now, getPeerNumber(to), at)
  await addIdentities(tx, keep, now, at)
  return { id: keep, merged, changed: true }
}

async function create(
  tx: Tx,
  peer: Peer,
  names: readonly Identity[],
  hint: IdentityHint,
  before: readonly Owner[],
): Promise<ResolvedContact> {
  const sql = getSql(tx)
  const name = cleanName(hint.name)
  const [made] = await sql<{ id: number }[]>`
    insert into contact (name, name_source, number, is_group, search_digits)
    values (${name}, ${name ? (hint.source ?? 'push') : 'none'}, ${getPeerNumber(peer)}, ${peer.group}, ${joinPhoneDigits(names)}) returning id`
  if (!made) throw new Error('A contact could not be made')
  for (const other of before) await transferNumber(tx, names, other.id, made.id, hint.at)
  const added = await addIdentities(tx, made.id, names, hint.at)
  if (added === names.length) return { id: made.id, merged: [], changed: true }
  // Somebody else made the same person meanwhile: the names decide, ours goes.
  await sql`delete from contact where id = ${made.id}`
  return resolveContact(tx, peer, hint)
}

/** Gives a contact the names it does not have, known since `at` (ms); names that belong to somebody stay there. */
export async function addIdentities(
  tx: Tx,
  contactId: number,
  names: readonly Identity[],
  at?: number,
  isProven = true,
): Promise<number> {
  const rows = await getSql(tx)`
    insert into contact_identity (kind, value, contact_id, created_at, is_proven)
    select kind, value, ${contactId}, ${toPastInstant(at)}, ${isProven} from unnest(${names.map(name => name.kind)}::text[], ${names.map(name => name.value)}::text[]) as n(kind, value)
    on conflict do nothing returning 1`
  // A number that comes back is no former one.
  await getSql(tx)`
    delete from contact_identity f using contact_identity n
    where f.contact_id = ${contactId} and f.kind = 'former' and n.contact_id = ${contactId} and n.kind = 'pn' and n.value = f.value`
  return rows.length
}

/** The contact writes from these numbers: they are its own, whoever put them there. */
export async function markNumbersProven(tx: Tx, contactId: number, peer: Peer): Promise<void> {
  const { isProven, kind, value, contactId: owner } = contactIdentities
  const values = toIdentities(peer).flatMap(name => (name.kind === 'pn' ? name.value : []))
  await tx
    .update(contactIdentities)
    .set({ isProven: true })
    .where(and(eq(owner, contactId), eq(kind, 'pn'), inArray(value, values), eq(isProven, false)))
}

const RANK: Record<NameSource, number> = { none: 0, push: 1, phone: 2, manual: 3 }

/** What decides whether there is something to learn about a contact. */
interface ContactDetails {
  readonly name: string
  readonly name_source: NameSource
  readonly number: string | null
}

/** A better name than the contact has; one that the team gave is the best. */
function betterName(
  { name, name_source }: ContactDetails,
  hint: IdentityHint,
): { name: string; nameSource: NameSource } | null {
  const [newName, nameSource] = [cleanName(hint.name), hint.source ?? 'push']
  const isStronger = name_source !== 'manual' && RANK[name_source] <= RANK[nameSource]
  return newName !== '' && newName !== name && isStronger ? { name: newName, nameSource } : null
}

/** Whether a peer brings a better name than the contact has, or a number it lacks. */
export function hasNewerDetails(contact: ContactDetails, peer: Peer, hint: IdentityHint): boolean {
  return (contact.number === null && getPeerNumber(peer) !== null) || betterName(contact, hint) !== null
}

/** Takes a better name or a number that was unknown. Returns whether anything changed. */
async function learn(tx: Tx, contactId: number, peer: Peer, hint: IdentityHint): Promise<boolean> {
  const [contact] = await getSql(tx)<
    ContactDetails[]
  >`select name, name_source, number from contact where id = ${contactId}`
  if (!contact || !hasNewerDetails(contact, peer, hint)) return false
  const news = { ...betterName(contact, hint), number: contact.number ?? getPeerNumber(peer), updatedAt: sql`now()` }
  await tx
    .update(contacts)
    .set({ ...news, version: sql`${contacts.version} + 1` })
    .where(eq(contacts.id, contactId))
  return true
}

/** The phone of a peer in digits, where it is told. */
export function getPeerNumber(peer: Peer): string | null {
  if (peer.group) return null
  const { pn } = peer.pn ? peer : readAddress(peer.jid)
  return pn ? extractDigits(stripAddress(pn)) || null : null
}

/** A name fit to store: one line, no control characters, no marks of direction, of bounded length. */
export function cleanName(name: string | undefined): string {
  const line = stripDirectionMarks(name ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
  return truncateText(line, NAME_LIMIT)
}
