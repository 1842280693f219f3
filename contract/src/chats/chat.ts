// Internal conversations between members of the team (spec 1 §2 "Internal chat screen", §3).
import { Id, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { MediaInfo } from '../messages/message.ts'
import { Profile, UserBrief } from '../users/user.ts'

/** What can stand in an internal chat: words and files. */
export const CHAT_MEDIA_TYPES = ['chat', 'image', 'audio', 'video', 'application'] as const
export const ChatMediaType = StringEnum(CHAT_MEDIA_TYPES)
export type ChatMediaType = Static<typeof ChatMediaType>

/** Somebody in a chat. `readSeq`: the number of the last message this person has read; ticks follow from it. */
export const ChatMember = Type.Object({
  ...UserBrief.properties,
  profile: Profile,
  unreadMessages: Type.Integer(),
  readSeq: Type.Integer(),
})
export type ChatMember = Static<typeof ChatMember>

/**
 * A chat as everybody in it sees it. A direct one has two sides, `userId` (who opened it) and `callingUserId`; a group has
 * members and a name. Besides these fields it carries `messagesUnreadBy{userId}`, one for each member (spec 1 §3).
 */
export const SharedChat = Type.Object(
  {
    id: Id,
    isGroup: Type.Boolean(),
    groupName: Type.String(),
    userId: Id,
    callingUserId: Nullable(Id),
    user: UserBrief,
    callingUser: Nullable(UserBrief),
    userName: Type.String(),
    callingName: Nullable(Type.String()),
    users: Type.Array(ChatMember),
    lastMessage: Type.String(),
    lastMessageType: ChatMediaType,
    lastMessageUserId: Nullable(Id),
    lastMessageAt: Type.String(),
    createdAt: Type.String(),
    version: Type.Integer(),
  },
  { patternProperties: { '^messagesUnreadBy[0-9]+$': Type.Integer() } },
)
export type SharedChat = Static<typeof SharedChat>

/** A chat as one person sees it: with the number of messages unread by that person, under both names of the specification. */
export const Chat = Type.Object(
  { ...SharedChat.properties, unreadMessages: Type.Integer(), messagesUnread: Type.Integer() },
  { patternProperties: { '^messagesUnreadBy[0-9]+$': Type.Integer() } },
)
export type Chat = Static<typeof Chat>

export const QuotedChatMessage = Type.Object({
  id: Id,
  body: Type.String(),
  senderId: Id,
  sender: Type.Object({ name: Type.String() }),
  mediaType: ChatMediaType,
  mediaUrl: Nullable(Type.String()),
  isDeleted: Type.Boolean(),
})
export type QuotedChatMessage = Static<typeof QuotedChatMessage>

/**
 * A message of an internal chat, in order of `seq`. `ack` is 1 until everybody else has read it, then 3 (the numbers of
 * `cloud_api`, spec 1 §4). A deleted one keeps its place and nothing of its contents.
 */
export const ChatMessage = Type.Object({
  id: Id,
  chatId: Id,
  seq: Type.Integer(),
  body: Type.String(),
  senderId: Id,
  sender: UserBrief,
  mediaType: ChatMediaType,
  mediaUrl: Nullable(Type.String()),
  media: Nullable(MediaInfo),
  quotedMsgId: Nullable(Id),
  quotedMsg: Nullable(QuotedChatMessage),
  isDeleted: Type.Boolean(),
  isEdited: Type.Boolean(),
  editedMsg: Nullable(Type.String()),
  ack: Type.Integer(),
  read: Type.Boolean(),
  createdAt: Type.String(),
  clientId: Nullable(Type.String()),
  chat: Type.Object({ isGroup: Type.Boolean() }),
  version: Type.Integer(),
})
export type ChatMessage = Static<typeof ChatMessage>
