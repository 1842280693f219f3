// The chat a call is about, and whether this person may see it or write in it.
import { type ChatFacts, canSeeChat, canWriteChat } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createAccessError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'

export interface ChatRow extends ChatFacts {
  readonly id: number
  readonly isGroup: boolean
  readonly messageSeq: number
  readonly lastMessageId: number | null
}

/** The facts of a chat; null when there is none. */
export async function loadChatFacts(db: Db | Tx, id: number): Promise<ChatRow | null> {
  const [row] = await getSql(db)<ChatRow[]>`
    select c.id, c.is_group as "isGroup", c.message_seq as "messageSeq", c.last_message_id::float8 as "lastMessageId",
      array(select user_id from chat_member where chat_id = c.id order by user_id) as "userIds"
    from chat c where c.id = ${id}`
  return row ?? null
}

/** A chat this person may read. Throws `ERR_NO_CHAT_FOUND`, `ERR_NO_PERMISSION` ('Você não tem permissão para acessar esse chat'). */
export async function loadReadableChat(db: Db | Tx, { viewer, settings }: Session, id: number): Promise<ChatRow> {
  const chat = await loadChatFacts(db, id)
  if (!chat) throw new AppError('ERR_NO_CHAT_FOUND')
  if (!canSeeChat(viewer, chat, settings)) throw createAccessError('chat')
  return chat
}

/** A chat this person may write in, locked until the transaction ends. Throws `ERR_NO_CHAT_FOUND`, `ERR_NO_PERMISSION`. */
export async function lockWritableChat(tx: Tx, { viewer }: Session, id: number): Promise<ChatRow> {
  await getSql(tx)`select 1 from chat where id = ${id} for update`
  const chat = await loadChatFacts(tx, id)
  if (!chat) throw new AppError('ERR_NO_CHAT_FOUND')
  if (!canWriteChat(viewer, chat)) throw createAccessError('chat')
  return chat
}
