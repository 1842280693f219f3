// Writes what was decided about some contacts, in the caller's transaction: a few statements, however many contacts.
import { type FieldChange, LIVE_STATUSES, listPhoneVariants } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvent } from '../../platform/live/append.ts'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import { type LogRecord, writeLogs } from '../../policy/log/write.ts'
import { joinPhoneDigits, toPhoneIdentities } from '../contacts/names.ts'
import { publishContactEvents } from '../contacts/present.ts'
import type { ContactEntry } from './contact-rows.ts'
import type { ContactChange, ImportDecision, ImportSource } from './decide.ts'
import { type ContactMatch, findKnownContacts } from './known.ts'

/** Somebody else wrote the same people meanwhile: the transaction is to be undone, and they are looked at anew. */
export class ConcurrentWriteError extends Error {}

/** So many in one act are told one by one; of more who lists contacts is told that there are others. */
export const TOLD_SINGLY = 100

interface Storing {
  readonly source: ImportSource
  readonly userId: number
  readonly tagIdOf: (name: string) => number | undefined
  /** Contacts of the whole act. */
  readonly total: number
}

/** Who is known under these numbers, kept from other changes until the transaction is over. Throws `Raced`. */
export async function lockKnownContacts(
  tx: Tx,
  wanted: readonly ContactEntry[],
  reader: AccessContext,
): Promise<ContactMatch[]> {
  const found = await findKnownContacts(tx, wanted, reader)
  const ids = toIds(found.flatMap(({ known }) => known ?? []))
  // Nobody to be kept from others; who comes meanwhile is met at the unique names.
  if (ids.length === 0) return found
  const held = await getSql(tx)<{ id: number }[]>`
    select id from contact where id = any(${ids}::int[]) and merged_into is null order by id for no key update`
  const matches = await findKnownContacts(tx, wanted, reader)
  const holds = new Set(toIds(held))
  if (matches.some(({ known }) => known !== null && !holds.has(known.id))) throw new ConcurrentWriteError()
  return matches
}

/** Throws `Raced`. */
export async function storeContacts(tx: Tx, decisions: readonly ImportDecision[], storing: Storing): Promise<void> {
  const created = decisions.filter(one => one.fate === 'created')
  const updated = decisions.filter(one => one.fate === 'updated')
  const ids = await insert(
    tx,
    created.map(one => one.change),
    storing,
  )
  await update(tx, updated, storing)
  const all = [
    ...created.flatMap(({ change }) => ({ change, id: ids.get(change.number ?? '') ?? 0 })),
    ...updated.map(({ change, known }) => ({ change, id: known.id })),
  ]
  await addTags(tx, all, storing)
  await setRedirects(tx, all)
  const { userId } = storing
  await writeLogs(tx, [
    ...[...ids.values()].map((contactId): LogRecord => ({ action: 'contact.create', userId, contactId })),
    ...updated.map(
      (one): LogRecord => ({
        ...{ action: 'contact.update', userId, contactId: one.known.id },
        params: { changes: listFieldChanges(one) },
      }),
    ),
  ])
  await publishContactChanges(
    tx,
    [...ids.values()],
    updated.map(({ known }) => known.id),
    storing.total,
  )
}

/** Tells what changed: each by itself where they are few, and always those who stand in lists of tickets. */
export async function publishContactChanges(
  tx: Tx,
  created: readonly number[],
  updated: readonly number[],
  total: number,
): Promise<void> {
  if (total <= TOLD_SINGLY) {
    await publishContactEvents(tx, created, 'create')
    await publishContactEvents(tx, updated, 'update')
    return
  }
  await publishShownContacts(tx, updated)
  if (created.length + updated.length > 0) await publishContactReload(tx)
}

/** Of these contacts those who stand in the lists of tickets. */
export async function publishShownContacts(tx: Tx, ids: readonly number[]): Promise<void> {
  const shown = await getSql(tx)<{ id: number }[]>`
    select distinct t.contact_id as id from ticket t
    where t.contact_id = any(${[...ids]}::int[]) and t.status = any(${[...LIVE_STATUSES]}::text[])`
  await publishContactEvents(tx, toIds(shown), 'update')
}

/** Who lists contacts is to ask anew. */
export function publishContactReload(tx: Tx): Promise<void> {
  return appendEvent(tx, { to: 'everyone' }, { event: 'contact', action: 'reload', version: 0 })
}

/** The new contacts by their numbers. Numbers go in by their order, as everybody puts them in. */
async function insert(tx: Tx, changes: readonly ContactChange[], { source }: Storing): Promise<Map<string, number>> {
  if (changes.length === 0) return new Map()
  const sql = getSql(tx)
  const column = <T>(of: (change: ContactChange) => T) => changes.map(of)
  const made = await sql<{ id: number; number: string }[]>`
    insert into contact (name, name_source, number, email, resposta_automatica, search_digits)
    select n.name, case when n.name = '' then 'none' else ${source === 'phone' ? 'phone' : 'manual'} end, n.number, n.email, n.answers, n.digits
    from unnest(${column(one => one.name ?? '')}::text[], ${column(one => one.number ?? '')}::text[], ${column(one => one.email ?? '')}::text[],
      ${column(one => String(one.answers ?? true))}::text[]::boolean[], ${column(one => joinPhoneDigits(listNumbers(one).flatMap(toPhoneIdentities)))}::text[])
      as n(name, number, email, answers, digits)
    returning id, coalesce(number, '') as number`
  const ids = new Map(made.map(({ id, number }) => [number, id]))
  const names = changes.flatMap(one => toNames(ids.get(one.number ?? '') ?? 0, listNumbers(one), false))
  if ((await addNumbers(tx, names)) < names.length) throw new ConcurrentWriteError()
  return ids
}

