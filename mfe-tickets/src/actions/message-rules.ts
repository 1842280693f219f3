// What each kind of connection lets us do to a message.
import type { Message, Ticket } from '@balcao/contract'
import { getCapabilities } from '@balcao/contract/connections/kinds'
import { canChangeMessage } from '@balcao/contract/messages/comments'
import { getMessageKind } from '@balcao/contract/messages/message-kinds'
import { session } from '@balcao/ui/session'
import { isServed } from '../tickets/served.ts'

/** Only own texts: a comment by who wrote it, others as long as they wait, and afterwards where the connection still allows it (spec 1 §5). */
export function canEdit(ticket: Ticket, message: Message, now: number): boolean {
  if (!message.fromMe || message.isDeleted || !canChangeMessage(ticket.status, message, session.user?.id)) return false
  if (message.mediaType === 'comment') return message.userId === session.user?.id
  if (!isServed(ticket)) return false
  if (message.mediaType !== 'chat') return false
  if (isWaiting(message)) return true
  const { edit } = getCapabilities(message.ticket.whatsapp.api)
  if (!edit || !(isOut(message) || message.state === 'sending')) return false
  return now - Date.parse(message.createdAt) < edit.windowMin * 60_000
}

/**
 * Only own messages; a comment never left and what waits or failed has not, so they can always go. Who only follows takes back the own
 * comments.
 */
export function canRevoke(ticket: Ticket, message: Message): boolean {
  const isOwnComment = message.mediaType === 'comment' && message.userId === session.user?.id
  if (!isOwnComment && !isServed(ticket)) return false
  if (!message.fromMe || message.isDeleted || message.mediaType === 'system') return false
  if (!canChangeMessage(ticket.status, message, session.user?.id)) return false
  if (message.mediaType === 'comment' || isWaiting(message)) return true
  return getCapabilities(message.ticket.whatsapp.api).revoke && (isOut(message) || message.state === 'sending')
}

export function canReact(ticket: Ticket, message: Message): boolean {
  if (ticket.status !== 'open' || !isServed(ticket) || message.isDeleted) return false
  if (!getMessageKind(message.mediaType).quotable) return false
  return !message.fromMe || isOut(message)
}

/** Recordings we have, without a text yet. */
export function canTranscribe(message: Message): boolean {
  if (message.mediaType !== 'audio' || message.isDeleted || message.mediaUrl === null) return false
  return message.transcription === null && message.transcriptionState !== 'pending'
}

function isOut(message: Message): boolean {
  return message.state === 'sent' || message.state === 'delivered' || message.state === 'read'
}

/** Not with the provider: it waits its turn, or failed and may be tried again. */
export function isWaiting(message: Message): boolean {
  return message.state === 'queued' || message.state === 'failed'
}
