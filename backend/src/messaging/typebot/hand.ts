// Where the inbox hands a customer's words to a flow (decisions-2 §10): they are noted in its transaction, and told to Typebot by a job.
import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import { typebotSessions } from './table.ts'

export const TYPEBOT = 'typebot'
/** Faults of our own are tried again as often; what Typebot does is seen to by the job itself. */
const ATTEMPTS = 5

/** A new ticket begins with the flow; one that it has goes on. `begins`: whatever it knew of this ticket is of the past. */
export async function enqueueForTypebot(
  tx: Tx,
  { ticketId, messageId, begins }: { readonly ticketId: number; readonly messageId: number; readonly begins: boolean },
): Promise<void> {
  if (begins) await tx.delete(typebotSessions).where(eq(typebotSessions.ticketId, ticketId))
  await tx
    .insert(typebotSessions)
    .values({ ticketId, waiting: [messageId] })
    .onConflictDoUpdate({
      target: typebotSessions.ticketId,
      set: { waiting: sql`${typebotSessions.waiting} || ${messageId}::bigint` },
    })
  await enqueueTypebotTurn(tx, ticketId)
}

/** Has the job of a ticket run, after the one that runs perhaps. */
export async function enqueueTypebotTurn(tx: Db | Tx, ticketId: number): Promise<void> {
  const name = `${TYPEBOT}:${ticketId}`
  await enqueueJob(tx, TYPEBOT, { payload: { ticketId }, key: name, queue: name, attempts: ATTEMPTS })
}
