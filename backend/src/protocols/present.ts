// Protocols in the form of the contract, and the live event that carries one.
import type { Protocol } from '@balcao/contract'
import { desc, eq, getTableColumns } from 'drizzle-orm'
import { factsOf } from '../access/ticket-facts.ts'
import { contacts } from '../contacts/table.ts'
import type { Db, Tx } from '../database/client.ts'
import { appendEvent } from '../live/append.ts'
import { users } from '../users/table.ts'
import { protocols } from './table.ts'

/** The newest protocol of a ticket; null when it has none. */
export async function protocolOf(db: Db | Tx, ticketId: number): Promise<Protocol | null> {
  const { updatedAt, userId, ...own } = getTableColumns(protocols)
  const [row] = await db
    .select({
      ...own,
      contact: { id: contacts.id, name: contacts.name, number: contacts.number, profilePicUrl: contacts.profilePicUrl },
      user: { id: users.id, name: users.name, profilePicUrl: users.profilePicUrl },
    })
    .from(protocols)
    .innerJoin(contacts, eq(contacts.id, protocols.contactId))
    .leftJoin(users, eq(users.id, protocols.userId))
    .where(eq(protocols.ticketId, ticketId))
    .orderBy(desc(protocols.id))
    .limit(1)
  return row ?? null
}

/** Tells whoever may see its ticket that a protocol is there. */
export async function protocolEvent(tx: Tx, protocolo: Protocol, action: 'create' | 'update'): Promise<void> {
  const { ticketId, version } = protocolo
  const after = (await factsOf(tx, ticketId)) ?? null
  await appendEvent(tx, { to: 'ticket', ticketId, after }, { event: 'protocolo', action, version, protocolo })
}
