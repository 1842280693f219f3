// Which kind a connection is, for every webhook that comes: known from memory until something happens to a connection.
import type { Kind } from '@balcao/contract'
import { and, eq, isNull } from 'drizzle-orm'
import { connections } from '../../desk/connections/table.ts'
import type { Db } from '../../platform/database/client.ts'

export interface KindCache {
  of(whatsappId: number): Promise<Kind | null>
  /** A connection was changed, in whichever process. */
  forget(): void
}

export function createKindCache(db: Db): KindCache {
  const known = new Map<number, Kind>()
  let changes = 0
  return {
    async of(id) {
      const before = known.get(id)
      if (before) return before
      const changesBefore = changes
      const isThere = and(eq(connections.id, id), isNull(connections.deletedAt))
      const [row] = await db.select({ api: connections.api }).from(connections).where(isThere)
      // What was read before a change says nothing of after it.
      if (row && changesBefore === changes) known.set(id, row.api)
      return row?.api ?? null
    },
    forget() {
      changes++
      known.clear()
    },
  }
}
