// The stores of internal chats: what live events, answers and readings make of them.
import { describe, expect, test } from 'bun:test'
import type { Chat, ChatMessage, RequestBody } from '@balcao/contract'
import { ApiError } from '@balcao/ui/api'
import { toMessage } from '../src/chats/as-message.ts'
import { ChatConversation } from '../src/chats/chat-conversation.ts'
import { ChatStore } from '../src/chats/chat-store.ts'
import { parseChatLane, toChatLane } from '../src/chats/lane.ts'
import { loadToUnread } from '../src/conversation/load-to-unread.ts'
import { TypingRegistry } from '../src/tickets/typing-registry.ts'
import { makeChatMessage as aMessage, ME, makeChat } from './make-chats.ts'

describe('the list', () => {
  test('has the chat with the newest message on top, and moves it there when one comes', async () => {
    const store = await createListStore([makeChat(1, { at: 2 }), makeChat(2, { at: 1 })])
    store.takeEvents([{ event: 'chat', action: 'update', version: 5, chat: makeChat(2, { at: 3, version: 5 }) }])
    expect(store.list().ids).toEqual([2, 1])
  })

  test('takes an event once, and none that is older than what it knows', async () => {
    const store = await createListStore([makeChat(1, { version: 4, text: 'novo' })])
    store.takeEvents([
      { event: 'chat', action: 'update', version: 3, chat: makeChat(1, { version: 3, text: 'velho' }) },
    ])
    expect(store.chat(1)?.lastMessage).toBe('novo')
  })

  test('loses a chat one was taken out of', async () => {
    const store = await createListStore([makeChat(1), makeChat(2)])
    store.takeEvents([{ event: 'chat', action: 'delete', version: 9, chatId: 1 }])
    expect([store.list().ids, store.chat(1)]).toEqual([[2], undefined])
  })

  test("does not show others' chats to an administrator who did not ask for all", async () => {
    const store = await createListStore([])
    const foreign = makeChat(7, { users: [2, 3] })
    store.takeEvents([{ event: 'chat', action: 'create', version: 1, chat: foreign }])
    expect(store.list().ids).toEqual([])
    await store.show({ search: '', showAll: true })
    store.takeEvents([{ event: 'chat', action: 'update', version: 2, chat: { ...foreign, version: 2 } }])
    expect(store.list().ids).toEqual([7])
  })

  test('counts down when the person has read', async () => {
    const store = await createListStore([makeChat(1, { unread: 3 })])
    store.takeEvents([
      {
        event: 'unreadMessageChat',
        action: 'update',
        version: 2,
        chatId: 1,
        userId: ME,
        unreadMessages: 0,
        readSeq: 3,
      },
    ])
    expect(store.chat(1)?.users.find(user => user.id === ME)?.unreadMessages).toBe(0)
  })

  test('has the chat that appeared while its page was on its way', async () => {
    const answers: ((chats: Chat[]) => void)[] = []
    const list = () =>
      new Promise<ReturnType<typeof makePage>>(resolve => answers.push(chats => resolve(makePage(chats))))
    const store = new ChatStore({ list }, ME)
    const loading = store.refetch()
    store.takeEvents([{ event: 'chat', action: 'create', version: 1, chat: makeChat(9) }])
    answers[0]?.([makeChat(1), makeChat(2)])
    await loading
    expect(store.list().ids).toEqual([9, 2, 1])
  })

  test('what was read since a reset is no account of a chat from before it', async () => {
    const answers: ((chats: Chat[]) => void)[] = []
    const list = () =>
      new Promise<ReturnType<typeof makePage>>(resolve => answers.push(chats => resolve(makePage(chats))))
    const store = new ChatStore({ list }, ME)
    const first = store.refetch()
    answers[0]?.([makeChat(1, { text: 'velho' })])
    await first
    const second = store.refetch()
    const read = { chatId: 1, userId: ME, unreadMessages: 0, readSeq: 3 }
    store.takeEvents([{ event: 'unreadMessageChat', action: 'update', version: 3, ...read }])
    answers[1]?.([makeChat(1, { text: 'novo', version: 2, unread: 3 })])
    await second
    const { lastMessage, users } = store.chat(1) ?? {}
    expect([lastMessage, users?.[0]?.unreadMessages]).toEqual(['novo', 0])
  })

  test('of two answers the one asked for last counts', async () => {
    const answers: ((chats: Chat[]) => void)[] = []
    const store = new ChatStore(
      { list: () => new Promise(resolve => answers.push(chats => resolve(makePage(chats)))) },
      ME,
    )
    const first = store.show({ search: 'a', showAll: false })
    const second = store.show({ search: 'ab', showAll: false })
    answers[1]?.([makeChat(2)])
    await second
    answers[0]?.([makeChat(1)])
    await first
    expect(store.list().ids).toEqual([2])
  })
})

