// What the desk says to a customer by itself when something happens to a ticket: good-bye, transfer, protocol.
import { capabilitiesOf, type Kind } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { appendMessage } from '../messages/append.ts'
import { fits } from '../messages/fits.ts'
import { handOver } from '../messages/hand-over.ts'
import { fillIn } from '../messages/wording.ts'
import type { Session } from '../sessions/authenticate.ts'

interface Row {
  api: Kind
  within: boolean
  whatsapp_id: number
  contact_id: number
  name: string
  number: string | null
  queue: string | null
}

/**
 * Writes and queues a text with its placeholders filled in, behind what is already on its way to this customer; the id of the
 * message, or none where there are no words or they could not be delivered (official API, 24 hours after the last word).
 */
export async function sayInTicket(
  tx: Tx,
  session: Session,
  ticketId: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly number[]> {
  if (text.trim() === '') return []
  const [row] = await sqlOf(tx)<Row[]>`
    select w.api, t.whatsapp_id, t.contact_id, c.name, c.number, q.name as queue,
      coalesce(h.last_inbound_at > now() - interval '24 hours', false) as within
    from ticket t join whatsapp w on w.id = t.whatsapp_id join contact c on c.id = t.contact_id
      left join queue q on q.id = t.queue_id
      left join contact_channel h on h.contact_id = t.contact_id and h.whatsapp_id = t.whatsapp_id
    where t.id = ${ticketId}`
  if (!row || (capabilitiesOf(row.api).window24h && !row.within)) return []
  const words = { name: row.name, number: row.number ?? '', queue: row.queue ?? '', user: session.name, ...more }
  const body = fillIn(text, words, session.settings.timezone, new Date())
  if (!fits(row.api, body)) return []
  const messageId = await appendMessage(tx, {
    ticketId,
    body,
    mediaType: 'chat',
    state: 'queued',
    userId: session.viewer.id,
    automatic: true,
  })
  const { whatsapp_id: whatsappId, contact_id: contactId } = row
  await handOver(tx, { whatsappId, contactId, messageId, operation: 'message', payload: { type: 'text', text: body } })
  return [messageId]
}
