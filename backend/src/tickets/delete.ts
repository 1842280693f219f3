// Deleting a ticket with its messages: administrators only (spec 1 §6).
import { mayUse } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { writeLog } from '../log/write.ts'
import { removeMedia } from '../media/store.ts'
import { lockSends } from '../messages/lock-sends.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { lockTicket } from './lock.ts'
import { ticketDeleted } from './present.ts'

type Deleting = Pick<Parts, 'db' | 'ring'> & { readonly config: Pick<Parts['config'], 'dataDir'> }

/** With its messages and the files nothing else shows. Throws `ERR_NO_PERMISSION`, `ERR_NO_TICKET_FOUND`, `ERR_PROTOCOL_LINKED`. */
export async function deleteTicket(parts: Deleting, session: Session, id: number): Promise<void> {
  if (!mayUse(session.viewer, 'deleteTicket', session.access)) throw new AppError('ERR_NO_PERMISSION')
  const files = await change(parts, async tx => {
    const ticket = await lockTicket(tx, session, id)
    const linked = await sqlOf(tx)`select 1 from protocol where ticket_id = ${id} limit 1`
    if (linked.length > 0) throw new AppError('ERR_PROTOCOL_LINKED')
    await lockSends(tx, sqlOf(tx)`m.ticket_id = ${id}`)
    const own = await letGoOfFiles(tx, id)
    await sqlOf(tx)`delete from ticket where id = ${id}`
    await writeLog(tx, {
      action: 'ticket.delete',
      userId: session.viewer.id,
      ticketId: id,
      contactId: ticket.contactId,
      queueId: ticket.queueId,
      whatsappId: ticket.whatsappId,
    })
    await ticketDeleted(tx, id, ticket.version + 1, ticket.facts)
    return own
  })
  await removeMedia({ db: parts.db, dataDir: parts.config.dataDir }, files)
}

/**
 * Files of the ticket's messages that no message elsewhere shows. They become uploads past their time, so that the sweep takes them
 * should this process end before it has.
 */
async function letGoOfFiles(tx: Tx, id: number): Promise<string[]> {
  const rows = await sqlOf(tx)<{ id: string }[]>`
    update media set owner = 'upload', user_id = null, ticket_id = null, created_at = now() - interval '25 hours'
    where owner = 'message' and id in (
        select id from media where ticket_id = ${id} and owner = 'message'
        union select media_id from message where ticket_id = ${id} and media_id is not null)
      and not exists (select 1 from message o where o.media_id = media.id and o.ticket_id <> ${id})
    returning id`
  return rows.map(row => row.id)
}
