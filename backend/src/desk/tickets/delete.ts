// Deleting a ticket with its messages: administrators only (spec 1 §6).
import { canUseArea } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { releaseFiles } from '../media/claim.ts'
import { lockSends } from '../messages/lock-sends.ts'
import { lockTicket, toLogReferences } from './lock.ts'
import { publishTicketDeletion } from './present.ts'

/** With its messages and the files nothing else shows. Throws `ERR_NO_PERMISSION`, `ERR_NO_TICKET_FOUND`, `ERR_PROTOCOL_LINKED`. */
export async function deleteTicket(parts: Pick<Parts, 'db' | 'ring'>, session: Session, id: number): Promise<void> {
  if (!canUseArea(session.viewer, 'deleteTicket', session.settings)) throw new AppError('ERR_NO_PERMISSION')
  await change(parts, async tx => {
    const ticket = await lockTicket(tx, session, id)
    const linked = await getSql(tx)`select 1 from protocol where ticket_id = ${id} limit 1`
    if (linked.length > 0) throw new AppError('ERR_PROTOCOL_LINKED')
    await lockSends(tx, getSql(tx)`m.ticket_id = ${id}`)
    const files = await listFileIds(tx, id)
    await getSql(tx)`delete from ticket where id = ${id}`
    await releaseFiles(tx, files)
    await writeLog(tx, { action: 'ticket.delete', userId: session.viewer.id, ...toLogReferences(ticket) })
    await publishTicketDeletion(tx, id, ticket.version + 1, ticket.facts)
  })
}

/** Files of the ticket's messages, and those it was given. */
async function listFileIds(tx: Tx, id: number): Promise<string[]> {
  const rows = await getSql(tx)<{ id: string }[]>`
    select id from media where owner in ('message', 'schedule') and (ticket_id = ${id}
      or id in (select media_id from message where ticket_id = ${id} and media_id is not null))`
  return rows.map(row => row.id)
}
