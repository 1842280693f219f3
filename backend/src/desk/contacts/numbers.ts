// Numbers that pass on. Who has left one is still found by it (an identity of the kind `former`), but what comes from it is not his.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Identity } from './names.ts'
import { publishContactEvents } from './present.ts'

/** Another person has the number now, or since `at` (ms): nothing goes to it any more from the contact that had it. */
export async function transferNumber(
  tx: Tx,
  names: readonly Identity[],
  from: number,
  to: number,
  at?: number,
): Promise<void> {
  const numbers = await leave(tx, from, phones(names), at)
  if (numbers.length === 0) return
  await getSql(
    tx,
  )`delete from contact_channel where contact_id = ${from} and split_part(jid, '@', 1) = any(${numbers}::text[])`
  await writeLog(tx, { action: 'contact.lostNumber', params: { numbers, contactId: to }, contactId: from })
  await publishContactEvents(tx, [from])
}

/** A contact went from one number to another, now or at `at` (ms). */
export async function releaseNumber(
  tx: Tx,
  contactId: number,
  before: readonly Identity[],
  now: readonly Identity[],
  number: string | null,
  at?: number,
): Promise<void> {
  if (number === null) return
  const sql = getSql(tx)
  const remaining = phones(now)
  const numbers = await leave(
    tx,
    contactId,
    phones(before).filter(one => !remaining.includes(one)),
    at,
  )
  await sql`update contact set number = ${number}, updated_at = now(), version = version + 1 where id = ${contactId}`
  await sql`
    update contact_channel set jid = ${number} || substring(jid from '@.*$|$'), jid_at = greatest(jid_at, ${toPastInstant(at)})
    where contact_id = ${contactId} and split_part(jid, '@', 1) = any(${numbers}::text[])`
  await writeLog(tx, { action: 'contact.newNumber', params: { from: numbers, to: number }, contactId })
}

/** Gives the numbers that were the contact's. */
async function leave(tx: Tx, contactId: number, numbers: readonly string[], at?: number): Promise<string[]> {
  const sql = getSql(tx)
  const gone = await sql<{ value: string }[]>`
    delete from contact_identity where contact_id = ${contactId} and kind = 'pn' and value = any(${[...numbers]}::text[])
    returning value`
  const values = gone.map(row => row.value)
  await sql`
    insert into contact_identity (kind, value, contact_id, created_at) select 'former', value, ${contactId}, ${toPastInstant(at)} from unnest(${values}::text[]) as n(value)
    on conflict (kind, value) do update set contact_id = excluded.contact_id, created_at = excluded.created_at`
  await sql`
    update contact set version = version + 1, updated_at = now(),
      number = (select value from contact_identity where contact_id = ${contactId} and kind = 'pn' order by created_at limit 1)
    where id = ${contactId} and number = any(${values}::text[])`
  return values
}

/** When it was told, never later than now. */
export function toPastInstant(at = Date.now()): string {
  return new Date(Math.min(at, Date.now())).toISOString()
}

function phones(names: readonly Identity[]): string[] {
  return names.filter(name => name.kind === 'pn').map(name => name.value)
}
