// A message that nobody has begun to send can still be changed or taken back where it lies: in the outbox.
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'

/**
 * The outbox row of a message that waits, or that failed and may be tried again; locked, so that nobody begins now. Null when it
 * is on its way or was. Never waits: whoever claims it holds the row first and the message after, we the other way round.
 */
export async function holdBack(tx: Tx, messageId: number): Promise<number | null> {
  const [row] = await sqlOf(tx)<{ id: string }[]>`
    select id from outbox where message_id = ${messageId} and operation = 'message' and state in ('queued', 'failed')
    for update skip locked`
  return row ? Number(row.id) : null
}

/** It goes out with another text. */
export async function changeWaiting(tx: Tx, outboxId: number, text: string): Promise<void> {
  await sqlOf(
    tx,
  )`update outbox set payload = jsonb_set(payload, '{text}', to_jsonb(${text}::text)) where id = ${outboxId}`
}

/** It does not go out. */
export async function dropWaiting(tx: Tx, outboxId: number): Promise<void> {
  await sqlOf(tx)`delete from outbox where id = ${outboxId}`
}
