// What a protocol was about, in the team's words; everything else of it stays as it was given (spec 3 §2).
import { type Protocol, protocolRules, type RequestBody } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import { validateFields } from '../../platform/http/errors.ts'
import { rejectStale } from '../../policy/kit/kept-rows.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { getProtocol } from './list.ts'
import { publishProtocol } from './present.ts'

/**
 * Throws `ERR_VALIDATION` unless it has 2 to 50 characters, `ERR_NO_PROTOCOL_FOUND`, `ERR_NO_PERMISSION`, and `ERR_CHANGED_MEANWHILE` with
 * the protocol as it is now.
 */
export async function editProtocol(
  parts: Parts,
  session: Session,
  id: number,
  body: RequestBody<'PUT /protocolos/:id'>,
): Promise<Protocol> {
  const { mensagem } = validateFields(protocolRules, { mensagem: body.mensagem })
  return change(parts, async tx => {
    const sql = getSql(tx)
    await sql`select 1 from protocol where id = ${id} for no key update`
    rejectStale(await getProtocol(tx, session, id), body.version)
    await sql`update protocol set mensagem = ${mensagem}, updated_at = now(), version = version + 1 where id = ${id}`
    const now = await getProtocol(tx, session, id)
    const { ticketId, contactId, protocolo } = now
    await writeLog(tx, {
      ...{ action: 'protocol.update', params: { protocolo }, userId: session.viewer.id },
      ...{ ticketId, contactId },
    })
    await publishProtocol(tx, now, 'update')
    return now
  })
}
