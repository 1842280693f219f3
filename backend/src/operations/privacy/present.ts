// Erasures in the form of the contract.
import type { Erasure } from '@balcao/contract'
import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../../desk/contacts/table.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { users } from '../../policy/users/table.ts'
import { erasures } from './table.ts'

/** Nobody else knows the owner by name. */
const OWNER = 1

/** What waits or runs first, then the newest. The name of a person is told only while it is there. */
export async function loadErasures(db: Db | Tx, which: SQL | undefined, limit: number): Promise<Erasure[]> {
  const { id, contactId, state, reason, askedAt, dueAt, endedAt, held, counts } = erasures
  return db
    .select({
      ...{ id, contactId, state, reason, askedAt, dueAt, endedAt, held, counts },
      name: contacts.name,
      user: { id: users.id, name: users.name, profilePicUrl: users.profilePicUrl },
    })
    .from(erasures)
    .leftJoin(contacts, sql`${contacts.id} = ${contactId} and ${state} in ('waiting', 'undone', 'held')`)
    .leftJoin(users, and(eq(users.id, erasures.userId), ne(users.id, OWNER)))
    .where(which)
    .orderBy(desc(sql`${state} in ('waiting', 'running')`), desc(id))
    .limit(limit)
}
