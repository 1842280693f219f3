/** Writing into the chats phones show. */
import type { Change, PhoneContent } from './content'
import type { Phone, PhoneMessage, Tick } from './phone'
import type { WhatsAppNetwork } from './world'

export interface ChatArrival {
  id: string
  chat: string
  author: Phone
  at: Date
  content?: PhoneContent | undefined
  change?: Change | undefined
  quote?: string | undefined
  secret?: Uint8Array | undefined
  timer?: number | undefined
}

/** Shows a message, or what it changes, on one phone. */
export function show(world: WhatsAppNetwork, viewer: Phone, arrival: ChatArrival): void {
  const { id, chat, author, at, content, change, quote, secret, timer } = arrival
  if (change) apply(world, viewer, chat, author, change)
  if (change || !content || viewer.message(chat, id)) return
  const fromMe = viewer === author
  const message: PhoneMessage = {
    id,
    chat,
    fromMe,
    from: author.user,
    at,
    content,
    ...(fromMe && { tick: 'sent' }),
    ...(quote && { quote }),
    ...(secret && { secret }),
    ...(timer && { timer }),
  }
  viewer.keep(message)
  world.emit({ type: 'message', phone: viewer.user, message })
}

function apply(world: WhatsAppNetwork, viewer: Phone, chat: string, author: Phone, change: Change): void {
  const message = viewer.message(chat, change.of)
  if (!message) return
  if (change.type === 'edit') {
    message.edited = true
    if (message.content.type === 'text') message.content = { type: 'text', text: change.text }
    else if ('caption' in message.content) message.content.caption = change.text
  } else if (change.type === 'revoke') message.revoked = true
  else {
    const { [author.user]: _, ...others } = message.reactions ?? {}
    message.reactions = change.emoji ? { ...others, [author.user]: change.emoji } : others
  }
  world.emit({ type: 'changed', phone: viewer.user, message, change, by: author.user })
}

const ORDER: Tick[] = ['waiting', 'sent', 'delivered', 'read']

/** Ticks only grow, except that a refused message has failed. */
export function applyTick(world: WhatsAppNetwork, author: Phone, id: string, to: Tick, by?: Phone): void {
  const message = author.find(id)
  if (!message?.fromMe) return
  if (to !== 'failed' && ORDER.indexOf(to) <= ORDER.indexOf(message.tick ?? 'waiting')) return
  message.tick = to
  world.emit({ type: 'tick', phone: author.user, chat: message.chat, id, tick: to, ...(by && { by: by.user }) })
}
