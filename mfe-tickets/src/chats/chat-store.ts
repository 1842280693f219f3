// The internal chats of the list and the open one: a table of those that are known, its list, and what live events mean for them.
import type { LiveEvent, SharedChat } from '@balcao/contract'
import { type ListView, RowStore, RowTable, type TableChange } from '@balcao/ui/rows'
import type { KeyedValues } from '../tickets/signals.ts'
import type { ChatCalls } from './chat-calls.ts'

export interface ChatFilters {
  readonly search: string
  readonly showAll: boolean
}

export type ChatListView = ListView<ChatFilters>

const NOTHING_CHOSEN: ChatFilters = { search: '', showAll: false }
const MOST_REFETCHED = 500

export class ChatStore {
  private readonly table = new RowTable<SharedChat>()
  private readonly store: RowStore<SharedChat, ChatFilters>

  constructor(calls: Pick<ChatCalls, 'list'>, viewerId: number) {
    const page = async ({ search, showAll }: ChatFilters, cursor: string | null) => {
      const { chats, nextCursor } = await calls.list({
        ...(search === '' ? {} : { searchParam: search }),
        ...(showAll ? { showAll: 'true' } : {}),
        ...(cursor ? { cursor } : {}),
      })
      return { rows: chats, nextCursor }
    }
    // What is searched stays as the server answered it.
    const matches = ({ users }: SharedChat, { search, showAll }: ChatFilters, isListed = false) =>
      search === '' ? showAll || users.some(user => user.id === viewerId) : isListed
    this.store = new RowStore({ page, order: compareNewestFirst, matches }, NOTHING_CHOSEN, this.table)
  }

  list = (): ChatListView => this.store.list()
  chat = this.table.find
  readonly single: KeyedValues<number, SharedChat | undefined> = { on: this.table.on, of: this.chat }
  subscribe = (listener: () => void) => this.store.subscribe(listener)

  /** Shows what these filters choose. */
  async show(filters: ChatFilters) {
    const { search, showAll } = this.list().query
    if (filters.search !== search || filters.showAll !== showAll) this.store.clear(filters)
    await this.store.open()
  }

  more() {
    return this.store.more()
  }

  /** Asks for one and takes it, with what came since it was asked for; throws as the call does. */
  fetch(ask: () => Promise<SharedChat>) {
    return this.table.fetch(ask)
  }

  /** Begins afresh after a live reset: what was deleted meanwhile is not known any more. */
  async refetch(openChat: number | null = null) {
    const { ids } = this.list()
    this.table.mistrust(openChat === null ? ids : [...ids, openChat])
    // The open one is asked for by itself.
    if ((await this.store.refetch(MOST_REFETCHED)) === 'fetched') this.table.forgetStale(openChat)
  }

  /** The answer to a change made here. */
  take(chat: SharedChat) {
    this.table.take([{ put: chat }])
  }

  takeEvents(events: readonly LiveEvent[]) {
    this.table.take(events.flatMap(event => toChatChange(event) ?? []))
  }
}

function toChatChange(event: LiveEvent): TableChange<SharedChat> | null {
  if (event.event === 'unreadMessageChat') {
    const { chatId, userId, readSeq, unreadMessages, version } = event
    return {
      redrawn(chat) {
        if (chat.id !== chatId || chat.version >= version) return chat
        const users = chat.users.map(user => (user.id === userId ? { ...user, readSeq, unreadMessages } : user))
        return { ...chat, users, version }
      },
    }
  }
  if (event.event !== 'chat') return null
  if (event.action === 'delete') return { gone: event.chatId, version: event.version }
  return { put: event.chat, onlyNewer: true }
}

function compareNewestFirst(a: SharedChat, b: SharedChat): number {
  return a.lastMessageAt === b.lastMessageAt ? b.id - a.id : a.lastMessageAt < b.lastMessageAt ? 1 : -1
}
