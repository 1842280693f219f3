// The key under which an event is known: a repeat has the same one and ends at the table's primary key.
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import { toStorableText } from '../../platform/database/storable.ts'
import { isCard } from './content.ts'

/** Null for events that are states rather than happenings (names, groups, typing): repeating them is harmless. */
export function toEventKey(event: ChannelEvent): string | null {
  // Made of what others send: only what Postgres can store of it.
  const name = toEventName(event)
  return name === null ? null : shortenKey(toStorableText(name))
}

/** In whatever alphabet it is written, an index of Postgres takes so many characters; the ids in a key may have any length. */
const LONGEST = 500

/** A name no longer than an index takes: of a longer one the beginning, told apart by a hash. */
export function shortenKey(name: string): string {
  if (name.length <= LONGEST) return name
  return `${name.slice(0, 100).toWellFormed()}#${new Bun.CryptoHasher('sha256').update(name).digest('base64url')}`
}

function toEventName(event: ChannelEvent): string | null {
  switch (event.type) {
    case 'message':
      // The content may come after the card that stands for it, and is no repeat of it.
      return `${isCard(event) ? 'card' : 'm'}:${[event.ref.chat, ...(event.author ? [event.author.jid] : [])].join(':')}:${event.ref.id}`
    case 'unreadable':
      return `u:${event.card.ref.chat}:${event.card.ref.id}`
    case 'ack':
      // One that names its send is no repeat of one that did not.
      return `a:${event.ref.chat}:${event.ref.id}:${event.ack}:${event.ref.participant ?? ''}:${event.code ?? ''}${event.trace ? `:${event.trace}` : ''}`
    // Chat and person belong to it: a stranger's word about the same id is not the author's.
    case 'edit':
      return `e:${toAuthorKey(event)}:${event.ref.id}:${event.at}:${Bun.hash(event.body ?? '').toString(36)}${ownName(event)}`
    case 'revoke':
      return `d:${toAuthorKey(event)}:${event.ref.id}`
    case 'reaction':
      return `r:${toAuthorKey(event)}:${event.ref.id}:${event.fromMe}:${event.emoji}:${event.at}${ownName(event)}`
    case 'call':
      return `c:${event.id}:${event.state}`
    case 'moved':
      return `n:${event.id}`
    case 'news':
      return `w:${event.id}`
    case 'preference':
      return `p:${event.person.jid}:${event.advertising}:${event.at}`
    case 'membership':
      return `g:${event.group.jid}:${event.isMember}:${event.at}${ownName(event)}`
    default:
      return null
  }
}

/** Two changes that say the same at the same second are two: each has a name of its own, where the provider tells it. */
function ownName({ id }: { readonly id?: string }): string {
  return id ? `:${id}` : ''
}

function toAuthorKey({ chat, by, ref }: Extract<ChannelEvent, { type: 'edit' | 'revoke' | 'reaction' }>): string {
  return `${chat.jid}:${by?.jid ?? ''}:${ref.fromMe}`
}
