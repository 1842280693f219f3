// A number the customer can quote: given and sent while the ticket is still open, before it is resolved (spec 1 §4 "resolve").
import type { Protocol, RequestBody, ResponseBody } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { resolveMergedId } from '../contacts/merged-id.ts'
import { writeAutomaticMessage } from '../messages/automatic.ts'
import { createSystemLine, writeLine } from '../messages/system-lines.ts'
import { type LockedTicket, lockTicket, toLogReferences } from '../tickets/lock.ts'
import { publishTicketEvents } from '../tickets/present.ts'
import { findProtocol, publishProtocol } from './present.ts'

/** What the customer reads. */
const WORDS = 'O protocolo deste atendimento é *{{protocol}}*. Guarde este número.'

/**
 * Generates a protocol and queues the message that tells it; whatever follows on this ticket (the farewell) goes out behind it. Asked
 * again while the ticket is still open, it gives the same protocol. Throws `ERR_NO_PERMISSION` while `generateProtocol` (for groups
 * also `greetingProtocolGroup`) is disabled or the ticket is hidden, `ERR_INVALID_TRANSITION` unless it is open, `ERR_VALIDATION` for another contact's.
 */
export async function generateProtocol(
  parts: Parts,
  session: Session,
  { ticketId, contactId }: RequestBody<'POST /protocolos'>,
): Promise<ResponseBody<'POST /protocolos'>> {
  return change(parts, async tx => {
    const ticket = await lockTicket(tx, session, ticketId)
    checkWanted(session, ticket)
    if (ticket.status !== 'open') throw new AppError('ERR_INVALID_TRANSITION', { from: ticket.status, to: 'closed' })
    if (contactId !== undefined && (await resolveMergedId(tx, contactId)) !== ticket.contactId)
      throw createFieldError('contactId', 'call.otherContact')
    const known = await givenSinceOpened(tx, ticketId)
    if (known) return { ...known, sent: true }

    const protocolo = await store(tx, session, ticket)
    const words = { protocol: protocolo }
    const { timezone } = session.settings
    const message = await writeAutomaticMessage(tx, {
      ticketId,
      text: WORDS,
      timezone,
      by: session,
      words,
      ticketToldLater: true,
      unhurried: 'in silence',
    })
    const line = createSystemLine(session, 'protocol', `gerou o protocolo ${protocolo}`, words)
    await writeLine(tx, ticketId, session.viewer.id, line)
    const by = { userId: session.viewer.id, ...toLogReferences(ticket) }
    await writeLog(tx, { action: 'protocol.create', params: { protocolo }, ...by })

    await publishTicketEvents(tx, [{ ticketId, action: 'update' }])
    const made = await findProtocol(tx, ticketId)
    if (!made) throw new Error('The protocol was not stored')
    await publishProtocol(tx, made, 'create')
    return { ...made, sent: message !== null }
  })
}

function checkWanted({ settings }: Session, { isGroup }: LockedTicket): void {
  const wanted = settings.generateProtocol && (!isGroup || settings.greetingProtocolGroup)
  if (!wanted) throw new AppError('ERR_NO_PERMISSION')
}

/** A second press, or a resolving that did not come through, gives no second number. */
async function givenSinceOpened(tx: Tx, ticketId: number): Promise<Protocol | null> {
  const rows = await getSql(tx)`
    select 1 from protocol p join ticket t on t.id = p.ticket_id
    where p.ticket_id = ${ticketId} and p.created_at >= coalesce(t.accepted_at, t.created_at)`
  return rows.length > 0 ? findProtocol(tx, ticketId) : null
}

/** The company's day and the row's own number: unique without asking. */
async function store(tx: Tx, { viewer, settings }: Session, ticket: LockedTicket): Promise<string> {
  const [row] = await getSql(tx)<{ protocolo: string }[]>`
    with given as (select nextval(pg_get_serial_sequence('protocol', 'id'))::int as id)
    insert into protocol (id, protocolo, ticket_id, contact_id, user_id) overriding system value
    select id, to_char(now() at time zone ${settings.timezone}, 'YYYYMMDD') || lpad(id::text, greatest(6, length(id::text)), '0'),
      ${ticket.id}, ${ticket.contactId}, ${viewer.id} from given
    returning protocolo`
  if (!row) throw new Error('The protocol was not stored')
  return row.protocolo
}
