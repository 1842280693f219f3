// Sending: the message is stored and handed to the outbox in one transaction; its ticks come later as updates.
import {
  capabilitiesOf,
  commentText,
  isComment,
  type Kind,
  type MediaInfo,
  type MediaType,
  type Message,
} from '@balcao/contract'
import type { Outgoing, QuoteRef } from '../channels/driver.ts'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { claimUpload } from '../media/claim.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { type LockedTicket, lockTicket } from '../tickets/lock.ts'
import { ticketEvents } from '../tickets/present.ts'
import { appendMessage } from './append.ts'
import { shownWith } from './conversation.ts'
import { handOver, type RefRow, refOf } from './hand-over.ts'
import { loadMessages, messageEvents } from './present.ts'

/** What the recorder knows of a voice note: its length, and its loudness over time as 0 to 100. */
export interface Voice {
  readonly seconds: number | null
  readonly waveform: readonly number[] | null
}

/** An upload of who sends, which becomes the message's. */
export interface FileToSend {
  readonly mediaId: string
  readonly mediaType: 'image' | 'audio' | 'video' | 'application' | 'sticker'
  readonly name: string
  readonly mime: string
  readonly size: number
  /** Set for a voice note. */
  readonly voice: Voice | null
  readonly thumb: boolean
  readonly width: number | null
  readonly height: number | null
}

export interface Sending {
  readonly body: string
  readonly quotedId?: number | undefined
  readonly clientId?: string | undefined
  readonly file?: FileToSend | undefined
}

/**
 * Sends a text, an internal comment (`--` in front) or a file in an open ticket (spec 1 §4, §5, §7). A comment takes no file: its
 * words would reach the customer as a caption. The same `clientId` again gives the same message. Throws `ERR_VALIDATION`, `ERR_NO_FILE_FOUND`, `ERR_SENDING_WAPP_MSG` unless the ticket is open, `ERR_WINDOW_CLOSED`, `ERR_NO_MESSAGE_FOUND`.
 */
export async function sendMessage(
  parts: Parts,
  session: Session,
  ticketId: number,
  sending: Sending,
): Promise<Message> {
  const comment = isComment(sending.body)
  if (comment && sending.file) throw commentWithFile()
  const body = comment ? commentText(sending.body).trim() : sending.body
  if (body.trim() === '' && !sending.file)
    throw new AppError('ERR_VALIDATION', [{ path: 'body', message: 'Digite uma mensagem' }])
  if (sending.file?.mediaType === 'audio' && sending.body.trim() !== '')
    throw new AppError('ERR_VALIDATION', [{ path: 'body', message: 'Um áudio não leva legenda' }])
  return change(parts, async tx => {
    const ticket = await lockTicket(tx, session, ticketId)
    const known = await sentBefore(tx, session, ticketId, sending.clientId)
    if (known) return known
    const channel = await checkMaySend(tx, ticket, comment)
    const quote = sending.quotedId === undefined ? null : await quoteOf(tx, session, ticket, sending.quotedId)
    if (sending.file) await claimUpload(tx, session.viewer.id, sending.file.mediaId, { ticketId })
    const messageId = await appendMessage(tx, {
      ticketId,
      body,
      mediaType: comment ? 'comment' : mediaTypeOf(sending.file),
      state: comment ? 'sent' : 'queued',
      userId: session.viewer.id,
      clientId: sending.clientId ?? null,
      quotedId: sending.quotedId ?? null,
      mediaId: sending.file?.mediaId ?? null,
      media: sending.file ? mediaInfoOf(sending.file) : null,
    })
    if (!comment) {
      const payload = payloadOf(sending, quote)
      await handOver(tx, { ...channel, messageId, operation: 'message', payload })
    }
    await ticketEvents(tx, [{ ticketId, action: 'update' }])
    const [message] = await messageEvents(tx, [messageId], 'create')
    if (!message) throw new AppError('ERR_CREATING_MESSAGE')
    return message
  })
}

