// Sending a failed message again, under the id it already has.
import { getCapabilities, type Message } from '@balcao/contract'
import { createProviderId } from '../../platform/channel/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { changeMessage } from './change.ts'
import { lockMessage } from './lock-message.ts'
import { checkSendable } from './write.ts'

/** failed or unknown → queued. Throws `ERR_SENDING_WAPP_MSG` for any other state or a ticket that is not open, `ERR_WINDOW_CLOSED`. */
export async function retryMessage(parts: Parts, session: Session, id: number): Promise<Message> {
  return change(parts, async tx => {
    const message = await lockMessage(tx, session, id)
    const stuck = message.state === 'failed' || message.state === 'unknown'
    if (!message.from_me || !stuck || message.isDeleted || message.ticket.status !== 'open')
      throw new AppError('ERR_SENDING_WAPP_MSG', { status: message.ticket.status, state: message.state })
    await checkSendable(tx, message.route, message.mediaType === 'template')
    // A receipt of a try nobody knew of still proves that the customer has it; one of a refused try must not.
    const again = await getSql(tx)`
      update outbox set state = 'queued', attempts = 0, unhurried = false, next_at = now(), error = null, done_at = null, epoch = null,
        trace = case when ${message.state === 'unknown'} then trace end, may_be_out = may_be_out or ${message.state === 'unknown'}
      where id in (select id from outbox where message_id = ${id} and operation = 'message' and state in ('failed', 'unknown')
        for update skip locked)`
    if (again.count === 0) throw new AppError('ERR_SENDING_WAPP_MSG')
    // Where the provider gives the ids the next try gets one of its own, and its receipts must find it.
    const providerId = getCapabilities(message.api).resendSafe ? message.provider_id : createProviderId(message.api)
    return changeMessage(tx, session, id, { state: 'queued', errorLog: null, providerId })
  })
}
