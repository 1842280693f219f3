// A connection is deleted: what still waited in its outbox will never go out, and its messages say so.
import { lockSends } from '../../desk/messages/lock-sends.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { stopConnectionSends } from '../sends/stop.ts'
import { moveMessages } from './settle.ts'

const ERROR = {
  code: 'connection_deleted',
  message: 'The connection was deleted before the message was sent',
} as const

/** Ends everything that waits; of what is on its way, or was tried before, nobody knows whether it went out. */
export async function giveUpWaiting(tx: Tx, whatsappId: number): Promise<void> {
  const sql = getSql(tx)
  await lockSends(
    tx,
    sql`m.id in (select o.message_id from outbox o where o.whatsapp_id = ${whatsappId} and o.state <> 'done')`,
    true,
  )
  const waited = await sql<Row[]>`
    delete from outbox where whatsapp_id = ${whatsappId} and (state = 'failed' or (state = 'queued' and not may_be_out))
    returning message_id, operation, state`
  const doubted = await sql<Row[]>`
    update outbox set state = 'unknown', error = ${ERROR.code}, done_at = coalesce(done_at, now())
    where whatsapp_id = ${whatsappId} and (state in ('sending', 'queued') or state = 'unknown' and error is distinct from ${ERROR.code})
    returning message_id, operation, state`
  await stopConnectionSends(tx, whatsappId, ERROR.code)
  const never = waited.filter(row => row.state === 'queued')
  await moveMessages(tx, [
    ...listMessageIds(never).map(id => ({ id, outcome: { state: 'failed' as const, error: ERROR } })),
    ...listMessageIds(doubted).map(id => ({ id, outcome: { state: 'unknown' as const } })),
  ])
}

interface Row {
  message_id: string | null
  operation: string
  state: string
}

function listMessageIds(rows: readonly Row[]): number[] {
  return rows.flatMap(row => (row.operation === 'message' && row.message_id !== null ? Number(row.message_id) : []))
}
