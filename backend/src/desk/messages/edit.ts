// Editing an own text: here at once; at the customer through the outbox, or in it while the message still waits there.
import {
  canChangeMessage,
  getCapabilities,
  isComment,
  LIMITS,
  type Message,
  type RequestBody,
  stripCommentPrefix,
  stripSignature,
} from '@balcao/contract'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { isOwnClientId } from '../../policy/sessions/known-sessions.ts'
import { hasScope } from '../../policy/sessions/scopes.ts'
import { toPersonId } from '../../policy/users/viewer.ts'
import { NOW } from '../tickets/change.ts'
import { changeMessage, loadMessage } from './change.ts'
import { enqueueOperation, lockUnsentRow, NOT_KNOWN_YET, toMessageRef } from './enqueue.ts'
import { checkFits } from './fits.ts'
import { type LockedMessage, lockMessage } from './lock-message.ts'
import { rewriteMemberMentions } from './member-names.ts'
import { keepMentions, resolveMentions } from './mentions.ts'
import { type MemberMentions, messages } from './table.ts'

/** Which message a client means: our own says `messageId`, others may give the whole message as `editedMsg`. */
export function readEditedId({ messageId, id, editedMsg }: EditTarget): number {
  const inMessage = editedMsg !== null && typeof editedMsg === 'object' ? editedMsg.id : undefined
  const named = messageId ?? id ?? inMessage
  if (named === undefined) throw createFieldError('messageId', 'call.messageId')
  return named
}

type EditTarget = Pick<RequestBody<'PUT /messages/:ticketId'>, 'messageId' | 'id' | 'editedMsg'>

/**
 * The body becomes the new text, `editedMsg` keeps the one before, the history all of them. A message that still waits goes out
 * with the new text, and nobody but us knows that it was another. What is the customer's never becomes a comment: that would
 * reach the customer too. Throws `ERR_VALIDATION` for that and for no words, `ERR_EDIT_WAPP_MSG` for messages of others, files,
 * after the provider's time, on connections that cannot edit what is out (spec 1 §5 "Message menu"), and unless the ticket is
 * open (spec 1 §4); the own comment also in one that waits.
 */
export async function editMessage(parts: Parts, session: Session, id: number, text: string): Promise<Message> {
  return change(parts, async tx => {
    const message = await lockMessage(tx, session, id)
    const { status } = message.ticket
    checkProgram(session, message)
    const own = { ...message, userId: findWriterId(session, message) }
    if (!canChangeMessage(status, own, session.viewer.id)) throw new AppError('ERR_EDIT_WAPP_MSG', { status })
    const forTeam = message.mediaType === 'comment'
    if (!message.from_me || message.isDeleted || !(forTeam || message.mediaType === 'chat'))
      throw new AppError('ERR_EDIT_WAPP_MSG')
    const body = forTeam ? stripCommentPrefix(text).trim() : text.trim()
    checkWords(body, message)
    const waiting = forTeam ? null : await lockUnsentRow(tx, id)
    const query = getSql(tx)
    const mentions = message.memberMentions && rewriteMemberMentions(body, message.memberMentions)
    const wasSeen = waiting === null || waiting.mayBeOut
    if (!forTeam) checkFits(message.api, { type: 'text', text: body })
    const ref = wasSeen && !forTeam ? getEditableRef(message, waiting?.mayBeOut === true) : null
    // The same once more, by a second press or a repeated call: what stood before stays what stood before.
    if (body === message.body) return loadMessage(tx, session, id)
    // What is sent once more under its id the customer's phone drops, if the first came through.
    if (waiting !== null) await rewriteUnsent(tx, waiting.id, body, mentions)
    if (ref) await enqueueOperation(tx, message.route, id, { type: 'edit', ref, text: body })
    await query`insert into message_edit (message_id, body, user_id) values (${id}, ${message.body}, ${toPersonId(session.viewer.id)})`
    const calls = forTeam
      ? await keepMentions(tx, id, await resolveMentions(tx, session, message.ticket.id, body, id))
      : []
    const before = wasSeen ? { isEdited: true, editedMsg: message.body } : {}
    const changes = { body, memberMentions: mentions, editedAt: NOW, details: WITHOUT_LINK, ...before }
    return changeMessage(tx, session, id, changes, calls)
  })
}

/** A program changes its own comments alone, and the answer shows what a comment quotes to who may read messages. */
function checkProgram(session: Session, message: LockedMessage): void {
  if (session.scopes === undefined) return
  const isOwn = message.mediaType === 'comment' && findWriterId(session, message) === session.viewer.id
  if (!isOwn) throw new AppError('ERR_EDIT_WAPP_MSG')
  if (message.quotedId !== null && !hasScope(session, 'readMessages')) throw new AppError('ERR_NO_PERMISSION')
}

/** Under the number of the session that asks: what a program of the company wrote names nobody in its row. */
function findWriterId(session: Session, { userId, clientId }: LockedMessage): number | null {
  return userId === null && isOwnClientId(session, clientId) ? session.viewer.id : userId
}

/** It calls those whose names it still says; a menu still says the old words. */
async function rewriteUnsent(tx: Tx, outboxId: number, body: string, mentions: MemberMentions | null): Promise<void> {
  const digits = mentions?.members.map(member => member.digits) ?? []
  await getSql(tx)`
    update outbox set payload = jsonb_set(payload - 'mentions' - 'menu', '{text}',
        to_jsonb(case when payload ? 'mentions' then ${mentions?.text ?? body}::text else ${body}::text end))
      || coalesce((select jsonb_build_object('mentions', jsonb_agg(m.address)) from jsonb_array_elements_text(payload->'mentions') m(address)
        where substring(m.address from '^[^:@]+') = any(${digits}::text[]) having count(*) > 0), '{}')
    where id = ${outboxId}`
}

/** What stood under an address goes with the words. */
const WITHOUT_LINK = sql`${messages.details} - 'link'`

/** The signature may stay above the words; what is under it counts. */
function checkWords(body: string, { mediaType, body: before }: LockedMessage): void {
  if (body === '' || body.length > LIMITS.textLength) throw createFieldError('body', 'call.message')
  const signature = before.slice(0, before.length - stripSignature(before).length)
  const words = body.startsWith(signature) ? body.slice(signature.length) : body
  if (mediaType === 'chat' && isComment(words)) throw createFieldError('body', 'call.commentStart')
}

/** How the provider knows what is out. Throws where it cannot be edited any more. `isRepeat`: it waits to go out once more. */
function getEditableRef(message: LockedMessage, isRepeat: boolean) {
  const { edit } = getCapabilities(message.api)
  const ref = toMessageRef(message) ?? (message.state === 'sending' ? NOT_KNOWN_YET : null)
  if (
    edit === false ||
    message.ageMinutes > edit.windowMin ||
    !ref ||
    message.state === 'unknown' ||
    message.isStranded
  )
    throw new AppError('ERR_EDIT_WAPP_MSG', undefined, {}, isRepeat ? 'mayBeOut' : undefined)
  return ref
}
