// The calls of the desk, one line each. Stores take them as an argument, so tests bring their own.
import type {
  AnswerOf,
  BodyOf,
  ChatMessage,
  Contact,
  Message,
  QueryOf,
  Queue,
  Ticket,
  TicketCounts,
} from '@balcao/contract'
import { api, upload } from '@balcao/ui/api'
import { chatOfLane } from './chats/lane.ts'
import type { STATUS_OF } from './tickets/belongs-to.ts'

interface Filters {
  readonly showAll: boolean
  readonly queueIds: readonly number[] | null
}

export interface TicketsQuery extends Filters {
  readonly status: (typeof STATUS_OF)[keyof typeof STATUS_OF]
  readonly cursor?: string
  readonly limit?: number
}

export type TicketChange = BodyOf<'PUT /tickets/:id'>

export const server = {
  tickets({ showAll, queueIds, ...query }: TicketsQuery): Promise<AnswerOf<'GET /tickets'>> {
    return api('GET /tickets', { query: { ...query, ...wire({ showAll, queueIds }) } })
  },
  counts(filters: Filters): Promise<TicketCounts> {
    return api('GET /tickets/counts', { query: wire(filters) })
  },
  search(query: QueryOf<'GET /tickets/filter'>, signal: AbortSignal): Promise<AnswerOf<'GET /tickets/filter'>> {
    return api('GET /tickets/filter', { query, signal })
  },
  async find(ticketId: number, messageToSearch: string, signal: AbortSignal): Promise<readonly Message[]> {
    return (await api('GET /messages/search/:ticketId', { params: { ticketId }, query: { messageToSearch }, signal }))
      .messages
  },
  tags(): Promise<AnswerOf<'GET /tag'>> {
    return api('GET /tag')
  },
  ticket(id: number): Promise<Ticket> {
    return api('GET /tickets/:id', { params: { id } })
  },
  change(id: number, body: TicketChange): Promise<Ticket> {
    return api('PUT /tickets/:id', { params: { id }, body })
  },
  create(body: BodyOf<'POST /tickets'>): Promise<Ticket> {
    return api('POST /tickets', { body })
  },
  /** Asks whoever has it to hand it over. */
  ask(id: number): Promise<undefined> {
    return api('POST /tickets/:id/ask', { params: { id } })
  },
  /** The number the customer can quote; sent before anything that follows. */
  protocol(ticketId: number): Promise<AnswerOf<'POST /protocolos'>> {
    return api('POST /protocolos', { body: { ticketId } })
  },
  remove(id: number): Promise<undefined> {
    return api('DELETE /tickets/:id', { params: { id }, body: {} })
  },
  /** Up to a message that was seen. */
  read(id: number, upTo: number): Promise<undefined> {
    return api('POST /tickets/:id/read', { params: { id }, query: { upTo } })
  },
  messages(
    ticketId: number,
    query: { cursor?: string; limit?: number; around?: number; unread?: boolean; ahead?: boolean },
  ): Promise<AnswerOf<'GET /messages/:ticketId'>> {
    return api('GET /messages/:ticketId', { params: { ticketId }, query })
  },
  async send(ticketId: number, body: BodyOf<'POST /messages/:ticketId'>): Promise<Message> {
    const answer = await api('POST /messages/:ticketId', { params: { ticketId }, body })
    const message = Array.isArray(answer) ? answer[0] : answer
    if (!message) throw new Error('the server answered without a message')
    return message
  },
  async sendInChat(chatId: number, body: BodyOf<'POST /chats/messages/:chatId'>): Promise<ChatMessage> {
    const answer = await api('POST /chats/messages/:chatId', { params: { chatId }, body })
    const message = Array.isArray(answer) ? answer[0] : answer
    if (!message) throw new Error('the server answered without a message')
    return message
  },
  edit(ticketId: number, messageId: number, body: string): Promise<Message> {
    return api('PUT /messages/:ticketId', { params: { ticketId }, body: { messageId, body } })
  },
  revoke(id: number): Promise<undefined> {
    return api('DELETE /messages/:id', { params: { id } })
  },
  retry(id: number): Promise<Message> {
    return api('POST /messages/retry/:id', { params: { id } })
  },
  react(id: number, emoji: string): Promise<Message> {
    return api('POST /messages/react/:id', { params: { id }, body: { emoji } })
  },
  downloadAgain(id: number): Promise<Message> {
    return api('POST /messages/download/:id', { params: { id } })
  },
  /** `lane` is a ticket's id, or the negative of a chat's; a `voice` recording is put into the form voice notes have. */
  async upload(file: File, lane: number, voice: boolean, onProgress: (part: number) => void): Promise<string> {
    const chatId = chatOfLane(lane)
    const place = chatId === null ? { ticketId: lane } : { chatId }
    const query = { name: file.name, ...place, ...(voice ? { voice: 'true' as const } : {}) }
    const body = new File([file], file.name, { type: file.type || 'application/octet-stream' })
    const { uploadId } = await upload('PUT /uploads', { body, onProgress, query })
    return uploadId
  },
  queues(): Promise<Queue[]> {
    return api('GET /queue')
  },
  connections(): Promise<AnswerOf<'GET /whatsapp'>> {
    return api('GET /whatsapp')
  },
  async users(): Promise<AnswerOf<'GET /users'>['users']> {
    return (await api('GET /users', { query: { all: 'true' } })).users
  },
  contact(id: number): Promise<Contact> {
    return api('GET /contacts/:id', { params: { id } })
  },
  async quickAnswers(searchParam: string): Promise<AnswerOf<'GET /quickAnswers'>['quickAnswers']> {
    return (await api('GET /quickAnswers', { query: { searchParam } })).quickAnswers
  },
}

export type Server = typeof server

function wire({ showAll, queueIds }: Filters) {
  return {
    showAll: showAll ? ('true' as const) : ('false' as const),
    ...(queueIds ? { queueIds: JSON.stringify(queueIds) } : {}),
  }
}
