// What a protocol was about, in the team's words; everything else of it stays as it was given (spec 3 §2).
import { type BodyOf, type Protocol, protocolRules } from '@balcao/contract'
import { sqlOf } from '../../platform/database/raw.ts'
import { accepted } from '../../platform/http/errors.ts'
import { refuseStale } from '../../policy/kit/kept-rows.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { getProtocol } from './list.ts'
import { protocolEvent } from './present.ts'

/**
 * Throws `ERR_VALIDATION` unless it has 2 to 50 characters, `ERR_NO_PROTOCOL_FOUND`, `ERR_NO_PERMISSION`, and `ERR_CHANGED_MEANWHILE` with
 * the protocol as it is now.
 */
export async function editProtocol(
  parts: Parts,
  session: Session,
  id: number,
  body: BodyOf<'PUT /protocolos/:id'>,
): Promise<Protocol> {
  const { mensagem } = accepted(protocolRules, { mensagem: body.mensagem })
  return change(parts, async tx => {
    const sql = sqlOf(tx)
    await sql`select 1 from protocol where id = ${id} for no key update`
    refuseStale(await getProtocol(tx, session, id), body.version)
    await sql`update protocol set mensagem = ${mensagem}, updated_at = now(), version = version + 1 where id = ${id}`
    const now = await getProtocol(tx, session, id)
    const { ticketId, contactId, protocolo } = now
    await writeLog(tx, {
      ...{ action: 'protocol.update', params: { protocolo }, userId: session.viewer.id },
      ...{ ticketId, contactId },
    })
    await protocolEvent(tx, now, 'update')
    return now
  })
}
