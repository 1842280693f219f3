// What is unread in internal chats, for the badge: known before anything else of them is loaded.
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { ofSession, session, stateOfSession } from '@balcao/ui/session'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'

interface Known {
  readonly unread: number
  /** Of two accounts of a chat the one with the higher version is the newer. */
  readonly version: number
}

const known = ofSession(() => new Map<number, Known>())
const waiting = stateOfSession(() => ({ total: 0 }))

/** How many internal messages wait for the person. */
export function useUnreadInChats(): number {
  useEffect(keepCounting, [])
  return useSnapshot(waiting).total
}

function keepCounting() {
  const me = session.user?.id ?? 0
  void load()
  const stops = [
    live.on('chat', event => {
      if (event.action === 'delete') return note(event.chatId, 0, event.version)
      note(event.chat.id, event.chat.users.find(user => user.id === me)?.unreadMessages ?? 0, event.version)
    }),
    live.on('unreadMessageChat', event => {
      if (event.userId === me) note(event.chatId, event.unreadMessages, event.version)
    }),
    live.onReset(() => void load()),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

async function load() {
  try {
    const { chats } = await api('GET /chats/unread')
    known().clear()
    for (const { chatId, unreadMessages } of chats) known().set(chatId, { unread: unreadMessages, version: 0 })
    sum()
  } catch {
    // The next reset of the live line asks again; a badge is not worth a message.
  }
}

function note(chatId: number, unread: number, version: number) {
  if ((known().get(chatId)?.version ?? 0) > version) return
  known().set(chatId, { unread, version })
  sum()
}

function sum() {
  waiting.total = [...known().values()].reduce((all, { unread }) => all + unread, 0)
}