describe('a conversation', () => {
  test('puts a message that came twice, or late, in its one place', async () => {
    const conversation = await createConversation([aMessage(1), aMessage(3)])
    for (const seq of [4, 2, 4]) conversation.take(aMessage(seq))
    expect(conversation.view().messages.map(message => message.seq)).toEqual([1, 2, 3, 4])
  })

  test('shows own messages as read once everybody else has read them', async () => {
    const conversation = await createConversation([aMessage(1, { senderId: ME }), aMessage(2, { senderId: ME })])
    const states = () => conversation.view().messages.map(message => message.state)
    expect(states()).toEqual(['sent', 'sent'])
    conversation.takeChat(makeChat(1, { users: [ME, 2, 3], readSeq: { 2: 2, 3: 1 } }))
    expect(states()).toEqual(['read', 'sent'])
  })

  test('draws again only what changed', async () => {
    const conversation = await createConversation([aMessage(1), aMessage(2)])
    const [before] = conversation.view().messages
    conversation.take(aMessage(2, { version: 2, body: 'editada', isEdited: true }))
    const [same, changed] = conversation.view().messages
    expect([same === before, changed?.body]).toEqual([true, 'editada'])
  })

  test('a message jumped to comes with the page around it, and the way back to the newest has no gap', async () => {
    const all = Array.from({ length: 300 }, (_, n) => aMessage(n + 1))
    const conversation = new ChatConversation(1, ME, { messages: async query => answerMessages(all, query) })
    await conversation.load()
    expect(await conversation.reach(100)).toBe(true)
    expect(conversation.view().hasNewer).toBe(true)
    conversation.take(aMessage(301))
    expect(conversation.view().messages.at(-1)?.id).toBeLessThan(200)
    while (conversation.view().hasNewer) await conversation.loadNewer()
    const ids = conversation.view().messages.map(message => message.id)
    expect(ids).toEqual(Array.from({ length: 301 - (ids[0] ?? 0) + 1 }, (_, n) => (ids[0] ?? 0) + n))
  })

  test('more unread than a page holds open at the first of them, and lead on without a gap', async () => {
    const all = Array.from({ length: 500 }, (_, n) => aMessage(n + 1))
    const conversation = new ChatConversation(1, ME, {
      async messages({ unread, ...query }) {
        const unreadFrom = unread ? 201 : undefined
        return { ...answerMessages(all, { ...query, around: unreadFrom ?? query.around }), unreadFrom }
      },
    })
    await conversation.load(loadToUnread(300))
    const { unreadFrom, hasNewer, messages } = conversation.view()
    expect([unreadFrom, hasNewer, messages.some(({ id }) => id === 201)]).toEqual([201, true, true])
    while (conversation.view().hasNewer) await conversation.loadNewer()
    const ids = conversation.view().messages.map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: 500 - (ids[0] ?? 0) + 1 }, (_, n) => (ids[0] ?? 0) + n))
  })

  test('one that is nowhere is not reached, and nothing else is shown', async () => {
    const conversation = new ChatConversation(1, ME, {
      messages: async query => {
        if (query.around) throw new ApiError('ERR_NO_MESSAGE_FOUND', 404, 'Mensagem não encontrada')
        return answerMessages([aMessage(1)], query)
      },
    })
    await conversation.load()
    expect(await conversation.reach(99)).toBe(false)
    expect(conversation.view().messages.map(message => message.id)).toEqual([1])
  })
})

/** What the server answers of a chat with these messages. */
function answerMessages(
  all: readonly ChatMessage[],
  { cursor, around, limit = 40 }: RequestBody<'POST /chats/messages/get'>,
) {
  const at = Number(cursor?.slice(1))
  const from = around ? Math.max(0, around - 1 - limit / 2) : cursor?.startsWith('n') ? at : undefined
  const to = from === undefined ? (cursor ? at - 1 : all.length) : Math.min(all.length, from + limit)
  const messages = all.slice(from ?? Math.max(0, to - limit), to)
  const first = messages[0]?.seq ?? 0
  const hasMore = first > 1
  return {
    messages,
    hasMore,
    count: messages.length,
    nextCursor: hasMore ? `s${first}` : null,
    newerCursor: from !== undefined && to < all.length ? `n${to}` : null,
  }
}

test('a message that comes while the first page is on its way is not lost', async () => {
  const page = Promise.withResolvers<{
    messages: ChatMessage[]
    hasMore: boolean
    count: number
    nextCursor: null
    newerCursor: null
  }>()
  const conversation = new ChatConversation(1, ME, { messages: () => page.promise })
  const loading = conversation.load()
  conversation.take(aMessage(2))
  page.resolve({ messages: [aMessage(1)], hasMore: false, count: 1, nextCursor: null, newerCursor: null })
  await loading
  expect(conversation.view().messages.map(message => message.seq)).toEqual([1, 2])
})

test('a chat and a ticket of the same number do not meet', () => {
  expect([parseChatLane(toChatLane(7)), parseChatLane(7)]).toEqual([7, null])
  expect(toMessage(aMessage(1), ME).ticketId).toBe(toChatLane(1))
})

test('who writes is named until they pause', () => {
  const writers = new TypingRegistry()
  writers.hear(1, 2, 'Diego')
  writers.hear(1, 3, 'Carla')
  expect(writers.of(1)).toBe('Diego, Carla')
  writers.hear(1, 2, null)
  expect(writers.of(1)).toBe('Carla')
  writers.hear(1, 3, null)
  expect(writers.of(1)).toBeNull()
})

async function createListStore(chats: Chat[]): Promise<ChatStore> {
  const store = new ChatStore({ list: async () => makePage(chats) }, ME)
  await store.show({ search: '', showAll: false })
  return store
}

async function createConversation(messages: ChatMessage[]): Promise<ChatConversation> {
  const conversation = new ChatConversation(1, ME, {
    messages: async () => ({ messages, hasMore: false, count: messages.length, nextCursor: null, newerCursor: null }),
  })
  await conversation.load()
  return conversation
}

function makePage(chats: Chat[]) {
  return { chats, hasMore: false, count: chats.length, nextCursor: null }
}
