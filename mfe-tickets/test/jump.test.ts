import { describe, expect, test } from 'bun:test'
import type { Message } from '@balcao/contract'
import { ConversationHistory } from '../src/conversation/conversation-store.ts'
import { adjustStretch } from '../src/conversation/window.ts'
import { makeMessage, makeTicket } from './make.ts'

const TICKET = makeTicket({ id: 1, contactId: 1 })
const WHOLE = { onlyThisTicket: false }

describe('spec 1 §2: a jumped-to message', () => {
  test('is shown with what stands around it, not with everything since', async () => {
    const { conversation, asked: countRequests } = await makeLongConversation(5000)
    expect(await conversation.reach(700)).toBe(true)
    const { messages, hasNewer } = conversation.view()
    expect([messages.length < 200, hasNewer]).toEqual([true, true])
    expect(messages.map(message => message.id)).toContain(700)
    expect(countRequests()).toBe(2)
  })

  test('lets one go on to older and to newer ones', async () => {
    const { conversation } = await makeLongConversation(5000)
    await conversation.reach(700)
    const before = conversation.view().messages
    await conversation.loadOlder()
    await conversation.loadNewer()
    const after = conversation.view().messages.map(message => message.id)
    expect(after).toEqual(listRange((before[0]?.id ?? 0) - 40, (before.at(-1)?.id ?? 0) + 40))
  })

  test('joins the newest without a gap', async () => {
    const { conversation } = await makeLongConversation(400)
    await conversation.reach(100)
    while (conversation.view().hasNewer) await conversation.loadNewer()
    const ids = conversation.view().messages.map(message => message.id)
    expect(ids).toEqual(listRange(ids[0] ?? 0, 400))
    expect(ids).toContain(100)
    await conversation.loadOlder()
    expect(conversation.view().messages[0]?.id).toBeLessThan(ids[0] ?? 0)
  })

  test('takes no new message into a stretch that does not reach the newest, and shows it at the end', async () => {
    const { conversation } = await makeLongConversation(400)
    await conversation.reach(100)
    conversation.takeEvents([live(makeMessage({ id: 401 }))], TICKET, WHOLE)
    expect(conversation.view().messages.some(message => message.id === 401)).toBe(false)
    conversation.toNewest()
    expect(conversation.view().messages.at(-1)?.id).toBe(401)
    expect(conversation.view().hasNewer).toBe(false)
  })

  test('changes with what changes', async () => {
    const { conversation } = await makeLongConversation(400)
    await conversation.reach(100)
    conversation.takeEvents([live(makeMessage({ id: 100, body: 'editada', version: 2 }), 'update')], TICKET, WHOLE)
    expect(conversation.view().messages.find(message => message.id === 100)?.body).toBe('editada')
  })

  test('that is there already needs no page', async () => {
    const { conversation, asked: countRequests } = await makeLongConversation(400)
    expect(await conversation.reach(390)).toBe(true)
    expect(countRequests()).toBe(1)
  })

  test('leaves the drawn stretch where it is when the newest join it', () => {
    expect(adjustStretch({ from: 0, to: 100 }, 100, 2000, 0, true)).toEqual({ from: 0, to: 100 })
    expect(adjustStretch({ from: 40, to: 100 }, 100, 101, 0)).toEqual({ from: 40, to: 101 })
  })
})

describe('spec 1 §2: more unread than a page holds', () => {
  test('open at the first of them, with what stands before it', async () => {
    const { conversation } = await makeLongConversation(5000, 300)
    const { messages, unreadFrom, hasNewer } = conversation.view()
    expect([unreadFrom, hasNewer]).toEqual([4701, true])
    const at = messages.findIndex(message => message.id === 4701)
    expect([at > 10, at < messages.length - 10]).toEqual([true, true])
  })

  test('go on to the newest without a gap', async () => {
    const { conversation } = await makeLongConversation(5000, 300)
    while (conversation.view().hasNewer) await conversation.loadNewer()
    const ids = conversation.view().messages.map(message => message.id)
    expect(ids).toEqual(listRange(ids[0] ?? 0, 5000))
  })

  test('that are in the page need no other one', async () => {
    const { conversation, asked: countRequests } = await makeLongConversation(5000, 120)
    expect([conversation.view().unreadFrom, conversation.view().hasNewer, countRequests()]).toEqual([null, false, 1])
  })
})

async function makeLongConversation(count: number, unread = 0) {
  const all = listRange(1, count).map(id => makeMessage({ id }))
  let requests = 0
  const conversation = new ConversationHistory(1, {
    async messages(_ticket, { cursor, around: wanted, unread: toUnread, limit = 40 }) {
      requests += 1
      const unreadFrom = toUnread ? count - unread + 1 : undefined
      const around = wanted ?? unreadFrom
      const at = Number(cursor?.slice(1))
      const from = around ? Math.max(0, around - 1 - limit / 2) : cursor?.startsWith('>') ? at : undefined
      const to = from === undefined ? (cursor ? at - 1 : count) : Math.min(count, from + limit)
      const messages = all.slice(from ?? Math.max(0, to - limit), to)
      const first = messages[0]?.id ?? 0
      const hasMore = first > 1
      return {
        messages,
        hasMore,
        count: messages.length,
        nextCursor: hasMore ? `<${first}` : null,
        newerCursor: from !== undefined && to < count ? `>${to}` : null,
        ...(unreadFrom === undefined ? {} : { unreadFrom }),
      }
    },
  })
  await conversation.load({ unread })
  return { conversation, asked: () => requests }
}

function live(message: Message, action: 'create' | 'update' = 'create') {
  return { event: 'appMessage' as const, action, version: message.version, message }
}

function listRange(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n)
}
