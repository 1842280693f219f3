// Recordings written out: asked for by a person, done by a job, told as an update of the message (decisions §3).
import type { Message } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import type { Task } from 'graphile-worker'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import { readNumber } from '../../platform/worker/kind.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createMediaStorage } from '../media/storage.ts'
import { openMedia } from '../media/store.ts'
import { changeMessage, loadMessage } from '../messages/change.ts'
import { lockVisibleMessage } from '../messages/lock-message.ts'
import { publishMessageEvents } from '../messages/present.ts'
import { messages } from '../messages/table.ts'
import { toLogReferences } from '../tickets/lock.ts'
import { AiError, transcribe } from './client.ts'

export const TRANSCRIBE = 'transcribe'
const ATTEMPTS = 3
/** So many recordings are sent off at once: the endpoint is asked by one desk, and each is held in memory. */
const AT_ONCE = 3

/**
 * Asks for the text of a recording; one that has it already stays as it is. Throws `ERR_NO_AI_KEY`, `ERR_FETCH_WAPP_MSG` for what is
 * no recording or has not been fetched, `ERR_NO_MESSAGE_FOUND`.
 */
export async function requestTranscription(parts: Parts, session: Session, id: number): Promise<Message> {
  return change(parts, async tx => {
    const message = await lockVisibleMessage(tx, session, id)
    if (!parts.config.ai) throw new AppError('ERR_NO_AI_KEY')
    const [row] = await tx.select().from(messages).where(eq(messages.id, id))
    if (row?.mediaType !== 'audio' || row.mediaId === null || message.isDeleted)
      throw new AppError('ERR_FETCH_WAPP_MSG')
    if (row.transcription !== null || row.transcriptionState === 'pending') return loadMessage(tx, session, id)

    const queue = { key: `${TRANSCRIBE}:${id}`, attempts: ATTEMPTS, queue: `${TRANSCRIBE}:${id % AT_ONCE}` }
    await enqueueJob(tx, TRANSCRIBE, { payload: { messageId: id }, ...queue })
    const refs = { messageId: id, ...toLogReferences(message.ticket) }
    await writeLog(tx, { action: 'message.transcribe', userId: session.viewer.id, ...refs })
    return changeMessage(tx, session, id, { transcriptionState: 'pending' })
  })
}

/** The job. An endpoint that is busy or away is asked again; what it refuses, or cannot be had in the end, says `failed`. */
export function createTranscriptionTask(parts: Parts): Task {
  return async (payload, { job }) => {
    const id = readNumber(payload, 'messageId')
    const place = createMediaStorage(parts)
    const [row] = await getSql(parts.db)<{ media_id: string | null }[]>`
      select media_id from message where id = ${id} and not is_deleted and transcription is null`
    if (!row) return
    try {
      const file = row.media_id === null ? null : await openMedia(place, row.media_id)
      if (!parts.config.ai || !file) return await settle(parts, id, null)
      const recording = Bun.file(file.path, { type: file.mime })
      await settle(parts, id, await transcribe(parts.config.ai, recording, fileName(file.name, file.mime)))
    } catch (error) {
      const known = error instanceof AiError ? error : null
      const cause = known ? { status: known.status } : { err: error }
      parts.log.warn({ ...cause, messageId: id, attempt: job.attempts }, 'a recording was not transcribed')
      if (known?.again !== false && job.attempts < job.max_attempts) throw error
      await settle(parts, id, null)
    }
  }
}

async function settle(parts: Parts, id: number, text: string | null): Promise<void> {
  await change(parts, async tx => {
    const changed = await getSql(tx)`
      update message set transcription = ${text}, transcription_state = ${text === null ? 'failed' : null}, version = version + 1
      where id = ${id}`
    if (changed.count > 0) await publishMessageEvents(tx, [id], 'update')
  })
}

const ENDINGS: Record<string, string> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/webm': 'webm',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
}

/** Endpoints go by the ending. The name itself may be a person's. */
function fileName(name: string, mime: string): string {
  const ending = ENDINGS[mime.split(';')[0]?.trim() ?? ''] ?? /\.(\w{2,4})$/.exec(name)?.[1] ?? 'ogg'
  return `audio.${ending}`
}
