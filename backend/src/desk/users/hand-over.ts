// Handing somebody's live tickets of a queue to somebody else, by hand (decisions-2 §8).
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { checkAssignee, lockQueueName } from '../tickets/change.ts'
import { lockAssignedTickets, lockUsers, reassignTickets } from './leave.ts'

interface HandOverRequest {
  readonly substituteId: number
  readonly queueId: number
}

/**
 * Answers how many went. Throws `ERR_NO_USER_FOUND` for either person, where the other one is inactive too, `ERR_NO_QUEUE_FOUND`,
 * `ERR_VALIDATION` for a person who does not have the queue.
 */
export async function handOverTickets(
  parts: Parts,
  session: Session,
  id: number,
  { substituteId, queueId }: HandOverRequest,
): Promise<{ tickets: number }> {
  if (substituteId === id) throw createFieldError('substituteId', 'substitution.self')
  return change(parts, async tx => {
    await lockUsers(tx, [id, substituteId])
    const [person] = await getSql(tx)`select 1 from "user" where id = ${id} and deleted_at is null`
    if (!person || [id, substituteId].some(each => isHidden(session.viewer, each)))
      throw new AppError('ERR_NO_USER_FOUND')
    await lockQueueName(tx, queueId)
    const { name } = await checkAssignee(tx, substituteId, null)
    const [has] = await getSql(tx)`select 1 from user_queue where user_id = ${substituteId} and queue_id = ${queueId}`
    if (!has) throw createFieldError('substituteId', 'substitution.notInQueue', { name })
    const places = await lockAssignedTickets(tx, id)
    const to = { id: substituteId, name }
    const { toSubstitutes: count } = await reassignTickets(tx, session, places, place =>
      place.queueId === queueId ? to : 'stays',
    )
    const params = { queueId, toUserId: substituteId, tickets: count }
    await writeLog(tx, { action: 'user.transferTickets', params, userId: session.viewer.id, entityId: id, queueId })
    return { tickets: count }
  })
}
