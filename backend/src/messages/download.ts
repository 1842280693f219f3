// Fetching the file of a received message again, after it could not be had.
import type { Message } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { emitted } from './edit.ts'
import { lockMessage } from './own.ts'

/** The message says `pending` until the file is there or has failed again. Throws `ERR_FETCH_WAPP_MSG` where there is nothing to fetch. */
export async function downloadAgain(parts: Parts, session: Session, id: number): Promise<Message> {
  const message = await change(parts, async tx => {
    await lockMessage(tx, session, id)
    const changed = await sqlOf(tx)`
      update message set media = media || '{"state":"pending","error":null}'::jsonb, version = version + 1
      where id = ${id} and not from_me and media is not null and media_id is null`
    if (changed.count === 0) throw new AppError('ERR_FETCH_WAPP_MSG')
    return emitted(tx, id)
  })
  await parts.fetchMedia(id)
  return message
}
