// Internal chats and their messages for tests: `makeChat(3, { unread: 2 })`, of the person `ME` and others.
import type { Chat, ChatMessage, SharedChat } from '@balcao/contract'
import { toMinute } from './make.ts'

export const ME = 1

interface ChatFixture {
  readonly at?: number
  readonly version?: number
  readonly text?: string
  readonly unread?: number
  readonly users?: readonly number[]
  readonly readSeq?: Readonly<Record<number, number>>
}

export function makeChat(id: number, fields: ChatFixture = {}): Chat {
  const { at = id, version = 1, text = 'oi', unread = 0, users = [ME, 2], readSeq = {} } = fields
  const brief = (user: number) => ({ id: user, name: `Pessoa ${user}`, profilePicUrl: null })
  const shared: SharedChat = {
    id,
    isGroup: users.length > 2,
    groupName: '',
    userId: users[0] ?? ME,
    callingUserId: users[1] ?? null,
    user: brief(users[0] ?? ME),
    callingUser: brief(users[1] ?? ME),
    userName: 'Pessoa 1',
    callingName: 'Pessoa 2',
    users: users.map(user => ({
      ...brief(user),
      profile: 'user',
      unreadMessages: user === ME ? unread : 0,
      readSeq: readSeq[user] ?? 0,
    })),
    lastMessage: text,
    lastMessageType: 'chat',
    lastMessageUserId: 2,
    lastMessageAt: toMinute(at),
    createdAt: '2026-11-21T09:00:00.000Z',
    version,
  }
  return { ...shared, unreadMessages: unread, messagesUnread: unread }
}

export function makeChatMessage(seq: number, fields: Partial<ChatMessage> = {}): ChatMessage {
  return {
    id: seq,
    chatId: 1,
    seq,
    body: `recado ${seq}`,
    senderId: 2,
    sender: { id: 2, name: 'Diego', profilePicUrl: null },
    mediaType: 'chat',
    mediaUrl: null,
    media: null,
    quotedMsgId: null,
    quotedMsg: null,
    isDeleted: false,
    isEdited: false,
    editedMsg: null,
    ack: 1,
    read: false,
    createdAt: '2026-11-21T10:00:00.000Z',
    clientId: null,
    chat: { isGroup: false },
    version: 1,
    ...fields,
  }
}
