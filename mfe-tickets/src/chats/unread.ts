// What is unread in internal chats, for the badge: known before anything else of them is loaded.
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { Feed } from '@balcao/ui/rows'
import { ofSession, session } from '@balcao/ui/session'
import { useEffect, useSyncExternalStore } from 'react'

interface Known {
  readonly unread: number
  /** Of two accounts of a chat the one with the higher version is the newer. */
  readonly version: number
}

interface Note extends Known {
  readonly chatId: number
}

type Unread = ReadonlyMap<number, Known>

export const unreadFeed = ofSession(
  () =>
    new Feed<Unread, Note>(new Map(), (known, { chatId, unread, version }) =>
      (known.get(chatId)?.version ?? 0) > version ? known : new Map(known).set(chatId, { unread, version }),
    ),
)

/** How many internal messages wait for the person. */
export function useUnreadInChats(): number {
  useEffect(keepCounting, [])
  const feed = unreadFeed()
  return total(useSyncExternalStore(feed.subscribe, feed.now))
}

export function total(known: Unread): number {
  return [...known.values()].reduce((all, { unread }) => all + unread, 0)
}

function keepCounting() {
  const me = session.user?.id ?? 0
  const feed = unreadFeed()
  const note = (chatId: number, unread: number, version: number) => feed.take({ chatId, unread, version })
  void load(feed)
  const stops = [
    live.on('chat', event => {
      if (event.action === 'delete') return note(event.chatId, 0, event.version)
      note(event.chat.id, event.chat.users.find(user => user.id === me)?.unreadMessages ?? 0, event.version)
    }),
    live.on('unreadMessageChat', event => {
      if (event.userId === me) note(event.chatId, event.unreadMessages, event.version)
    }),
    live.onReset(() => void load(feed)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

async function load(feed: ReturnType<typeof unreadFeed>) {
  try {
    const read = () => api('GET /chats/unread')
    await feed.fetch(
      read,
      (_, { chats }) =>
        new Map(chats.map(({ chatId, unreadMessages }) => [chatId, { unread: unreadMessages, version: 0 }])),
      { afresh: true },
    )
  } catch {
    // The next reset of the live line asks again; a badge is not worth a message.
  }
}
