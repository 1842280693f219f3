// Messages of internal chats in the form of the contract, many at once, and the live events that carry them.
import type { ChatMessage, QuotedChatMessage } from '@balcao/contract'
import { type Db, getPageDatabase, type Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import type { MessageMedia } from '../media/table.ts'
import { toMediaInfo, toMediaUrl } from '../messages/present.ts'
import type { ChatRow } from './access.ts'

/** The numbers of `cloud_api` (spec 1 §4): sent, and read by everybody else. */
const SENT = 1
const READ = 3

/** Tells whoever may see the chat of one message, as it now stands in this transaction; gives it. */
export async function publishChatMessage(
  tx: Tx,
  { userIds }: ChatRow,
  id: number,
  action: 'create' | 'update',
): Promise<ChatMessage> {
  const [message] = await loadChatMessages(tx, [id])
  if (!message) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const { version, quotedMsg } = message
  const says = [id, ...(quotedMsg ? [quotedMsg.id] : [])]
  const audience = { to: 'users', userIds, admins: true, says } as const
  await appendEvent(tx, audience, { event: 'appMessageChat', action, version, message })
  return message
}

/** Messages by id, in the order of the ids given; unknown ids are left out. */
export async function loadChatMessages(db: Db | Tx, ids: readonly number[]): Promise<ChatMessage[]> {
  if (ids.length === 0) return []
  const rows = await getSql(getPageDatabase(db))<MessageRow[]>`
    select m.id::float8 as id, m.chat_id as "chatId", m.seq, m.body, m.sender_id as "senderId", m.media_type as "mediaType",
      m.media_id as "mediaId", m.media, m.quoted_id::float8 as "quotedMsgId", m.is_deleted as "isDeleted", m.is_edited as "isEdited",
      m.edited_msg as "editedMsg", m.client_id as "clientId", m.created_at as "createdAt", m.version::int as version,
      json_build_object('isGroup', c.is_group) as chat,
      json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) as sender,
      coalesce((select min(read_seq) from chat_member where chat_id = m.chat_id and user_id <> m.sender_id), 0) >= m.seq as read,
      case when q.id is not null then json_build_object('id', q.id, 'body', q.body, 'senderId', q.sender_id,
        'sender', json_build_object('name', qu.name), 'mediaType', q.media_type, 'mediaId', q.media_id, 'isDeleted', q.is_deleted) end as quoted
    from chat_message m
      join chat c on c.id = m.chat_id
      join "user" u on u.id = m.sender_id
      left join chat_message q on q.id = m.quoted_id
      left join "user" qu on qu.id = q.sender_id
    where m.id = any(${[...ids]}::bigint[])`
  return sortByIds(ids, rows).map(toChatMessage)
}

interface MessageRow extends Omit<ChatMessage, 'mediaUrl' | 'media' | 'quotedMsg' | 'ack'> {
  readonly mediaId: string | null
  readonly media: MessageMedia | null
  readonly quoted: (Omit<QuotedChatMessage, 'mediaUrl'> & { readonly mediaId: string | null }) | null
}

/** Of a deleted message nothing goes out but that it was there. */
const GONE = {
  body: '',
  mediaType: 'chat',
  mediaUrl: null,
  media: null,
  quotedMsg: null,
  editedMsg: null,
} as const satisfies Partial<ChatMessage>

/** A message as a fresh fetch shows it once it was deleted. */
export function toDeletedChatMessage(message: ChatMessage): ChatMessage {
  return { ...message, ...GONE, isDeleted: true }
}

/** The same as it stands quoted in another one. */
export function toDeletedChatQuote(quoted: QuotedChatMessage): QuotedChatMessage {
  return { ...quoted, body: '', mediaType: 'chat', mediaUrl: null, isDeleted: true }
}

function toChatMessage({ mediaId, media, quoted, ...own }: MessageRow): ChatMessage {
  return {
    ...own,
    ack: own.read ? READ : SENT,
    mediaUrl: mediaId && toMediaUrl(mediaId),
    media: toMediaInfo(media, mediaId),
    quotedMsg: quoted && toQuotedMessage(quoted),
    ...(own.isDeleted && GONE),
  }
}

function toQuotedMessage({ mediaId, ...quoted }: NonNullable<MessageRow['quoted']>): QuotedChatMessage {
  return quoted.isDeleted
    ? toDeletedChatQuote({ ...quoted, mediaUrl: null })
    : { ...quoted, mediaUrl: mediaId && toMediaUrl(mediaId) }
}
