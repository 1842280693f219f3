// Messages of internal chats in the form of the contract, many at once, and the live events that carry them.
import type { ChatMediaType, ChatMessage, MediaInfo, UserBrief } from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { isoOf, sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { appendEvents } from '../live/append.ts'
import { mediaUrl } from '../messages/present.ts'
import type { ChatRow } from './access.ts'

/** The numbers of `cloud_api` (spec 1 §4): sent, and read by everybody else. */
const SENT = 1
const READ = 3

/** Tells whoever may see the chat of one message, as it now stands in this transaction; gives it. */
export async function chatMessageEvent(
  tx: Tx,
  { userIds }: ChatRow,
  id: number,
  action: 'create' | 'update',
): Promise<ChatMessage> {
  const [message] = await loadChatMessages(tx, [id])
  if (!message) throw new AppError('ERR_NO_MESSAGE_FOUND')
  await appendEvents(tx, [
    {
      event: { event: 'appMessageChat', action, version: message.version, message },
      audience: { to: 'users', userIds, admins: true },
    },
  ])
  return message
}

/** Messages by id, in the order of the ids given; unknown ids are left out. */
export async function loadChatMessages(db: Db | Tx, ids: readonly number[]): Promise<ChatMessage[]> {
  if (ids.length === 0) return []
  const rows = await sqlOf(db)<MessageRow[]>`
    select m.*, c.is_group,
      json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) as sender,
      coalesce((select min(read_seq) from chat_member where chat_id = m.chat_id and user_id <> m.sender_id), 0) >= m.seq as all_read,
      q.body as quoted_body, q.sender_id as quoted_sender_id, qu.name as quoted_name, q.media_type as quoted_media_type,
      q.media_id as quoted_media_id, q.is_deleted as quoted_is_deleted
    from chat_message m
      join chat c on c.id = m.chat_id
      join "user" u on u.id = m.sender_id
      left join chat_message q on q.id = m.quoted_id
      left join "user" qu on qu.id = q.sender_id
    where m.id = any(${[...ids]}::bigint[])`
  const byId = new Map(rows.map(row => [Number(row.id), messageOf(row)]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

interface MessageRow {
  id: string
  chat_id: number
  seq: number
  sender_id: number
  sender: UserBrief
  body: string
  media_type: ChatMediaType
  media_id: string | null
  media: (Omit<MediaInfo, 'thumbUrl'> & { thumb?: boolean }) | null
  quoted_id: string | null
  is_deleted: boolean
  is_edited: boolean
  edited_msg: string | null
  client_id: string | null
  created_at: string
  version: string
  is_group: boolean
  all_read: boolean
  quoted_body: string | null
  quoted_sender_id: number | null
  quoted_name: string | null
  quoted_media_type: ChatMediaType | null
  quoted_media_id: string | null
  quoted_is_deleted: boolean | null
}

/** Of a deleted message nothing goes out but that it was there. */
function messageOf(row: MessageRow): ChatMessage {
  const gone = row.is_deleted
  return {
    id: Number(row.id),
    chatId: row.chat_id,
    seq: row.seq,
    body: gone ? '' : row.body,
    senderId: row.sender_id,
    sender: row.sender,
    mediaType: gone ? 'chat' : row.media_type,
    mediaUrl: gone || row.media_id === null ? null : mediaUrl(row.media_id),
    media: gone ? null : mediaOf(row),
    quotedMsgId: row.quoted_id === null ? null : Number(row.quoted_id),
    quotedMsg: gone ? null : quotedOf(row),
    isDeleted: gone,
    isEdited: row.is_edited,
    editedMsg: gone ? null : row.edited_msg,
    ack: row.all_read ? READ : SENT,
    read: row.all_read,
    createdAt: isoOf(row.created_at),
    clientId: row.client_id,
    chat: { isGroup: row.is_group },
    version: Number(row.version),
  }
}

function mediaOf({ media, media_id }: MessageRow): MediaInfo | null {
  if (!media) return null
  const { thumb, ...info } = media
  return { ...info, thumbUrl: thumb && media_id !== null ? `${mediaUrl(media_id)}?thumb=1` : null }
}

function quotedOf(row: MessageRow): ChatMessage['quotedMsg'] {
  if (row.quoted_id === null || row.quoted_sender_id === null) return null
  const isDeleted = row.quoted_is_deleted ?? false
  return {
    id: Number(row.quoted_id),
    body: isDeleted ? '' : (row.quoted_body ?? ''),
    senderId: row.quoted_sender_id,
    sender: { name: row.quoted_name ?? '' },
    mediaType: isDeleted ? 'chat' : (row.quoted_media_type ?? 'chat'),
    mediaUrl: isDeleted || row.quoted_media_id === null ? null : mediaUrl(row.quoted_media_id),
    isDeleted,
  }
}
