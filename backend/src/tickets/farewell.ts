// The connection's good-bye, sent when a ticket is resolved.
import type { Kind } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { appendMessage } from '../messages/append.ts'
import { handOver } from '../messages/hand-over.ts'
import { fillIn } from '../messages/wording.ts'
import type { Session } from '../sessions/authenticate.ts'
import type { LockedTicket } from './lock.ts'

interface Row {
  farewell: string
  api: Kind
  within: boolean
  name: string
  number: string | null
  queue: string | null
}

/** Writes and queues the farewell; the id of the message, or none where there are no words or they could not be delivered. */
export async function sayFarewell(tx: Tx, session: Session, ticket: LockedTicket): Promise<readonly number[]> {
  const [row] = await sqlOf(tx)<Row[]>`
    select w.farewell_message as farewell, w.api, c.name, c.number, q.name as queue,
      coalesce(h.last_inbound_at > now() - interval '24 hours', false) as within
    from ticket t join whatsapp w on w.id = t.whatsapp_id join contact c on c.id = t.contact_id
      left join queue q on q.id = t.queue_id
      left join contact_channel h on h.contact_id = t.contact_id and h.whatsapp_id = t.whatsapp_id
    where t.id = ${ticket.id}`
  if (!row || row.farewell.trim() === '' || (row.api === 'cloud_api' && !row.within)) return []
  const words = { name: row.name, number: row.number ?? '', queue: row.queue ?? '', user: session.name }
  const text = fillIn(row.farewell, words, session.settings.timezone, new Date())
  const message = { ticketId: ticket.id, body: text, mediaType: 'chat', state: 'queued' } as const
  const messageId = await appendMessage(tx, { ...message, userId: session.viewer.id })
  const { whatsappId, contactId } = ticket
  await handOver(tx, { whatsappId, contactId, messageId, operation: 'message', payload: { type: 'text', text } })
  return [messageId]
}
