// What became of the records of another desk, and whether it is still here: links outlive what they name (docs/decisions/0319).
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { connections } from '../../desk/connections/table.ts'
import { contacts, NOBODY } from '../../desk/contacts/table.ts'
import { queues } from '../../desk/queues/table.ts'
import { tags } from '../../desk/tags/table.ts'
import { tickets } from '../../desk/tickets/table.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { users } from '../../policy/users/table.ts'
import type { RecordKind } from './records.ts'
import { moveInLinks } from './table.ts'

/** What became of a record. */
export interface RecordLink {
  readonly key: string
  readonly ownId: number
  readonly isNew: boolean
}

/** Where records come from: the same with every move of that desk. */
interface Origin {
  readonly origin: string
}

type Links = ReadonlyMap<string, number>

/** What other records name. */
type NamedKind = 'connection' | 'user' | 'queue' | 'tag' | 'contact' | 'ticket'

/** What of these records is here: what was deleted is not, who was merged is who they are now, and whoever was erased is nobody. */
export async function findLinks(
  tx: Tx,
  { origin }: Origin,
  kind: NamedKind,
  keys: readonly (string | null)[],
): Promise<Links> {
  const wanted = listKeys(keys)
  if (wanted.length === 0) return new Map()
  const rows = await selectLinks(tx, kind, selectKeys(origin, kind, wanted))
  return new Map(rows.map(({ key, ownId }) => [key, ownId]))
}

function selectLinks(tx: Tx, kind: NamedKind, which: SQL | undefined): Promise<{ key: string; ownId: number }[]> {
  const { key, ownId } = moveInLinks
  const isSomebody = sql`${contacts.mergedInto} is distinct from ${NOBODY}`
  switch (kind) {
    case 'contact':
      return tx
        .select({ key, ownId: sql<number>`coalesce(${contacts.mergedInto}, ${contacts.id})` })
        .from(moveInLinks)
        .innerJoin(contacts, eq(contacts.id, ownId))
        .where(and(which, isSomebody))
    case 'ticket':
      return tx
        .select({ key, ownId })
        .from(moveInLinks)
        .innerJoin(tickets, eq(tickets.id, ownId))
        .innerJoin(contacts, eq(contacts.id, tickets.contactId))
        .where(and(which, isSomebody))
    case 'connection':
      return tx
        .select({ key, ownId })
        .from(moveInLinks)
        .innerJoin(connections, and(eq(connections.id, ownId), isNull(connections.deletedAt)))
        .where(which)
    case 'user':
      return tx.select({ key, ownId }).from(moveInLinks).innerJoin(users, eq(users.id, ownId)).where(which)
    case 'queue':
      return tx.select({ key, ownId }).from(moveInLinks).innerJoin(queues, eq(queues.id, ownId)).where(which)
    case 'tag':
      return tx.select({ key, ownId }).from(moveInLinks).innerJoin(tags, eq(tags.id, ownId)).where(which)
  }
}

/** As `findLinks`; none of them is merged, erased or deleted until the transaction ends. Before tickets are locked (docs/decisions/0153). */
export async function lockContacts(tx: Tx, origin: Origin, keys: readonly (string | null)[]): Promise<Links> {
  for (;;) {
    const links = await findLinks(tx, origin, 'contact', keys)
    const ids = [...new Set(links.values())]
    const held = await getSql(tx)`
      select 1 from contact where id = any(${ids}::int[]) and merged_into is null order by id for share`
    // Whoever turned out to be somebody else meanwhile is looked up anew.
    if (held.length === ids.length) return links
  }
}

/** Which of these have a link, whatever became of what it names. */
export async function findKnownKeys(
  tx: Tx,
  { origin }: Origin,
  kind: RecordKind,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await tx
    .select({ key: moveInLinks.key })
    .from(moveInLinks)
    .where(selectKeys(origin, kind, keys))
  return new Set(rows.map(({ key }) => key))
}

/** In place of a link to what is gone. */
export async function storeLinks(
  tx: Tx,
  move: Origin & { readonly id: number },
  kind: RecordKind,
  links: readonly RecordLink[],
): Promise<void> {
  if (links.length === 0) return
  await getSql(tx)`
    insert into move_in_link (origin, kind, key, own_id, is_new, move_in_id)
    select ${move.origin}, ${kind}, x.key, x."ownId", x."isNew", ${move.id}
    from jsonb_to_recordset(${JSON.stringify(links)}::text::jsonb) as x(key text, "ownId" int8, "isNew" boolean)
    on conflict (origin, kind, key) do update set own_id = excluded.own_id, is_new = excluded.is_new, move_in_id = excluded.move_in_id`
}

/** Each of these once. */
export function listKeys(keys: readonly (string | null)[]): string[] {
  return [...new Set(keys.flatMap(key => key ?? []))]
}

function selectKeys(origin: string, kind: RecordKind, keys: readonly string[]): SQL | undefined {
  return and(eq(moveInLinks.origin, origin), eq(moveInLinks.kind, kind), inArray(moveInLinks.key, [...keys]))
}
