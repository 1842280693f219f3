// Writing in an internal chat: it is there at once for everybody in it, and unread for all but who wrote it.
import { type ChatMessage, canSeeChat, canWriteChat, LIMITS, type SharedChat } from '@balcao/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createAccessError, createFieldError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { claimUpload } from '../media/claim.ts'
import { storeFiles, toMessageFileColumns } from '../media/to-send.ts'
import type { TextMessageRequest } from '../messages/send.ts'
import { type FilesWithText, numberClientId } from '../messages/send-files.ts'
import { type ChatRow, loadChatFacts, loadReadableChat, lockWritableChat } from './access.ts'
import { findLastMessageIds, updateChat } from './present.ts'
import { loadChatMessages, publishChatMessage } from './present-messages.ts'
import { chatMessages } from './table.ts'

/**
 * Sends a text or a file (spec 1 §6, §7). The same `clientId` again gives the same message. Throws `ERR_VALIDATION`,
 * `ERR_NO_CHAT_FOUND`, `ERR_NO_PERMISSION` for who is not in the chat, `ERR_NO_MESSAGE_FOUND` for a quoted one of elsewhere.
 */
export function sendChatMessage(
  parts: Parts,
  session: Session,
  chatId: number,
  sending: TextMessageRequest,
): Promise<ChatMessage> {
  return change(parts, tx => placeChatMessage(tx, session, chatId, sending))
}

async function placeChatMessage(
  tx: Tx,
  session: Session,
  chatId: number,
  sending: TextMessageRequest,
): Promise<ChatMessage> {
  if (sending.body.trim() === '' && !sending.file) throw createFieldError('body', 'call.message')
  const chat = await lockWritableChat(tx, session, chatId)
  const known = await sentBefore(tx, session, chatId, sending.clientId)
  if (known) return known
  if (sending.quotedId !== undefined) await checkQuoted(tx, chatId, sending.quotedId)
  if (sending.file) await claimUpload(tx, session.viewer.id, sending.file.mediaId, { chatId })
  const { id, ...shown } = await append(tx, session.viewer.id, chat, sending)
  const message = await publishChatMessage(tx, chat, id, 'create')
  await tellUnread(tx, await updateChat(tx, chatId, shown), session.viewer.id)
  return message
}

/** Sends files, the text under the first one. If one is refused none is sent. */
export async function sendChatFiles(
  parts: Parts,
  session: Session,
  chatId: number,
  { text, clientId, files }: FilesWithText,
): Promise<ChatMessage[]> {
  await checkMayWrite(parts, session, chatId)
  const ready = await storeFiles(parts, session.viewer.id, files, LIMITS.chatAttachments)
  return change(parts, async tx => {
    const messages: ChatMessage[] = []
    for (const [at, file] of ready.entries()) {
      const sending = { body: at === 0 ? text : '', file, clientId: numberClientId(session, clientId, at) }
      messages.push(await placeChatMessage(tx, session, chatId, sending))
    }
    return messages
  })
}

/** Before a file is looked at; the sending itself asks again under the lock. */
export async function checkMayWrite({ db }: Parts, session: Session, chatId: number): Promise<void> {
  if (!canWriteChat(session.viewer, await loadReadableChat(db, session, chatId))) throw createAccessError('chat')
}

/** The body becomes the new text, `editedMsg` keeps the one before. Throws `ERR_EDIT_WAPP_MSG` for messages of others and for files. */
export async function editChatMessage(
  parts: Parts,
  session: Session,
  chatId: number,
  id: number,
  text: string,
): Promise<ChatMessage> {
  const body = text.trim()
  if (body === '' || body.length > LIMITS.textLength) throw createFieldError('body', 'call.message')
  return change(parts, async tx => {
    await loadReadableChat(tx, session, chatId)
    const { chat, message } = await ownMessage(tx, session, id)
    if (chat.id !== chatId) throw new AppError('ERR_NO_MESSAGE_FOUND')
    if (message.senderId !== session.viewer.id || message.isDeleted || message.mediaType !== 'chat')
      throw new AppError('ERR_EDIT_WAPP_MSG')
    // The same once more: what stood before stays what stood before.
    const [same] = message.body === body ? await loadChatMessages(tx, [id]) : []
    if (same) return same
    const changed = await updateMessage(tx, chat, id, { body, editedMsg: chatMessages.body, isEdited: true })
    // The list shows the last message: when that one changes, so does the chat.
    if (chat.lastMessageId === id) await updateChat(tx, chat.id, { lastMessage: body })
    return changed
  })
}

