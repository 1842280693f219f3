// Taking an own message back: marked here, revoked at the customer, or not sent at all while it still waits.
import { canChangeMessage, getCapabilities } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toLogReferences } from '../tickets/lock.ts'
import { changeMessage } from './change.ts'
import { enqueueOperation, lockUnsentRow, NOT_KNOWN_YET, toMessageRef } from './enqueue.ts'
import { lockMessage } from './lock-message.ts'

/**
 * Throws `ERR_DELETE_WAPP_MSG` for messages of others, where the connection cannot revoke (spec 1 §5 "Message menu"), and unless the ticket is open; the
 * own comment also in one that waits. What may be out already, and waits to go out once more, does not go again even where it is refused so.
 */
export async function revokeMessage(parts: Parts, session: Session, id: number): Promise<void> {
  const isStopped = await change(parts, async tx => {
    const message = await lockMessage(tx, session, id)
    const { status } = message.ticket
    if (!canChangeMessage(status, message, session.viewer.id)) throw new AppError('ERR_DELETE_WAPP_MSG', { status })
    if (!message.from_me || message.isDeleted || message.mediaType === 'system')
      throw new AppError('ERR_DELETE_WAPP_MSG')
    const waiting = message.mediaType === 'comment' ? null : await lockUnsentRow(tx, id)
    const neverSent = message.mediaType === 'comment' || message.state === 'failed'
    if (waiting === null ? !neverSent : waiting.mayBeOut) {
      const ref = toMessageRef(message) ?? (message.state === 'sending' ? NOT_KNOWN_YET : null)
      if (!getCapabilities(message.api).revoke || !ref || message.isStranded) {
        if (waiting === null || message.state !== 'queued') throw new AppError('ERR_DELETE_WAPP_MSG')
        await getSql(tx)`update outbox set state = 'unknown', done_at = now() where id = ${waiting.id}`
        await changeMessage(tx, session, id, { state: 'unknown' })
        return true
      }
      await enqueueOperation(tx, message.route, id, { type: 'revoke', ref })
    }
    if (waiting !== null) await getSql(tx)`delete from outbox where id = ${waiting.id}`
    const refs = { messageId: id, ...toLogReferences(message.ticket) }
    await writeLog(tx, { action: 'message.delete', userId: session.viewer.id, ...refs })
    await changeMessage(tx, session, id, { isDeleted: true })
    return false
  })
  if (isStopped) throw new AppError('ERR_DELETE_WAPP_MSG', undefined, {}, 'repeatStopped')
}
