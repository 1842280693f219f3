// Fetching the file of a received message again, after it could not be had.
import type { Message } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { emitted } from './edit.ts'
import { lockMessage } from './own.ts'

/**
 * The message says `pending` until the file is there or has failed again. Throws `ERR_FETCH_WAPP_MSG` where there is nothing to fetch,
 * `ERR_WAPP_DOWNLOAD_MEDIA_DENIED` for what was refused, and `ERR_WAPP_DOWNLOAD_MEDIA` where its connection was deleted.
 */
export async function downloadAgain(parts: Parts, session: Session, id: number): Promise<Message> {
  const message = await change(parts, async tx => {
    await lockMessage(tx, session, id)
    const sql = sqlOf(tx)
    const [file] = await sql<{ error: string | null; gone: boolean }[]>`
      select m.media->>'error' as error, w.deleted_at is not null as gone from message m join whatsapp w on w.id = m.whatsapp_id
      where m.id = ${id} and not m.from_me and m.media is not null and m.media_id is null`
    if (!file) throw new AppError('ERR_FETCH_WAPP_MSG')
    if (file.error === 'ERR_WAPP_DOWNLOAD_MEDIA_DENIED') throw new AppError(file.error)
    if (file.gone) throw new AppError('ERR_WAPP_DOWNLOAD_MEDIA')
    await sql`
      update message set media = media || '{"state":"pending","error":null}'::jsonb, version = version + 1 where id = ${id}`
    return emitted(tx, session, id)
  })
  await parts.fetchMedia()
  return message
}
