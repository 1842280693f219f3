// The gateway's own memory of chats, page by page: no more than a page of it is ours at a time.
import { isRecord, toRecords } from '../shared/json.ts'
import { type Gateway, GatewayError, type Query } from './gateway.ts'

const PAGE = 100

type Rows = readonly Record<string, unknown>[]

/** Chats, the one written in last first. */
export function fetchChats(gateway: Gateway, most: number): AsyncGenerator<Rows> {
  return pages(gateway, ['chats'], {}, most)
}

/** Messages of one chat, the newest first; none for a chat that the gateway does not know. */
export function fetchChatMessages(gateway: Gateway, jid: string, query: Query, most: number): AsyncGenerator<Rows> {
  return pages(gateway, ['chat', jid, 'messages'], query, most)
}

async function* pages(gateway: Gateway, path: readonly string[], query: Query, most: number): AsyncGenerator<Rows> {
  for (let offset = 0; offset < most; offset += PAGE) {
    const response = await gateway.get(path, { ...query, limit: PAGE, offset }).catch(error => {
      if (error instanceof GatewayError && error.status === 404) return { data: [] }
      throw error
    })
    const rows = isRecord(response) ? toRecords(response.data) : []
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
  }
}
