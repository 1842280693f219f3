// Internal chats (spec 1 §7 "Internal chats").

import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Cursor, Files, Id, Nullable, page, Type } from '../kit/schema.ts'
import { EditedMessage, NewMessage } from '../messages/endpoints.ts'
import { Chat, ChatMessage } from './chat.ts'

const Count = Type.Optional(Type.Integer({ minimum: 1 }))
/** People as ids, or as the objects a foreign client may hold. */
const People = Type.Array(Type.Union([Id, Type.Object({ id: Id })]), { maxItems: 500 })

/** A page of an internal chat, oldest first; pages as those of a conversation, `unread` too: the first message that oneself has not read. */
export const ChatMessagePage = Type.Object({
  messages: Type.Array(ChatMessage),
  ...page,
  newerCursor: Nullable(Type.String()),
  unreadFrom: Type.Optional(Id),
})

export const chatEndpoints = {
  'GET /chats': {
    summary: 'Internal chats, newest first; showAll is for admins while adminChatInterno is enabled',
    query: Type.Object({
      pageNumber: Count,
      cursor: Cursor,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      searchParam: Type.Optional(Type.String({ maxLength: 200 })),
      showAll: Type.Optional(Type.String({ maxLength: 5 })),
      withUnreadMessages: Type.Optional(Type.String({ maxLength: 5 })),
    }),
    answer: Type.Object({
      chats: Type.Array(Chat),
      ...page,
    }),
  },
  'GET /chats/unread': {
    summary: 'The own chats with something unread, for the badge',
    answer: Type.Object({ chats: Type.Array(Type.Object({ chatId: Id, unreadMessages: Type.Integer() })) }),
  },
  'POST /chats': {
    summary: 'Open a chat with one person (the one there is, if any) or make a group',
    errors: ['ERR_CHAT_WITH_ONESELF', 'ERR_NO_USER_FOUND'],
    body: Type.Object({
      userId: Type.Optional(Nullable(Id)),
      callingUserId: Type.Optional(Nullable(Id)),
      isGroup: Type.Optional(Type.Boolean()),
      groupName: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
      users: Type.Optional(People),
      clientId: ClientId,
    }),
    answer: Chat,
    status: 201,
  },
  'GET /chats/:id': { summary: 'One chat', errors: ['ERR_NO_CHAT_FOUND'], answer: Chat },
  'PUT /chats/:id': {
    summary:
      'Change the members or the name of a group; oneself stays in it. users are all that are in it then; add and remove change no others, and do not count beside users',
    errors: ['ERR_NO_CHAT_FOUND', 'ERR_NO_USER_FOUND'],
    body: Type.Object({
      users: Type.Optional(People),
      add: Type.Optional(People),
      remove: Type.Optional(People),
      groupName: Type.Optional(Type.String({ maxLength: 255 })),
    }),
    answer: Chat,
  },
  'POST /chats/messages/get': {
    summary: 'A page of an internal chat',
    errors: ['ERR_NO_CHAT_FOUND', 'ERR_NO_MESSAGE_FOUND'],
    body: Type.Object({
      chatId: Id,
      pageNumber: Count,
      cursor: Cursor,
      around: Type.Optional(Id),
      unread: Type.Optional(Type.Boolean()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      user: Type.Optional(Type.Unknown()),
    }),
    answer: ChatMessagePage,
  },
  'POST /chats/messages/:chatId': {
    summary: 'Send a text or an uploaded file (JSON), or files (multipart: medias, body, clientId)',
    errors: [
      'ERR_NO_CHAT_FOUND',
      'ERR_NO_MESSAGE_FOUND',
      'ERR_NO_FILE_FOUND',
      'ERR_CREATING_MESSAGE',
      'ERR_FILE_TOO_LARGE',
      'ERR_FILE_TYPE',
      'ERR_NO_SPACE',
    ],
    bodyKind: 'multipart',
    body: Type.Object({
      ...Type.Omit(NewMessage, ['userId', 'fromMe']).properties,
      sender: Type.Optional(Type.Unknown()),
    }),
    form: Type.Object({
      medias: Files,
      body: Type.Optional(Type.String()),
      clientId: Type.Optional(Type.String()),
      sender: Type.Optional(Type.String()),
    }),
    answer: Type.Union([ChatMessage, Type.Array(ChatMessage)]),
    status: 201,
  },
  'PUT /chats/messages/:chatId': {
    summary: 'Edit an own text, named by messageId, id or editedMsg',
    errors: ['ERR_NO_CHAT_FOUND', 'ERR_NO_MESSAGE_FOUND', 'ERR_EDIT_WAPP_MSG'],
    body: Type.Object({
      id: Type.Optional(Id),
      messageId: Type.Optional(Id),
      body: Type.String({ maxLength: 65_536 }),
      sender: Type.Optional(Type.Unknown()),
      read: Type.Optional(Type.Unknown()),
      mediaUrl: Type.Optional(Type.Unknown()),
      quotedMsg: Type.Optional(Type.Unknown()),
      editedMsg: Type.Optional(EditedMessage),
    }),
    answer: ChatMessage,
  },
  'DELETE /chats/messages/:id': {
    summary: 'Delete an own message',
    errors: ['ERR_NO_MESSAGE_FOUND', 'ERR_DELETE_WAPP_MSG'],
    status: 204,
  },
  'POST /chats/messages/read/:id': {
    summary: 'Everything in this chat is read by the one who asks',
    errors: ['ERR_NO_CHAT_FOUND'],
    status: 204,
  },
  'GET /chats/search/:id': {
    summary: 'Find messages in an internal chat',
    errors: ['ERR_NO_CHAT_FOUND'],
    query: Type.Object({ messageToSearch: Type.String({ minLength: 1, maxLength: 200 }), userId: Type.Optional(Id) }),
    answer: Type.Object({ messages: Type.Array(ChatMessage) }),
  },
} as const satisfies Record<string, Endpoint>
