// Fetching the file of a received message again, after it could not be had.
import type { Message } from '@balcao/contract'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { changeMessage } from './change.ts'
import { lockVisibleMessage } from './lock-message.ts'

/**
 * The message says `pending` until the file is there or has failed again. Throws `ERR_FETCH_WAPP_MSG` where there is nothing to fetch,
 * `ERR_WAPP_DOWNLOAD_MEDIA_DENIED` for what was refused, and `ERR_WAPP_DOWNLOAD_MEDIA` where its connection was deleted.
 */
export async function downloadAgain(parts: Parts, session: Session, id: number): Promise<Message> {
  const message = await change(parts, async tx => {
    const { from_me: fromMe, media, mediaId, isStranded } = await lockVisibleMessage(tx, session, id)
    if (fromMe || !media || mediaId !== null) throw new AppError('ERR_FETCH_WAPP_MSG')
    if (media.error === 'ERR_WAPP_DOWNLOAD_MEDIA_DENIED') throw new AppError(media.error)
    if (isStranded) throw new AppError('ERR_WAPP_DOWNLOAD_MEDIA')
    return changeMessage(tx, session, id, { media: { ...media, state: 'pending', error: null } })
  })
  await parts.fetchMedia()
  return message
}
