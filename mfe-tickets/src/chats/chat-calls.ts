// The calls the stores of internal chats make; they take them as an argument, so tests bring their own.
import type { AnswerOf, BodyOf, Chat, QueryOf } from '@balcao/contract'
import { api } from '@balcao/ui/api'

export const chatCalls = {
  list(query: QueryOf<'GET /chats'>): Promise<AnswerOf<'GET /chats'>> {
    return api('GET /chats', { query })
  },
  chat(id: number): Promise<Chat> {
    return api('GET /chats/:id', { params: { id } })
  },
  messages(body: BodyOf<'POST /chats/messages/get'>): Promise<AnswerOf<'POST /chats/messages/get'>> {
    return api('POST /chats/messages/get', { body })
  },
}

export type ChatCalls = typeof chatCalls
