// The calls that stores take as an argument, so tests bring their own, and those that several rooms make.
import type { ChatMessage, Message, RequestBody, ResponseBody, Ticket, TicketCounts } from '@balcao/contract'
import { api, upload } from '@balcao/ui/api'
import { parseChatLane } from './chats/lane.ts'
import type { STATUS_OF } from './tickets/is-in-list.ts'

interface Filters {
  readonly showAll: boolean
  readonly queueIds: readonly number[] | null
}

interface CountsQuery extends Filters {
  readonly withUnreadMessages?: 'true'
  readonly late?: 'true'
}

export interface TicketsQuery extends CountsQuery {
  readonly status: (typeof STATUS_OF)[keyof typeof STATUS_OF]
  readonly order?: 'due' | 'wait'
  readonly cursor?: string
  readonly limit?: number
}

export type TicketUpdateBody = RequestBody<'PUT /tickets/:id'>

export const server = {
  tickets({ showAll, queueIds, ...query }: TicketsQuery): Promise<ResponseBody<'GET /tickets'>> {
    return api('GET /tickets', { query: { ...query, ...toWireFilters({ showAll, queueIds }) } })
  },
  counts({ showAll, queueIds, ...query }: CountsQuery): Promise<TicketCounts> {
    return api('GET /tickets/counts', { query: { ...query, ...toWireFilters({ showAll, queueIds }) } })
  },
  ticket(id: number): Promise<Ticket> {
    return api('GET /tickets/:id', { params: { id } })
  },
  change(id: number, body: TicketUpdateBody): Promise<Ticket> {
    return api('PUT /tickets/:id', { params: { id }, body })
  },
  /** The conversation accepted, one whose queue has to be chosen first, or null: nobody waits. */
  next(body: RequestBody<'POST /tickets/next'>): Promise<Ticket | null> {
    return api('POST /tickets/next', { body })
  },
  /** The number the customer can quote; sent before anything that follows. */
  protocol(ticketId: number): Promise<ResponseBody<'POST /protocolos'>> {
    return api('POST /protocolos', { body: { ticketId } })
  },
  /** The conversations this person keeps on top of the list. */
  pinned(): Promise<Ticket[]> {
    return api('GET /tickets/pinned')
  },
  /** What colleagues asked this person into. */
  followed(): Promise<Ticket[]> {
    return api('GET /tickets/followed')
  },
  askIn(id: number, userId: number): Promise<Ticket> {
    return api('PUT /tickets/:id/followers/:userId', { params: { id, userId } })
  },
  pin(id: number, pinned: boolean): Promise<undefined> {
    return api('PUT /tickets/:id/pin', { params: { id }, body: { pinned } })
  },
  markUnread(id: number): Promise<undefined> {
    return api('POST /tickets/:id/unread', { params: { id } })
  },
  remove(id: number): Promise<undefined> {
    return api('DELETE /tickets/:id', { params: { id }, body: {} })
  },
  messages(
    ticketId: number,
    query: { cursor?: string; limit?: number; around?: number; unread?: boolean; ahead?: boolean },
  ): Promise<ResponseBody<'GET /messages/:ticketId'>> {
    return api('GET /messages/:ticketId', { params: { ticketId }, query })
  },
  async send(ticketId: number, body: RequestBody<'POST /messages/:ticketId'>): Promise<Message> {
    return takeFirst(await api('POST /messages/:ticketId', { params: { ticketId }, body }))
  },
  async sendInChat(chatId: number, body: RequestBody<'POST /chats/messages/:chatId'>): Promise<ChatMessage> {
    return takeFirst(await api('POST /chats/messages/:chatId', { params: { chatId }, body }))
  },
  /** `lane` is a ticket's id, or the negative of a chat's; a `voice` recording is put into the form voice notes have. */
  async upload(file: File, lane: number, voice: boolean, onProgress: (part: number) => void): Promise<string> {
    const chatId = parseChatLane(lane)
    const place = chatId === null ? { ticketId: lane } : { chatId }
    const query = { name: file.name, ...place, ...(voice ? { voice: 'true' as const } : {}) }
    const body = new File([file], file.name, { type: file.type || 'application/octet-stream' })
    const { uploadId } = await upload('PUT /uploads', { body, onProgress, query })
    return uploadId
  },
}

export type DeskCalls = typeof server

function toWireFilters({ showAll, queueIds }: Filters) {
  return {
    showAll: showAll ? ('true' as const) : ('false' as const),
    ...(queueIds ? { queueIds: JSON.stringify(queueIds) } : {}),
  }
}

/** The one message that was sent. */
function takeFirst<T extends object>(answer: T | readonly T[]): T {
  const message = Array.isArray(answer) ? answer[0] : answer
  if (!message) throw new Error('the server answered without a message')
  return message
}