/** Of a deleted message its place stays. Throws `ERR_DELETE_WAPP_MSG` ('Não foi possível excluir essa mensagem') for messages of others. */
export async function deleteChatMessage(parts: Parts, session: Session, id: number): Promise<void> {
  await change(parts, async tx => {
    const { chat, message } = await ownMessage(tx, session, id)
    if (message.senderId !== session.viewer.id || message.isDeleted) throw new AppError('ERR_DELETE_WAPP_MSG')
    const unread = await getSql(tx)`
      update chat_member set unread = unread - 1
      where chat_id = ${chat.id} and read_seq < ${message.seq} and unread > 0 and user_id <> ${session.viewer.id}`
    await updateMessage(tx, chat, id, { isDeleted: true })
    const isLast = chat.lastMessageId === id
    const shown = isLast ? ({ lastMessage: '', lastMessageType: 'chat' } as const) : {}
    if (isLast || unread.count > 0) await updateChat(tx, chat.id, shown)
  })
}

async function updateMessage(tx: Tx, chat: ChatRow, id: number, set: PgUpdateSetSource<typeof chatMessages>) {
  await tx
    .update(chatMessages)
    .set({ ...set, version: sql`${chatMessages.version} + 1` })
    .where(eq(chatMessages.id, id))
  return publishChatMessage(tx, chat, id, 'update')
}

/** For those who are to be told of it (spec 1 §4 "Live events": `ticketChat`). */
async function tellUnread(tx: Tx, chat: SharedChat, senderId: number): Promise<void> {
  const userIds = toIds(chat.users).filter(id => id !== senderId)
  const { id, version } = chat
  const audience = { to: 'users', userIds, says: await findLastMessageIds(tx, id) } as const
  await appendEvent(tx, audience, { event: 'ticketChat', action: 'updateUnread', version, chat })
}

async function ownMessage(tx: Tx, session: Session, id: number) {
  const find = () => tx.select().from(chatMessages).where(eq(chatMessages.id, id))
  const [place] = await find()
  const facts = place && (await loadChatFacts(tx, place.chatId))
  // What is said in a chat one does not see is as good as nothing.
  if (!facts || !canSeeChat(session.viewer, facts, session.settings)) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const chat = await lockWritableChat(tx, session, facts.id)
  const [message] = await find()
  if (!message) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return { chat, message }
}

async function sentBefore(tx: Tx, { viewer }: Session, chatId: number, clientId: string | undefined) {
  if (clientId === undefined) return undefined
  const own = and(eq(chatMessages.senderId, viewer.id), eq(chatMessages.clientId, clientId))
  const rows = await tx
    .select({ id: chatMessages.id })
    .from(chatMessages)
    .where(and(eq(chatMessages.chatId, chatId), own))
  return (await loadChatMessages(tx, toIds(rows)))[0]
}

async function checkQuoted(tx: Tx, chatId: number, quotedId: number): Promise<void> {
  const shown = and(eq(chatMessages.chatId, chatId), eq(chatMessages.isDeleted, false))
  if ((await tx.$count(chatMessages, and(eq(chatMessages.id, quotedId), shown))) === 0)
    throw new AppError('ERR_NO_MESSAGE_FOUND')
}

/**
 * Inserts the message under the lock of its chat; gives its id, and what the chat shows from now on. Who writes has read what stands
 * before.
 */
async function append(tx: Tx, senderId: number, chat: ChatRow, { body, quotedId, clientId, file }: TextMessageRequest) {
  const seq = chat.messageSeq + 1
  const { mediaId, media } = file ? toMessageFileColumns(file) : {}
  const mediaType = file ? (file.mediaType === 'sticker' ? 'image' : file.mediaType) : 'chat'
  const message = { chatId: chat.id, seq, senderId, body, mediaType, mediaId, media, quotedId, clientId } as const
  const [row] = await tx
    .insert(chatMessages)
    .values(message)
    .returning({ id: chatMessages.id, at: chatMessages.createdAt })
  if (!row) throw new AppError('ERR_CREATING_MESSAGE')
  const { id, at: lastMessageAt } = row
  await getSql(tx)`
    update chat_member set last_message_at = ${lastMessageAt},
      unread = case when user_id = ${senderId} then 0 else unread + 1 end,
      read_seq = case when user_id = ${senderId} then ${seq} else read_seq end
    where chat_id = ${chat.id}`
  const last = {
    lastMessage: body,
    lastMessageId: id,
    lastMessageType: mediaType,
    lastMessageUserId: senderId,
  } as const
  return { id, messageSeq: seq, lastMessageAt, ...last }
}
