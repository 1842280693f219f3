// The connection somebody means: the named one, or the company's default.
import type { ConnectionStatus, Kind } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'

export interface ConnectionRef {
  readonly id: number
  readonly api: Kind
  readonly status: ConnectionStatus
}

/** Throws `ERR_NO_WAPP_FOUND` for an unknown one, `ERR_NO_DEF_WAPP_FOUND` where none is named and none is the default. */
export async function resolveConnection(db: Db, id: number | undefined): Promise<ConnectionRef> {
  const sql = getSql(db)
  const [row] = await sql<ConnectionRef[]>`
    select id, api, status from whatsapp
    where deleted_at is null and ${id === undefined ? sql`is_default` : sql`id = ${id}`} order by id limit 1`
  if (!row) throw new AppError(id === undefined ? 'ERR_NO_DEF_WAPP_FOUND' : 'ERR_NO_WAPP_FOUND')
  return row
}
