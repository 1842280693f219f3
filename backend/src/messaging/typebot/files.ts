// Files of a flow on their way into messages: fetched as a stranger's, and stored as uploads of nobody that a message claims.
import { getCapabilities, type Kind } from '@balcao/contract'
import { toMediaKind } from '../../desk/media/file-type.ts'
import type { MediaStorage } from '../../desk/media/storage.ts'
import { removeMedia, storeMedia } from '../../desk/media/store.ts'
import type { FileToSend } from '../../desk/media/table.ts'
import { NO_SOUND } from '../../desk/media/to-send.ts'
import { canSendBytes } from '../../desk/messages/fits.ts'
import { AppError } from '../../platform/http/errors.ts'
import { followOutside, OutwardError, type OutwardOptions, readOutwardBody } from '../../platform/http/outward.ts'
import type { FlowMessage } from './questions.ts'

type FileSaying = Extract<FlowMessage, { say: 'file' }>

/** A file of a flow; null where it cannot be had or is not what it should be: then its address is said. Throws `OutwardError` at what nobody may reach. */
export async function fetchFile(
  place: MediaStorage,
  kind: Kind,
  { url, as }: FileSaying,
  outward: OutwardOptions,
): Promise<FileToSend | null> {
  const wanted = as === 'document' ? ('application' as const) : as
  try {
    const { answer } = await followOutside(url, { headers: { accept: '*/*' } }, { ...outward, plain: true })
    if (!answer.ok) {
      await answer.body?.cancel()
      return null
    }
    const most = getCapabilities(kind).maxBytes[wanted]
    const name = toFileName(url)
    const declared = answer.headers.get('content-type') ?? ''
    const { id, ...info } = await storeMedia(place, readOutwardBody(answer, most), { name, declared, most })
    const isOther = as !== 'document' && toMediaKind(info.mime) !== wanted
    const file = { media: wanted, mediaId: id, mime: info.mime, name: info.name }
    if (isOther || info.mime === 'image/gif' || !(await canSendBytes(place, kind, file))) {
      await removeMedia(place, [id])
      return null
    }
    return { ...info, mediaId: id, mediaType: wanted, ...NO_SOUND }
  } catch (error) {
    const isTheirs = error instanceof OutwardError ? error.fault !== 'private' : error instanceof AppError
    if (isTheirs) return null
    throw error
  }
}

function toFileName(url: string): string {
  const last = new URL(url).pathname.split('/').pop() ?? ''
  try {
    return decodeURIComponent(last) || 'arquivo'
  } catch {
    return last
  }
}
