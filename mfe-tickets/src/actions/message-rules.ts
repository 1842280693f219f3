// What each kind of connection lets us do to a message that is out. Pure.
import type { Kind, Message, Ticket } from '@balcao/contract'

/** Minutes after sending within which a text can be edited; null: never. */
const EDIT_MINUTES: Record<Kind, number | null> = { baileys: 15, wwebjs: 15, meow: 15, cloud_api: null }
const REVOKES: Record<Kind, boolean> = { baileys: true, wwebjs: true, meow: true, cloud_api: false }

/** Only own texts that are out, while the ticket is open and the connection still allows it (spec 1 §5). */
export function mayEdit(ticket: Pick<Ticket, 'status'>, message: Message, now: number): boolean {
  const minutes = EDIT_MINUTES[message.ticket.whatsapp.api]
  if (minutes === null || ticket.status !== 'open') return false
  if (!message.fromMe || message.mediaType !== 'chat' || message.isDeleted || !isOut(message)) return false
  return now - Date.parse(message.createdAt) < minutes * 60_000
}

/** Only own messages; a comment never left, so it can always go. */
export function mayRevoke(ticket: Pick<Ticket, 'status'>, message: Message): boolean {
  if (!message.fromMe || message.isDeleted || message.mediaType === 'system' || ticket.status !== 'open') return false
  if (message.mediaType === 'comment') return true
  return REVOKES[message.ticket.whatsapp.api] && isOut(message)
}

export function mayReact(ticket: Pick<Ticket, 'status'>, message: Message): boolean {
  if (ticket.status !== 'open' || message.isDeleted) return false
  if (['comment', 'system', 'call_log', 'unknown'].includes(message.mediaType)) return false
  return !message.fromMe || isOut(message)
}

function isOut(message: Message): boolean {
  return message.state === 'sent' || message.state === 'delivered' || message.state === 'read'
}