function listNumbers({ number, otherNumbers }: ContactChange): string[] {
  return [...(number === null ? [] : [number]), ...otherNumbers]
}

interface AddedNumber {
  readonly id: number
  readonly value: string
  /** Another spelling of the number that the contact has. */
  readonly isSame: boolean
}

function toNames(id: number, numbers: readonly string[], isSame: boolean): AddedNumber[] {
  return numbers.flatMap(listPhoneVariants).map(value => ({ id, value, isSame }))
}

/** Whoever was talked to is not written to at a number of the sheet before that is proven (docs/decisions/0265). */
async function addNumbers(tx: Tx, names: readonly AddedNumber[]): Promise<number> {
  const rows = await getSql(tx)`
    insert into contact_identity (kind, value, contact_id, is_proven)
    select 'pn', n.value, n.id, n.same or not exists (select from ticket t where t.contact_id = n.id)
    from unnest(${names.map(one => one.id)}::int[], ${names.map(one => one.value)}::text[], ${names.map(one => String(one.isSame))}::text[]::boolean[])
      as n(id, value, same)
    order by n.value on conflict do nothing returning 1`
  return rows.length
}

async function update(tx: Tx, updated: readonly (ImportDecision & { fate: 'updated' })[], { source }: Storing) {
  if (updated.length === 0) return
  const column = <T>(of: (change: ContactChange) => T) => updated.map(one => of(one.change))
  await getSql(tx)`
    update contact c set
      name = coalesce(u.name, c.name), name_source = case when u.name is null then c.name_source else ${source === 'phone' ? 'phone' : 'manual'} end,
      number = coalesce(u.number, c.number), email = coalesce(u.email, c.email),
      resposta_automatica = coalesce(u.answers, c.resposta_automatica), updated_at = now(), version = c.version + 1
    from unnest(${updated.map(one => one.known.id)}::int[], ${column(one => one.name)}::text[], ${column(one => one.number)}::text[],
      ${column(one => one.email)}::text[], ${column(one => one.answers?.toString() ?? null)}::text[]::boolean[]) as u(id, name, number, email, answers)
    where c.id = u.id`
  // Who had only a number without the country's code is found by the whole one from now on.
  const added = updated.flatMap(({ known, change: { number, otherNumbers } }) => [
    ...toNames(known.id, number === null ? [] : [number], known.number !== null),
    ...toNames(known.id, otherNumbers, false),
  ])
  if (added.length > 0) await addNumbers(tx, added)
}

async function addTags(
  tx: Tx,
  all: readonly { readonly id: number; readonly change: ContactChange }[],
  { tagIdOf }: Storing,
): Promise<void> {
  const pairs = all.flatMap(({ id, change }) => change.tags.flatMap(name => ({ id, tagId: tagIdOf(name) ?? [] })))
  const known = pairs.flatMap(({ id, tagId }) => (typeof tagId === 'number' ? { id, tagId } : []))
  if (known.length === 0) return
  await getSql(tx)`
    insert into contact_tag (contact_id, tag_id)
    select p.contact_id, p.tag_id from unnest(${known.map(one => one.id)}::int[], ${known.map(one => one.tagId)}::int[]) as p(contact_id, tag_id)
    on conflict do nothing`
}

async function setRedirects(
  tx: Tx,
  all: readonly { readonly id: number; readonly change: ContactChange }[],
): Promise<void> {
  const set = all.filter(({ change }) => change.redirect !== null)
  if (set.length === 0) return
  const sql = getSql(tx)
  const rows = set.flatMap(({ id, change }) => (change.redirect ?? []).map(one => ({ ...one, id })))
  await sql`delete from contact_redirect where contact_id = any(${set.map(one => one.id)}::int[])`
  await sql`
    insert into contact_redirect (contact_id, queue_id, user_id)
    select r.contact_id, r.queue_id, r.user_id
    from unnest(${rows.map(one => one.id)}::int[], ${rows.map(one => one.queueId)}::int[], ${rows.map(one => one.userId)}::int[])
      as r(contact_id, queue_id, user_id)`
}

/** As the log says changes: of an e-mail only that there is another one. */
function listFieldChanges({ change, known }: ImportDecision & { fate: 'updated' }): FieldChange[] {
  const changes: FieldChange[] = []
  if (change.name !== null) changes.push({ field: 'name', from: known.name, to: change.name })
  if (change.number !== null) changes.push({ field: 'number', from: known.number, to: change.number })
  if (change.otherNumbers.length > 0) changes.push({ field: 'number', to: change.otherNumbers.join(', ') })
  if (change.answers !== null) changes.push({ field: 'respostaAutomatica', from: known.answers, to: change.answers })
  if (change.tags.length > 0) changes.push({ field: 'tags', to: change.tags.join(', ') })
  if (change.redirect !== null) changes.push({ field: 'redirect', from: known.redirect, to: change.redirect })
  if (change.email !== null) changes.push({ field: 'email' })
  return changes
}
