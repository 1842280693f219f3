// Opening a ticket with a contact from our side (spec 1 §4: "the new ticket is created with status open").
import type { RequestBody, Ticket } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { isConnectionPresent } from '../connections/existing.ts'
import { createSystemLine, writeLine } from '../messages/system-lines.ts'
import { checkAssignee, lockQueueName, NOW, resolveServing } from './change.ts'
import { createOtherTicketError } from './other-open.ts'
import { loadTicketView, publishTicketEvents } from './present.ts'
import { tickets } from './table.ts'

/**
 * Opens a ticket, assigned to the person asking unless another one is named. Throws `ERR_OTHER_OPEN_TICKET` with the live
 * ticket's id, `ERR_NO_CONTACT_FOUND`, `ERR_NO_QUEUE_FOUND`, `ERR_NO_WAPP_FOUND`, `ERR_VALIDATION`.
 */
export async function createTicket(
  parts: Parts,
  session: Session,
  body: RequestBody<'POST /tickets'>,
): Promise<Ticket> {
  const { viewer } = session
  return change(parts, async tx => {
    const { queueId, whatsappId } = requireQueueAndConnection(body)
    const contact = await lockContact(tx, body.contactId)
    await lockQueueName(tx, queueId)
    if (viewer.profile !== 'admin' && !viewer.queueIds.includes(queueId)) throw new AppError('ERR_NO_PERMISSION')
    if (!(await isConnectionPresent(tx, whatsappId))) throw new AppError('ERR_NO_WAPP_FOUND')
    const userId = body.userId ?? resolveServing(session, body)
    if (isHidden(viewer, userId)) throw new AppError('ERR_NO_USER_FOUND')
    await checkAssignee(tx, userId, queueId)

    const [made] = await tx
      .insert(tickets)
      .values({
        status: 'open',
        contactId: contact.id,
        whatsappId,
        queueId,
        userId,
        isGroup: contact.isGroup,
        acceptedAt: NOW,
      })
      .onConflictDoNothing()
      .returning({ id: tickets.id })
    if (!made) throw await createOtherTicketError(parts.config, tx, session, { contactId: contact.id, whatsappId })
    const refs = { ticketId: made.id, contactId: contact.id, queueId, whatsappId }
    await writeLog(tx, { action: 'ticket.create', userId: viewer.id, ...refs })
    await writeLine(tx, made.id, viewer.id, createSystemLine(session, 'opened', 'abriu o atendimento'))
    await publishTicketEvents(tx, [{ ticketId: made.id, action: 'create', by: viewer.id }])
    return (await loadTicketView(tx, made.id)).ticket
  })
}

/** A contact that was merged into another one stands for that other one, and is not merged before the ticket is there. */
async function lockContact(tx: Tx, id: number): Promise<{ id: number; isGroup: boolean }> {
  const [row] = await getSql(tx)<{ id: number; isGroup: boolean }[]>`
    select o.id, o.is_group as "isGroup" from contact c join contact o on o.id = coalesce(c.merged_into, c.id)
    where c.id = ${id} for share of o`
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  return row
}

/** Queue and connection, both of them (spec 1 §5 "New ticket"). */
function requireQueueAndConnection({ queueId, whatsappId }: RequestBody<'POST /tickets'>): {
  queueId: number
  whatsappId: number
} {
  if (queueId && whatsappId) return { queueId, whatsappId }
  throw new AppError('ERR_VALIDATION', [
    ...(queueId ? [] : [{ path: 'queueId', text: 'call.queue' as const }]),
    ...(whatsappId ? [] : [{ path: 'whatsappId', text: 'call.connection' as const }]),
  ])
}
