// The connection's good-bye, sent when a ticket is resolved.
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import type { Session } from '../sessions/authenticate.ts'
import type { LockedTicket } from './lock.ts'
import { sayInTicket } from './say.ts'

/** Writes and queues the farewell; the id of the message, or none where there are no words or they could not be delivered. */
export async function sayFarewell(tx: Tx, session: Session, ticket: LockedTicket): Promise<readonly number[]> {
  const [row] = await sqlOf(tx)<{ farewell: string }[]>`
    select w.farewell_message as farewell from whatsapp w where w.id = ${ticket.whatsappId}`
  return sayInTicket(tx, session, ticket.id, row?.farewell ?? '')
}
