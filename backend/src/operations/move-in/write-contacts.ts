// Contacts of the other desk. Whoever is known here by the same number, account or group stays as they are.

import { findByNumber } from '../../desk/contacts/find-by-number.ts'
import { type Identity, joinPhoneDigits, toPhoneIdentities } from '../../desk/contacts/names.ts'
import { NOBODY } from '../../desk/contacts/table.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { lockContacts, storeLinks } from './links.ts'
import type { ContactRecord } from './records.ts'
import { linkPairs } from './write-team.ts'
import { createLinkedStep, createStep, type MoveInWriting, type StagedEntry } from './writing.ts'

/** Somebody wrote to the desk meanwhile and is known now: the batch is undone, and done again. */
export class MetMeanwhileError extends Error {}

export const contactStep = createLinkedStep('contact', async (tx, _, rows) => {
  const known = await findKnown(tx, rows)
  const missing = new Map<string, StagedEntry<'contact'>>()
  for (const row of rows) {
    const address = nameAddress(row.record)
    if (!known.has(address) && !missing.has(address)) missing.set(address, row)
  }
  const made = await insertContacts(tx, [...missing])
  return rows.flatMap(({ key, record }) => {
    const address = nameAddress(record)
    const fresh = made.get(address)
    // The others of the same number are that contact.
    made.delete(address)
    const ownId = fresh ?? known.get(address)
    if (ownId !== undefined) known.set(address, ownId)
    return ownId === undefined ? [] : [{ key, ownId, isNew: fresh !== undefined }]
  })
})

/** One name for whom a record speaks of, whatever the spelling of the number. */
function nameAddress(record: ContactRecord): string {
  return toNames(record).map(({ kind, value }) => `${kind}:${value}`)[0] ?? ''
}

function toNames({ number, lid, group }: ContactRecord): Identity[] {
  if (group !== null) return [{ kind: 'group', value: group }]
  return lid === null ? toPhoneIdentities(number ?? '') : [{ kind: 'lid', value: lid }]
}

async function findKnown(tx: Tx, rows: readonly StagedEntry<'contact'>[]): Promise<Map<string, number>> {
  const known = new Map<string, number>()
  const numbered = rows.filter(({ record }) => record.number !== null)
  const byNumber = await findByNumber(
    tx,
    numbered.map(({ record }) => record.number ?? ''),
  )
  for (const [at, id] of byNumber) known.set(nameAddress(numbered[at]?.record ?? NO_RECORD), id)
  const names = rows.flatMap(({ record }) => (record.number === null ? toNames(record) : []))
  const found = await getSql(tx)<{ kind: string; value: string; id: number }[]>`
    select i.kind, i.value, i.contact_id as id from unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ value }) => value)}::text[]) as n(kind, value)
      join contact_identity i on i.kind = n.kind and i.value = n.value`
  for (const { kind, value, id } of found) known.set(`${kind}:${value}`, id)
  return known
}

const NO_RECORD: ContactRecord = { name: '', email: '', number: null, local: null, lid: null, group: null }

/** The new ones, by their addresses. Throws `MetMeanwhileError`. */
async function insertContacts(
  tx: Tx,
  missing: readonly (readonly [string, StagedEntry<'contact'>])[],
): Promise<Map<string, number>> {
  if (missing.length === 0) return new Map()
  const sql = getSql(tx)
  const ids = toIds(
    await sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('contact', 'id'))::int as id from generate_series(1, ${missing.length}::int)`,
  )
  const people = missing.map(([, { record }], at) => {
    const names = toNames(record)
    return { ...record, id: ids[at], names, digits: joinPhoneDigits(names), isGroup: record.group !== null }
  })
  await sql`
    insert into contact (id, name, name_source, number, email, is_group, search_digits) overriding system value
    select x.id, x.name, case when x.name = '' then 'none' else 'manual' end, x.number, x.email, x."isGroup", x.digits
    from jsonb_to_recordset(${JSON.stringify(people)}::text::jsonb) as x(id int, name text, number text, email text, "isGroup" boolean, digits text)`
  const names = people.flatMap(person => person.names.map(name => ({ ...name, id: person.id })))
  const stored = await sql`
    insert into contact_identity (kind, value, contact_id)
    select x.kind, x.value, x.id from jsonb_to_recordset(${JSON.stringify(names)}::text::jsonb) as x(kind text, value text, id int)
    order by x.kind, x.value on conflict do nothing returning 1`
  if (stored.length < names.length) throw new MetMeanwhileError()
  return new Map(missing.map(([address], at) => [address, ids[at] ?? 0]))
}

/** What WhatsApp shows in place of a number finds the contact as well; what this gave the contact is taken from it with the move. */
export const accountStep = createStep('account', async (tx, writing, rows) => {
  const contacts = await lockContacts(
    tx,
    writing,
    rows.map(({ record }) => record.contact),
  )
  const names = rows.flatMap(({ record: { contact, lid } }) => {
    const id = contacts.get(contact)
    return id === undefined ? [] : [{ id, lid }]
  })
  const stored = await getSql(tx)<{ key: string; ownId: number }[]>`
    insert into contact_identity (kind, value, contact_id)
    select 'lid', n.lid, n.id from unnest(${names.map(({ lid }) => lid)}::text[], ${names.map(({ id }) => id)}::int[]) as n(lid, id)
    order by n.lid on conflict do nothing returning value as key, contact_id as "ownId"`
  await storeLinks(
    tx,
    writing,
    'account',
    stored.map(link => ({ ...link, isNew: true })),
  )
  return {}
})

export const contactTagStep = createStep('contactTag', async (tx, writing, rows) => {
  await tagContacts(tx, writing, await linkPairs(tx, writing, rows, 'tag', 'contact'))
  return {}
})

/** Tags are the contacts' here. */
export const ticketTagStep = createStep('ticketTag', async (tx, writing, rows) => {
  const pairs = await linkPairs(tx, writing, rows, 'tag', 'ticket')
  const contacts = await getSql(tx)<{ ticketId: number; id: number }[]>`
    select id as "ticketId", contact_id as id from ticket where id = any(${pairs.map(({ other }) => other)}::int[])`
  const ids = new Map(contacts.map(({ ticketId, id }) => [ticketId, id]))
  await tagContacts(
    tx,
    writing,
    pairs.flatMap(({ one, other }) => ({ one, other: ids.get(other) ?? 0 })),
  )
  return {}
})

/** Puts a tag (`one`) on a contact (`other`); what this gave the contact is taken from it with the move. */
export async function tagContacts(
  tx: Tx,
  { id, origin }: Pick<MoveInWriting, 'id' | 'origin'>,
  pairs: readonly { readonly one: number; readonly other: number }[],
): Promise<void> {
  if (pairs.length === 0) return
  await getSql(tx)`
    with put as (
      insert into contact_tag (tag_id, contact_id)
      select distinct g.id, coalesce(c.merged_into, c.id)
      from unnest(${pairs.map(({ one }) => one)}::int[], ${pairs.map(({ other }) => other)}::int[]) as p(one, other)
        join tag g on g.id = p.one join contact c on c.id = p.other and c.merged_into is distinct from ${NOBODY}
      on conflict do nothing returning tag_id, contact_id)
    insert into move_in_link (origin, kind, key, own_id, is_new, move_in_id)
    select ${origin}, 'contactTag', put.tag_id || ':' || put.contact_id, put.contact_id, true, ${id} from put
    on conflict (origin, kind, key) do update set move_in_id = excluded.move_in_id`
}