/** The refusal of files with a comment under them. */
export function commentWithFile(): AppError {
  return new AppError('ERR_VALIDATION', [{ path: 'body', message: 'Um comentário interno não leva arquivo' }])
}

async function sentBefore(
  tx: Tx,
  session: Session,
  ticketId: number,
  clientId: string | undefined,
): Promise<Message | undefined> {
  if (clientId === undefined) return undefined
  const [row] = await sqlOf(tx)<{ id: string }[]>`
    select id from message where ticket_id = ${ticketId} and client_id = ${clientId}`
  return row ? (await loadMessages(tx, [Number(row.id)], session))[0] : undefined
}

interface ChannelRow {
  api: Kind
  gone: boolean
  within: boolean
}

/**
 * Where to, if one may: only while the ticket is open (or in one of `statuses`), comments too (spec 1 §4). A comment stays here, so it needs no connection.
 * Throws `ERR_SENDING_WAPP_MSG`, `ERR_WAPP_NOT_INITIALIZED`, `ERR_WINDOW_CLOSED`.
 */
export async function checkMaySend(
  tx: Tx,
  ticket: LockedTicket,
  forComment: boolean,
  statuses: readonly LockedTicket['status'][] = ['open'],
) {
  const { whatsappId, contactId } = ticket
  if (!statuses.includes(ticket.status)) throw new AppError('ERR_SENDING_WAPP_MSG', { status: ticket.status })
  if (forComment) return { whatsappId, contactId }
  const [row] = await sqlOf(tx)<ChannelRow[]>`
    select w.api, w.deleted_at is not null as gone,
      coalesce(h.last_inbound_at > now() - interval '24 hours', false) as within
    from whatsapp w left join contact_channel h on h.whatsapp_id = w.id and h.contact_id = ${contactId}
    where w.id = ${whatsappId}`
  if (!row || row.gone) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
  if (capabilitiesOf(row.api).window24h && !row.within) throw new AppError('ERR_WINDOW_CLOSED')
  return { whatsappId, contactId }
}

interface QuotedRow extends RefRow {
  body: string
}

/** A quoted message must be in the conversation this person is shown; one the provider never saw cannot be quoted there, only here. */
async function quoteOf(tx: Tx, session: Session, ticket: LockedTicket, quotedId: number): Promise<QuoteRef | null> {
  const sql = sqlOf(tx)
  const [row] = await sql<QuotedRow[]>`
    select m.provider_id, m.chat, m.from_me, m.author_jid, m.body
    from message m join ticket t on t.id = m.ticket_id join ticket this on this.id = ${ticket.id}
    where m.id = ${quotedId} and m.media_type not in ('system', 'comment') and ${shownWith(sql, session, 'this', 't')}`
  if (!row) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const ref = refOf(row)
  return ref && { ...ref, body: row.body }
}

function mediaTypeOf(file: FileToSend | undefined): MediaType {
  return file?.mediaType ?? 'chat'
}

/** What a message keeps of a file of ours. */
export function mediaInfoOf({ name, mime, size, width, height, voice, thumb }: FileToSend): Omit<
  MediaInfo,
  'thumbUrl'
> & {
  thumb: boolean
} {
  const { seconds = null, waveform = null } = voice ?? {}
  const sound = { seconds, voice: voice !== null, waveform: waveform && [...waveform] }
  return { state: 'ready', name, mime, size, width, height, ...sound, error: null, thumb }
}

/** What the channel is handed: a text, or a file with its caption. */
export function payloadOf({ body, file }: Sending, quote: QuoteRef | null): Outgoing {
  const quoted = quote ? { quote } : {}
  if (!file) return { type: 'text', text: body, ...quoted }
  return {
    type: 'media',
    media: file.mediaType,
    mediaId: file.mediaId,
    mime: file.mime,
    name: file.name,
    ...(body.trim() === '' ? {} : { caption: body }),
    ...(file.voice ? { voice: true } : {}),
    ...(file.voice?.seconds ? { seconds: file.voice.seconds } : {}),
    ...(file.voice?.waveform ? { waveform: file.voice.waveform } : {}),
    ...quoted,
  }
}
