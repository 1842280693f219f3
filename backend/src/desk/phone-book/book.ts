// The address books of phones as they are told: names of numbers, which make nobody a contact until somebody imports them.
import { and, eq, sql } from 'drizzle-orm'
import type { Peer } from '../../platform/channel/driver.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { cleanName, getPeerNumber } from '../contacts/identity.ts'
import { phoneBook } from './table.ts'

/** Digits of a phone, and of what counts exactly as a number. */
const LONGEST = 15

/** A phone has this name for somebody, or none any more. Who is known by a hidden address alone cannot be imported. */
export async function updatePhoneBook(
  tx: Tx,
  whatsappId: number,
  peer: Peer,
  savedName: string | undefined,
): Promise<void> {
  const name = cleanName(savedName)
  const number = getPeerNumber(peer)
  if (number === null || number.length > LONGEST) return
  if (name === '') {
    await tx.delete(phoneBook).where(and(eq(phoneBook.whatsappId, whatsappId), eq(phoneBook.number, number)))
    return
  }
  const toldAt = sql`now()`
  await tx
    .insert(phoneBook)
    .values({ whatsappId, number, name })
    .onConflictDoUpdate({ target: [phoneBook.whatsappId, phoneBook.number], set: { name, toldAt } })
}

export async function hasPhoneBook(db: Db, whatsappId: number): Promise<boolean> {
  const rows = await db
    .select({ number: phoneBook.number })
    .from(phoneBook)
    .where(eq(phoneBook.whatsappId, whatsappId))
    .limit(1)
  return rows.length > 0
}

/** Everybody in it, always in the same order. */
export async function listPhoneBook(
  db: Db,
  whatsappId: number,
): Promise<readonly { readonly number: string; readonly name: string }[]> {
  return getSql(db)<{ number: string; name: string }[]>`
    select number, name from phone_book where whatsapp_id = ${whatsappId} order by number::numeric`
}

/** Another phone is linked now, or none: what the one before told is not its. */
export async function deletePhoneBook(db: Db | Tx, whatsappId: number): Promise<void> {
  await db.delete(phoneBook).where(eq(phoneBook.whatsappId, whatsappId))
}
