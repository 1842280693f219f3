// What sheets name: tags, queues and people, as they are now; and the tags that a sheet brings along.
import { desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvents } from '../../platform/live/append.ts'
import { writeLogs } from '../../policy/log/write.ts'
import { users } from '../../policy/users/table.ts'
import { queues, userQueues } from '../queues/table.ts'
import { loadTags } from '../tags/list.ts'
import { tags } from '../tags/table.ts'
import type { ImportDirectory } from './decide.ts'

export async function loadImportDirectory(db: Db): Promise<ImportDirectory> {
  const [allTags, allQueues, people] = await Promise.all([
    db.select({ id: tags.id, name: tags.name }).from(tags).orderBy(tags.id),
    db.select({ id: queues.id, name: queues.name }).from(queues),
    db
      .select({
        ...{ id: users.id, name: users.name, emailHash: users.emailHash, active: users.active },
        queueIds: sql<
          number[]
        >`coalesce(array_agg(${userQueues.queueId}) filter (where ${userQueues.queueId} is not null), '{}')`,
      })
      .from(users)
      .leftJoin(userQueues, eq(userQueues.userId, users.id))
      .where(isNull(users.deletedAt))
      .groupBy(users.id),
  ])
  return { tags: allTags, queues: allQueues, users: people }
}

/**
 * The ids of tags by their small names. Those that are not there yet are made: in the caller's transaction, so that no tag is left of
 * what is undone. `known`: as the batch before left it.
 */
export async function makeTags(
  tx: Tx,
  userId: number,
  names: readonly string[],
  known: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const isThere = (ids: ReadonlyMap<string, number>) => names.every(name => ids.has(name.toLowerCase()))
  if (isThere(known)) return known
  const before = await namedTags(tx)
  if (isThere(before)) return before
  // Two imports make the same tag once.
  await getSql(tx)`select pg_advisory_xact_lock(hashtext('tags of sheets'))`
  const there = await namedTags(tx)
  const missing = new Map(names.map(name => [name.toLowerCase(), name]))
  for (const name of there.keys()) missing.delete(name)
  const values = [...missing.values()].map(name => ({ name }))
  const made = values.length === 0 ? [] : await tx.insert(tags).values(values).returning({ id: tags.id })
  const ids = made.map(({ id }) => id)
  await writeLogs(
    tx,
    ids.map(entityId => ({ action: 'tag.create' as const, userId, entityId })),
  )
  const rows = await loadTags(tx, ids)
  await appendEvents(
    tx,
    rows.map(tag => ({
      event: { event: 'tag', action: 'create', version: tag.version, tag } as const,
      audience: { to: 'everyone' },
    })),
  )
  return namedTags(tx)
}

/** The oldest tag of each name. */
async function namedTags(db: Db | Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await db.select({ id: tags.id, name: tags.name }).from(tags).orderBy(desc(tags.id))
  return new Map(rows.map(({ id, name }) => [name.toLowerCase(), id]))
}
