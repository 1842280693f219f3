// The key under which an event is known: a repeat has the same one and ends at the table's primary key.
import type { ChannelEvent } from '../channels/driver.ts'
import { isCard } from './unreadable.ts'

/** Null for events that are states rather than happenings (names, groups, typing): repeating them is harmless. */
export function keyOf(event: ChannelEvent): string | null {
  switch (event.type) {
    case 'message':
      // The content may come after the card that stands for it, and is no repeat of it.
      return `${isCard(event) ? 'card' : 'm'}:${event.ref.chat}:${event.ref.id}`
    case 'unreadable':
      return `u:${event.card.ref.chat}:${event.card.ref.id}`
    case 'ack':
      return `a:${event.ref.id}:${event.ack}:${event.ref.participant ?? ''}:${event.code ?? ''}`
    case 'edit':
      return `e:${event.ref.id}:${event.at}:${Bun.hash(event.body).toString(36)}`
    case 'revoke':
      return `d:${event.ref.id}`
    case 'reaction':
      return `r:${event.ref.id}:${event.by.jid}:${event.fromMe}:${event.emoji}:${event.at}`
    case 'call':
      return `c:${event.id}:${event.state}`
    default:
      return null
  }
}
