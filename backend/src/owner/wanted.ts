// The connections that should run, with their keys to the provider opened: those stay in memory.
import { and, eq, isNull } from 'drizzle-orm'
import { openedConfig } from '../connections/config.ts'
import { connections } from '../connections/table.ts'
import type { Runs, SessionParts } from './session.ts'

/** All of them by id, or the one named, each with what its driver needs. One whose key cannot be opened runs without: its driver says so. */
export async function wantedConnections(
  { db, config: { dataKey } }: Pick<SessionParts, 'db' | 'config'>,
  id?: number,
): Promise<Omit<Runs, 'epoch'>[]> {
  const { wanted, deletedAt, api: kind, config } = connections
  const named = id === undefined ? undefined : eq(connections.id, id)
  const rows = await db
    .select({ id: connections.id, kind, config })
    .from(connections)
    .where(and(wanted, isNull(deletedAt), named))
    .orderBy(connections.id)
  return rows.map(row => ({
    id: row.id,
    kind: row.kind,
    connection: { id: row.id, ...openedConfig(dataKey, row.kind, row.config) },
  }))
}
