// Protocols in the form of the contract, and the live event that carries one.
import type { Protocol } from '@balcao/contract'
import { desc, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds, toIds } from '../../platform/database/ids.ts'
import { appendEvents } from '../../platform/live/append.ts'
import { findFacts } from '../../policy/access/ticket-facts.ts'
import { users } from '../../policy/users/table.ts'
import { contacts } from '../contacts/table.ts'
import { protocols } from './table.ts'

/** Protocols by id, in the order of the ids given. */
export async function loadProtocols(db: Db | Tx, ids: readonly number[]): Promise<Protocol[]> {
  const { updatedAt, userId, ...own } = getTableColumns(protocols)
  const rows = await db
    .select({
      ...own,
      contact: { id: contacts.id, name: contacts.name, number: contacts.number, profilePicUrl: contacts.profilePicUrl },
      user: { id: users.id, name: users.name, profilePicUrl: users.profilePicUrl },
    })
    .from(protocols)
    .innerJoin(contacts, eq(contacts.id, protocols.contactId))
    .leftJoin(users, eq(users.id, protocols.userId))
    .where(inArray(protocols.id, [...ids]))
  return sortByIds(ids, rows)
}

/** The newest protocol of a ticket; null when it has none. */
export async function findProtocol(db: Db | Tx, ticketId: number): Promise<Protocol | null> {
  const newest = await db
    .select({ id: protocols.id })
    .from(protocols)
    .where(eq(protocols.ticketId, ticketId))
    .orderBy(desc(protocols.id))
    .limit(1)
  return (await loadProtocols(db, toIds(newest))).at(0) ?? null
}

/** Tells whoever may see its ticket, and who gave it, that a protocol is there; who is both takes it once, by its version. */
export async function publishProtocol(tx: Tx, protocolo: Protocol, action: 'create' | 'update'): Promise<void> {
  const { ticketId, version, user } = protocolo
  const after = (await findFacts(tx, ticketId)) ?? null
  const event = { event: 'protocolo', action, version, protocolo } as const
  const giver = user && ({ to: 'user', userId: user.id } as const)
  await appendEvents(tx, [
    { audience: { to: 'ticket', ticketId, after }, event },
    ...(giver && action === 'update' ? [{ audience: giver, event }] : []),
  ])
}
