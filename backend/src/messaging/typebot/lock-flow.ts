// The flow of a ticket, locked with its ticket: only one that still has it.
import { eq } from 'drizzle-orm'
import { type LockedTicket, lockAnyTicket } from '../../desk/tickets/lock.ts'
import type { Tx } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import { typebotSessions } from './table.ts'

export interface LockedFlow {
  readonly ticket: LockedTicket
  readonly flow: typeof typebotSessions.$inferSelect
}

/** Null where no flow has the ticket any more: somebody took it, or it is over. What was kept of it goes. */
export async function lockFlow(tx: Tx, ticketId: number): Promise<LockedFlow | null> {
  const ticket = await lockAnyTicket(tx, ticketId).catch(error => {
    if (error instanceof AppError) return null
    throw error
  })
  const [flow] = await tx.select().from(typebotSessions).where(eq(typebotSessions.ticketId, ticketId)).for('update')
  if (!ticket || !flow) return null
  if (ticket.status === 'bot') return { ticket, flow }
  await tx.delete(typebotSessions).where(eq(typebotSessions.ticketId, ticketId))
  return null
}
