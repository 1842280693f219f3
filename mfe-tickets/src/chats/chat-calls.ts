// The calls of internal chats, one line each. Stores take them as an argument, so tests bring their own.
import type { AnswerOf, BodyOf, Chat, ChatMessage, QueryOf } from '@balcao/contract'
import { api } from '@balcao/ui/api'

export const chatCalls = {
  list(query: QueryOf<'GET /chats'>): Promise<AnswerOf<'GET /chats'>> {
    return api('GET /chats', { query })
  },
  chat(id: number): Promise<Chat> {
    return api('GET /chats/:id', { params: { id } })
  },
  open(body: BodyOf<'POST /chats'>): Promise<Chat> {
    return api('POST /chats', { body })
  },
  change(id: number, body: BodyOf<'PUT /chats/:id'>): Promise<Chat> {
    return api('PUT /chats/:id', { params: { id }, body })
  },
  messages(body: BodyOf<'POST /chats/messages/get'>): Promise<AnswerOf<'POST /chats/messages/get'>> {
    return api('POST /chats/messages/get', { body })
  },
  edit(chatId: number, messageId: number, body: string): Promise<ChatMessage> {
    return api('PUT /chats/messages/:chatId', { params: { chatId }, body: { messageId, body } })
  },
  remove(id: number): Promise<undefined> {
    return api('DELETE /chats/messages/:id', { params: { id } })
  },
  read(id: number): Promise<undefined> {
    return api('POST /chats/messages/read/:id', { params: { id } })
  },
  async search(id: number, messageToSearch: string, signal: AbortSignal): Promise<readonly ChatMessage[]> {
    return (await api('GET /chats/search/:id', { params: { id }, query: { messageToSearch }, signal })).messages
  },
}

export type ChatCalls = typeof chatCalls
