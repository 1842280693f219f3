// The connections that should run, with their keys to the provider opened: those stay in memory.
import type { Kind } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import { unsealed } from '../seal.ts'
import type { Runs, SessionParts } from './session.ts'

/** All of them by id, or the one named, each with what its driver needs. One whose key cannot be opened runs without: its driver says so. */
export async function wantedConnections(
  { db, config }: Pick<SessionParts, 'db' | 'config'>,
  id?: number,
): Promise<Omit<Runs, 'epoch'>[]> {
  const sql = sqlOf(db)
  const rows = await sql<
    { id: number; api: Kind; phone_number_id: string; waba_id: string; token_sealed: string | null }[]
  >`
    select id, api, phone_number_id, waba_id, token_sealed from whatsapp
    where wanted and deleted_at is null ${id === undefined ? sql`` : sql`and id = ${id}`} order by id`
  return rows.map(row => {
    const token = row.token_sealed === null ? null : unsealed(config.dataKey, row.token_sealed)
    const tokenUnreadable = row.token_sealed !== null && token === null
    return {
      id: row.id,
      kind: row.api,
      connection: { id: row.id, phoneNumberId: row.phone_number_id, wabaId: row.waba_id, token, tokenUnreadable },
    }
  })
}
