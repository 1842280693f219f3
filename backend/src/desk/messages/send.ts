// What a person sends from the composer: words, files, comments, cards. Its ticks come later as updates.
import {
  appendMenu,
  areChoicesClear,
  type Choices,
  COMMENT_STATUSES,
  isComment,
  type Message,
  stripCommentPrefix,
  toMenu,
} from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import type { QuoteRef } from '../../platform/channel/driver.ts'
import { renderVcard } from '../../platform/channel/vcard.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { getContact } from '../contacts/list.ts'
import { claimUpload } from '../media/claim.ts'
import type { FileToSend } from '../media/table.ts'
import type { LockedTicket } from '../tickets/lock.ts'
import { type NamedMembers, toContentColumns } from './content.ts'
import { shownWithSql } from './conversation.ts'
import { type MessageRefRow, toMessageRef } from './enqueue.ts'
import { resolveMentions } from './mentions.ts'
import { placeInTicket, sendInTicket } from './write.ts'

export interface TextMessageRequest {
  readonly body: string
  readonly quotedId?: number | undefined
  readonly clientId?: string | undefined
  readonly file?: FileToSend | undefined
  readonly choices?: Choices | undefined
  readonly members?: NamedMembers | undefined
}

/**
 * Sends a text, an internal comment (`--` in front) or a file in an open ticket (spec 1 §4, §5, §7); the team may also comment on one that
 * waits, which goes on waiting. A comment takes no file: its words would reach the customer as a caption. The same `clientId` again gives the same message. Throws `ERR_VALIDATION`, `ERR_NO_FILE_FOUND`, `ERR_SENDING_WAPP_MSG` unless the ticket is open, `ERR_WINDOW_CLOSED`, `ERR_NO_MESSAGE_FOUND`.
 */
export function sendMessage(
  parts: Parts,
  session: Session,
  ticketId: number,
  sending: TextMessageRequest,
): Promise<Message> {
  return change(parts, tx => placeMessage(tx, session, ticketId, sending))
}

/** The same in the caller's transaction: several that go out together, or none. */
export async function placeMessage(
  tx: Tx,
  session: Session,
  ticketId: number,
  sending: TextMessageRequest,
): Promise<Message> {
  const comment = isComment(sending.body)
  if (comment && sending.file) throw createCommentFileError()
  const body = comment ? stripCommentPrefix(sending.body).trim() : sending.body
  if (body.trim() === '' && !sending.file) throw createFieldError('body', 'call.message')
  if (sending.file?.mediaType === 'audio' && sending.body.trim() !== '')
    throw createFieldError('body', 'call.audioCaption')
  const { file, quotedId, clientId, choices, members } = sending
  if (choices && (comment || file || !areChoicesClear(choices)))
    throw createFieldError('choices', 'schema.fieldInvalid')
  const menu = choices && toMenu(body, choices)
  const text = menu ? appendMenu(body, menu.options) : body
  const where = { ticketId, clientId, ...(comment && { statuses: COMMENT_STATUSES, isForTeam: true }) }
  return placeInTicket(tx, session, where, async (_, ticket) => {
    const quote = quotedId === undefined ? null : await loadQuote(tx, session, ticket, quotedId)
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, { ticketId })
    if (comment) {
      const called = await resolveMentions(tx, session, ticketId, body)
      return { body, mediaType: 'comment', quotedId, payload: null, mentions: called }
    }
    return { ...toContentColumns({ body: text, file, quote, menu, members }), quotedId }
  })
}

interface CardRequest {
  readonly contactId: number
  readonly clientId?: string | undefined
}

/** Sends somebody of the contacts as a card (spec 1 §7). The same `clientId` again gives the same message. Throws `ERR_NO_CONTACT_FOUND`, `ERR_WAPP_INVALID_CONTACT` for groups and who has no number, and as any sending. */
export async function sendCard(
  parts: Parts,
  session: Session,
  ticketId: number,
  { contactId, clientId }: CardRequest,
): Promise<Message> {
  const { name, number, isGroup } = await getContact(parts.db, contactId)
  if (isGroup || !number) throw new AppError('ERR_WAPP_INVALID_CONTACT')
  const card = renderVcard(name || formatPhone(number), [{ phone: formatPhone(number), waId: number }])
  const payload = { type: 'contacts', vcards: [card] } as const
  return sendInTicket(parts, session, { ticketId, clientId }, async () => ({ body: card, mediaType: 'vcard', payload }))
}

/** The refusal of files with a comment under them. */
export function createCommentFileError(): AppError {
  return createFieldError('body', 'call.commentFile')
}

interface QuotedRow extends MessageRefRow {
  body: string
  whatsappId: number
  isDeleted: boolean
}

/**
 * A quoted message must be in the conversation this person is shown; one that the ticket's number never saw, or that was taken
 * back, is quoted only here. Its words are read again when it goes out.
 */
async function loadQuote(tx: Tx, session: Session, ticket: LockedTicket, quotedId: number): Promise<QuoteRef | null> {
  const sql = getSql(tx)
  const [row] = await sql<QuotedRow[]>`
    select m.provider_id, m.chat, m.from_me, m.author_jid, m.body, m.whatsapp_id as "whatsappId", m.is_deleted as "isDeleted"
    from message m join ticket t on t.id = m.ticket_id join ticket this on this.id = ${ticket.id}
    where m.id = ${quotedId} and m.media_type not in ('system', 'comment') and ${shownWithSql(sql, session, 'this', 't')}`
  if (!row) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const ref = row.whatsappId === ticket.whatsappId && !row.isDeleted ? toMessageRef(row) : null
  return ref && { ...ref, body: row.body }
}
