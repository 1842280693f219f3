// What brought the customer here, and after how long messages of the chat disappear: asked with the conversation, and once more with every
// message of the customer, which may have changed it.
import type { ResponseBody, Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { useState } from 'react'

/** Null until it is known. */
export function useChatContext(ticket: Ticket): ResponseBody<'GET /tickets/:id/context'> | null {
  const { id, lastMessageAt, lastMessageFromMe } = ticket
  const [heard, setHeard] = useState({ id, at: lastMessageAt })
  if (heard.id !== id || (!lastMessageFromMe && heard.at !== lastMessageAt)) setHeard({ id, at: lastMessageAt })
  const { last } = useQuery(`${id} ${heard.at}`, async () => ({
    id,
    ...(await api('GET /tickets/:id/context', { params: { id } })),
  }))
  return last?.id === id ? last : null
}
