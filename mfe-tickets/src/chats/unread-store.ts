// What a person has not read in internal chats: as the server counted it, and what came since.
import type { AnswerOf, LiveEventOf } from '@balcao/contract'
import { Feed } from '@balcao/ui/rows'

interface Known {
  readonly unread: number
  /** Of two accounts of a chat the one with the higher version is the newer. */
  readonly version: number
}

type Unread = ReadonlyMap<number, Known>
type UnreadEvent = LiveEventOf<'chat'> | LiveEventOf<'unreadMessageChat'>

export function unreadIn(viewerId: number) {
  return new Feed<Unread, UnreadEvent>(new Map(), (known, event) => {
    const told = toldOf(event, viewerId)
    if (!told || (known.get(told.chatId)?.version ?? 0) > event.version) return known
    return new Map(known).set(told.chatId, { unread: told.unread, version: event.version })
  })
}

/** As an answer counts; it names no versions, and whatever comes after it is newer. */
export function counted({ chats }: AnswerOf<'GET /chats/unread'>): Unread {
  return new Map(chats.map(({ chatId, unreadMessages }) => [chatId, { unread: unreadMessages, version: 0 }]))
}

export function total(known: Unread): number {
  return [...known.values()].reduce((all, { unread }) => all + unread, 0)
}

function toldOf(event: UnreadEvent, viewerId: number) {
  if (event.event === 'unreadMessageChat')
    return event.userId === viewerId ? { chatId: event.chatId, unread: event.unreadMessages } : null
  if (event.action === 'delete') return { chatId: event.chatId, unread: 0 }
  const own = event.chat.users.find(user => user.id === viewerId)
  return { chatId: event.chat.id, unread: own?.unreadMessages ?? 0 }
}
