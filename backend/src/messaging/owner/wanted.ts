// The connections that should run, with their keys to the provider opened: those stay in memory. A deleted one is wanted until it is
// logged out.
import type { KindConfig } from '@balcao/contract'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { completeConfig, openConfig } from '../../desk/connections/config.ts'
import { connections } from '../../desk/connections/table.ts'
import type { ConnectionRun, SessionParts } from './session.ts'

/** All of them by id, or the one named, each with what its driver needs. One whose key cannot be opened runs without: its driver says so. */
export function loadWantedConnections(parts: LoadParts, id?: number): Promise<WantedConnection[]> {
  const named = id === undefined ? undefined : eq(connections.id, id)
  return load(parts, and(isNull(connections.deletedAt), named))
}

/** Those and the deleted ones that nobody has logged out yet. */
export function loadAllWantedConnections(parts: LoadParts): Promise<WantedConnection[]> {
  return load(parts, undefined)
}

type LoadParts = Pick<SessionParts, 'db' | 'config'>

interface WantedConnection extends Omit<ConnectionRun, 'epoch'> {
  readonly isDeleted: boolean
}

async function load({ db, config: { dataKey } }: LoadParts, which: SQL | undefined): Promise<WantedConnection[]> {
  const { wanted, deletedAt, name, api: kind, config } = connections
  const rows = await db
    .select({ id: connections.id, name, kind, config, deletedAt })
    .from(connections)
    .where(and(wanted, which))
    .orderBy(connections.id)
  return Promise.all(
    rows.map(async ({ id, name, kind, config: stored, deletedAt }) => {
      const opened = openConfig(dataKey, kind, stored)
      const made = completeConfig(dataKey, kind, opened.config)
      const now = made === null ? opened : openConfig(dataKey, kind, await keep(db, id, stored, made))
      return { id, name, kind, connection: { id, ...now }, isDeleted: deletedAt !== null }
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
