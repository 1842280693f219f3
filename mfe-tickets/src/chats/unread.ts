// What is unread in internal chats, for the badge: known before anything else of them is loaded.
import { api } from '@balcao/ui/api'
import { combineStops, live } from '@balcao/ui/live'
import { keepPerSession, session } from '@balcao/ui/session'
import { useEffect, useSyncExternalStore } from 'react'
import { createUnreadFeed, sumUnread, toUnreadCounts } from './unread-store.ts'

const unreadFeed = keepPerSession(() => createUnreadFeed(session.user?.id ?? 0))

/** How many internal messages wait for the person. */
export function useUnreadInChats(): number {
  useEffect(keepCounting, [])
  const feed = unreadFeed()
  return sumUnread(useSyncExternalStore(feed.subscribe, feed.now))
}

function keepCounting() {
  const feed = unreadFeed()
  void load(feed)
  const stops = [
    live.on('chat', event => feed.take(event)),
    live.on('unreadMessageChat', event => feed.take(event)),
    live.onReset(() => void load(feed)),
  ]
  return combineStops(...stops)
}

async function load(feed: ReturnType<typeof unreadFeed>) {
  try {
    await feed.fetch(
      () => api('GET /chats/unread'),
      (_, answer) => toUnreadCounts(answer),
      { afresh: true },
    )
  } catch {
    // The next reset of the live line asks again; a badge is not worth a message.
  }
}
