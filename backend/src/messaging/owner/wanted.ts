// The connections that should run, with their keys to the provider opened: those stay in memory.
import type { KindConfig } from '@balcao/contract'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { completeConfig, openConfig } from '../../desk/connections/config.ts'
import { connections } from '../../desk/connections/table.ts'
import type { ConnectionRun, SessionParts } from './session.ts'

/** All of them by id, or the one named, each with what its driver needs. One whose key cannot be opened runs without: its driver says so. */
export async function loadWantedConnections(
  { db, config: { dataKey } }: Pick<SessionParts, 'db' | 'config'>,
  id?: number,
): Promise<Omit<ConnectionRun, 'epoch'>[]> {
  const { wanted, deletedAt, name, api: kind, config } = connections
  const named = id === undefined ? undefined : eq(connections.id, id)
  const rows = await db
    .select({ id: connections.id, name, kind, config })
    .from(connections)
    .where(and(wanted, isNull(deletedAt), named))
    .orderBy(connections.id)
  return Promise.all(
    rows.map(async ({ id, name, kind, config: stored }) => {
      const opened = openConfig(dataKey, kind, stored)
      const made = completeConfig(dataKey, kind, opened.config)
      const now = made === null ? opened : openConfig(dataKey, kind, await keep(db, id, stored, made))
      return { id, name, kind, connection: { id, ...now } }
    }),
  )
}

/** What was made for a connection is kept once, whoever makes it first. @returns what is kept now */
async function keep(db: SessionParts['db'], id: number, before: KindConfig, made: KindConfig): Promise<KindConfig> {
  const { config } = connections
  const secret = sql`${config}->>'webhookSecret' is not distinct from ${before.webhookSecret ?? null}::text`
  await db
    .update(connections)
    .set({ config: sql`${config} || ${JSON.stringify(made)}::text::jsonb` })
    .where(and(eq(connections.id, id), secret))
  const [row] = await db.select({ config }).from(connections).where(eq(connections.id, id))
  return row?.config ?? {}
}
