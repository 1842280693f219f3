// The calls the stores of internal chats make; they take them as an argument, so tests bring their own.
import type { Chat, QueryParams, RequestBody, ResponseBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'

export const chatCalls = {
  list(query: QueryParams<'GET /chats'>): Promise<ResponseBody<'GET /chats'>> {
    return api('GET /chats', { query })
  },
  chat(id: number): Promise<Chat> {
    return api('GET /chats/:id', { params: { id } })
  },
  messages(body: RequestBody<'POST /chats/messages/get'>): Promise<ResponseBody<'POST /chats/messages/get'>> {
    return api('POST /chats/messages/get', { body })
  },
}

export type ChatCalls = typeof chatCalls
