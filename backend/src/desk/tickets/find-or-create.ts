// Where a message of another program goes: into what is going on with the contact, otherwise where it disturbs nobody.
import type { TicketStatus } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { isConnectionPresent } from '../connections/existing.ts'
import { lockMergedContact } from '../contacts/merged-id.ts'
import { createSystemLine, writeLine } from '../messages/system-lines.ts'
import { publishTicketEvents } from './present.ts'

export interface TicketRequest {
  readonly contactId: number
  readonly whatsappId: number
  readonly queueId: number | null
  readonly userId: number | null
}

export interface TicketPlace {
  readonly id: number
  /** Who was wanted, or whom that contact was merged into; held until the transaction is over. */
  readonly contactId: number
  readonly whatsappId: number
}

/**
 * The live ticket; without one a new ticket in the queue that was named (waiting, or that person's), or else the last closed one, or
 * a new closed one: a notice needs nobody's attention, and an answer to it opens a ticket as every message of a customer does.
 */
export async function findOrCreateTicket(tx: Tx, wanted: TicketRequest): Promise<TicketPlace> {
  const sql = getSql(tx)
  const { whatsappId, queueId, userId } = wanted
  // One program at a time: of two closed tickets made at once nothing would stop the second.
  const contactId = await lockMergedContact(tx, wanted.contactId, true)
  const place = { contactId, whatsappId }
  const [live] = await sql<{ id: number }[]>`
    select id from ticket where contact_id = ${contactId} and whatsapp_id = ${whatsappId} and status <> 'closed' for update`
  if (live) return { ...live, ...place }
  if (queueId === null) {
    const [last] = await sql<{ id: number }[]>`
      select id from ticket where contact_id = ${contactId} and whatsapp_id = ${whatsappId} and status = 'closed'
      order by id desc nulls last limit 1 for update`
    if (last) return { ...last, ...place }
  }
  const status: TicketStatus = queueId === null ? 'closed' : userId === null ? 'pending' : 'open'
  if (status !== 'closed' && !(await isConnectionPresent(tx, whatsappId))) throw new AppError('ERR_NO_WAPP_FOUND')
  const [made] = await sql<{ id: number }[]>`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, accepted_at, closed_at)
    values (${status}, ${contactId}, ${whatsappId}, ${queueId}, ${userId},
      case when ${status} = 'open' then now() end, case when ${status} = 'closed' then now() end)
    on conflict do nothing returning id`
  // The customer wrote at this very moment: that ticket is the live one now.
  if (!made) return findOrCreateTicket(tx, wanted)
  if (status !== 'closed')
    await writeLine(tx, made.id, null, createSystemLine({ name: 'API' }, 'opened', 'abriu o atendimento'))
  await publishTicketEvents(tx, [{ ticketId: made.id, action: 'create' }])
  return { ...made, ...place }
}
