// Where what a bell rings for stands.
import { matchPath } from '@balcao/ui/router'

/** Whose notifications this device shows: a person's id. */
export const DEVICE = 'balcao.notify'

/** Where a ticket or an internal chat is, or one message of a ticket. */
export function toPath(about: 'ticket' | 'chat', id: number, messageId?: number) {
  if (messageId !== undefined) return `/tickets/${id}?message=${messageId}`
  return about === 'ticket' ? `/tickets/${id}` : `/tickets/0/${id}`
}

/** `ticket.7`, `chat.3`, or null: the conversation of an address. */
export function parseConversationKey(pathname: string) {
  const match = matchPath('/tickets/:ticketId/:chatId?', pathname)
  const ticketId = Number(match?.params.ticketId)
  const chatId = Number(match?.params.chatId)
  if (ticketId > 0) return `ticket.${ticketId}`
  return chatId > 0 ? `chat.${chatId}` : null
}
