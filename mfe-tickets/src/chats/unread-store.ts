// What a person has not read in internal chats: as the server counted it, and what came since.
import type { NamedLiveEvent, ResponseBody } from '@balcao/contract'
import { Feed } from '@balcao/ui/rows'

interface UnreadCount {
  readonly unread: number
  /** Of two accounts of a chat the one with the higher version is the newer. */
  readonly version: number
}

type Unread = ReadonlyMap<number, UnreadCount>
type UnreadEvent = NamedLiveEvent<'chat'> | NamedLiveEvent<'unreadMessageChat'>

export function createUnreadFeed(viewerId: number) {
  return new Feed<Unread, UnreadEvent>(new Map(), (known, event) => {
    const unreadChange = toUnreadChange(event, viewerId)
    if (!unreadChange || (known.get(unreadChange.chatId)?.version ?? 0) > event.version) return known
    return new Map(known).set(unreadChange.chatId, { unread: unreadChange.unread, version: event.version })
  })
}

/** As an answer counts; it names no versions, and whatever comes after it is newer. */
export function toUnreadCounts({ chats }: ResponseBody<'GET /chats/unread'>): Unread {
  return new Map(chats.map(({ chatId, unreadMessages }) => [chatId, { unread: unreadMessages, version: 0 }]))
}

export function sumUnread(known: Unread): number {
  return [...known.values()].reduce((all, { unread }) => all + unread, 0)
}

function toUnreadChange(event: UnreadEvent, viewerId: number) {
  if (event.event === 'unreadMessageChat')
    return event.userId === viewerId ? { chatId: event.chatId, unread: event.unreadMessages } : null
  if (event.action === 'delete') return { chatId: event.chatId, unread: 0 }
  const own = event.chat.users.find(user => user.id === viewerId)
  return { chatId: event.chat.id, unread: own?.unreadMessages ?? 0 }
}
