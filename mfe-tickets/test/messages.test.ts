import { describe, expect, test } from 'bun:test'
import type { LiveEvent, Message, ResponseBody } from '@balcao/contract'
import { ConversationHistory } from '../src/conversation/conversation-store.ts'
import { makeLastMessageActions } from '../src/conversation/last-message-actions.ts'
import { findFirstUnread, getMessageKey, toMessageRows } from '../src/conversation/rows.ts'
import { adjustStretch, MOST, moveEarlier, moveLater, showNewest } from '../src/conversation/window.ts'
import { view } from '../src/desk/view.ts'
import { makeMessage, makeTicket, toMinute } from './make.ts'

const HERE = { id: 1, contactId: 1 }
const WHOLE = { onlyThisTicket: false }
const ids = (history: ConversationHistory) => history.view().messages.map(message => message.id)

function makeMessageEvent(part: Parameters<typeof makeMessage>[0], action: 'create' | 'update' = 'create'): LiveEvent {
  const message = makeMessage(part)
  return { event: 'appMessage', action, version: message.version, message }
}

function page(messages: readonly Message[], more = false): ResponseBody<'GET /messages/:ticketId'> {
  return {
    messages: [...messages],
    count: messages.length,
    hasMore: more,
    nextCursor: more ? String(messages[0]?.id) : null,
    newerCursor: null,
  }
}

function listMessages(from: number, to: number): Message[] {
  return Array.from({ length: to - from + 1 }, (_, n) => makeMessage({ id: from + n }))
}

/** A conversation whose questions are answered one by one, when the test says so. */
function createManualConversation() {
  const requests: { readonly query: object; readonly answer: (with_: ReturnType<typeof page>) => void }[] = []
  const history = new ConversationHistory(1, {
    messages: (_, query) => new Promise(answer => requests.push({ query, answer })),
  })
  return {
    history,
    asked: requests,
    answer: (at: number, with_: ReturnType<typeof page>) => requests[at]?.answer(with_),
  }
}

async function createConversation(messages: readonly Message[], more = false): Promise<ConversationHistory> {
  const history = new ConversationHistory(1, { messages: async () => page(messages, more) })
  await history.load()
  return history
}

describe('the messages of a conversation', () => {
  test('fetched ahead and refused, they are asked for as usual once somebody opens it', async () => {
    const { history, asked: requests, answer } = createManualConversation()
    const ahead = history.fetchAhead(0)
    answer(0, { ...page([]), refused: true })
    await ahead
    expect(history.view().status).toBe('failed')
    const opened = history.load()
    answer(1, page(listMessages(1, 3)))
    await opened
    expect(requests.map(({ query }) => query)).toEqual([{ ahead: true }, {}])
    expect([history.view().status, ids(history)]).toEqual(['ready', [1, 2, 3]])
  })

  test('decisions-2 §22: what is of another contact now goes; when its own ticket is, the conversation begins anew', async () => {
    const mine = makeMessage({ id: 1, contactId: 7 })
    const earlier = makeMessage({ id: 2, ticketId: 9, contactId: 7 })
    const pages = [
      page([earlier, mine]),
      page([makeMessage({ id: 1, contactId: 8 }), makeMessage({ id: 5, ticketId: 4, contactId: 8 })]),
    ]
    const history = new ConversationHistory(1, { messages: async () => pages.shift() ?? page([]) })
    await history.load()
    history.takeMoved([{ id: 9, contactId: 7 }], { contactId: 7 })
    expect(ids(history)).toEqual([2, 1].sort())
    history.takeMoved([{ id: 9, contactId: 8 }], { contactId: 7 })
    expect(ids(history)).toEqual([1])
    history.takeMoved([{ id: 1, contactId: 8 }], { contactId: 8 })
    await Bun.sleep(0)
    expect(ids(history)).toEqual([1, 5])
  })

  test('older messages come in front, new ones behind, a known one is replaced', async () => {
    const { history, answer } = createManualConversation()
    const first = history.load()
    answer(0, page(listMessages(11, 20), true))
    await first
    const older = history.loadOlder()
    answer(1, page(listMessages(1, 10)))
    await older
    history.takeEvents(
      [makeMessageEvent({ id: 21 }), makeMessageEvent({ id: 15, body: 'editada', version: 2 }, 'update')],
      HERE,
      WHOLE,
    )
    expect(ids(history)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1))
    expect(history.view().messages[14]?.body).toBe('editada')
    expect(history.view().hasMore).toBe(false)
  })

  test('ticks that arrive out of order end at the newest version', async () => {
    const history = await createConversation([makeMessage({ id: 1, fromMe: true, state: 'queued', version: 1 })])
    history.takeEvents([makeMessageEvent({ id: 1, fromMe: true, state: 'read', version: 4 }, 'update')], HERE, WHOLE)
    history.takeEvents([makeMessageEvent({ id: 1, fromMe: true, state: 'sent', version: 2 }, 'update')], HERE, WHOLE)
    expect(history.view().messages[0]?.state).toBe('read')
  })

  test("messages stand in the provider's order, ties by their number in the ticket", async () => {
    const history = await createConversation([])
    const at = (id: number, seq: number, when: number) => makeMessageEvent({ id, seq, createdAt: toMinute(when) })
    history.takeEvents([at(9, 2, 5), at(7, 3, 5), at(8, 1, 5), at(6, 9, 4)], HERE, WHOLE)
    expect(ids(history)).toEqual([6, 8, 9, 7])
  })

  test("another contact's messages stay out, and with a narrowed history so do those of another ticket", async () => {
    const history = await createConversation([])
    history.takeEvents([makeMessageEvent({ id: 1, ticketId: 2, contactId: 2 })], HERE, WHOLE)
    history.takeEvents([makeMessageEvent({ id: 2, ticketId: 2, contactId: 1 })], HERE, { onlyThisTicket: true })
    expect(ids(history)).toEqual([])
    history.takeEvents([makeMessageEvent({ id: 3, ticketId: 2, contactId: 1 })], HERE, WHOLE)
    expect(ids(history)).toEqual([3])
  })

  test('a ticket that is hidden from this person or deleted takes its messages out of the history', async () => {
    const history = await createConversation([makeMessage({ id: 1, ticketId: 2 }), makeMessage({ id: 2, ticketId: 1 })])
    history.takeEvents([{ event: 'ticket', action: 'delete', version: 9, ticketId: 2, reason: 'hidden' }], HERE, WHOLE)
    expect(ids(history)).toEqual([2])
  })

  test('a change of a message older than what is loaded waits for its page: nothing stands above a gap', async () => {
    const { history, answer } = createManualConversation()
    const first = history.load()
    const edited = makeMessageEvent({ id: 3, body: 'editada', version: 2 }, 'update')
    history.takeEvents([edited], HERE, WHOLE)
    answer(0, page(listMessages(11, 20), true))
    await first
    history.takeEvents([edited], HERE, WHOLE)
    expect(ids(history)[0]).toBe(11)
  })

  test('after a reset all that was held is fetched again: what was deleted or edited meanwhile is so', async () => {
    const { history, asked: requests, answer } = createManualConversation()
    const first = history.load({ atLeast: 60 })
    answer(0, page(listMessages(1, 60)))
    await first
    const fresh = history.load({ fresh: true })
    expect(requests[1]?.query).toEqual({ limit: 60 })
    answer(
      1,
      page([...listMessages(1, 17), makeMessage({ id: 19, body: 'editada', version: 2 }), ...listMessages(20, 63)]),
    )
    await fresh
    expect(ids(history).includes(18)).toBe(false)
    expect([history.view().messages[17]?.body, ids(history).at(-1)]).toEqual(['editada', 63])
  })

  test('a message that comes, or goes, by the live line while a page is on its way is not undone by it', async () => {
    const { history, answer } = createManualConversation()
    const first = history.load()
    history.takeEvents(
      [makeMessageEvent({ id: 21 }), { event: 'appMessage', action: 'delete', version: 2, messageId: 20, ticketId: 1 }],
      HERE,
      WHOLE,
    )
    answer(0, page(listMessages(5, 20)))
    await first
    expect(ids(history)).toEqual([...Array.from({ length: 15 }, (_, n) => n + 5), 21])
  })

  test('older ones asked for before a reset come to nothing: between them and the newest would be a gap', async () => {
    const { history, answer } = createManualConversation()
    const first = history.load()
    answer(0, page(listMessages(50, 52), true))
    await first
    const older = history.loadOlder()
    const fresh = history.load({ fresh: true })
    answer(2, page(listMessages(200, 202), true))
    await fresh
    answer(1, page(listMessages(47, 49), true))
    expect(await older).toBe(false)
    expect([ids(history), history.view().loadingOlder]).toEqual([[200, 201, 202], false])
  })
})

describe('what stands between messages', () => {
  const dayOf = (instant: string) => instant.slice(0, 10)

  test('a day begins with its name, a sequence of one author is drawn close', () => {
    const messages = [
      makeMessage({ id: 1, createdAt: '2026-11-19T12:00:00.000Z' }),
      makeMessage({ id: 2, createdAt: '2026-11-20T12:00:00.000Z' }),
      makeMessage({ id: 3, createdAt: '2026-11-20T12:01:00.000Z' }),
      makeMessage({ id: 4, createdAt: '2026-11-20T12:02:00.000Z', fromMe: true, userId: 7 }),
    ]
    const rows = toMessageRows(messages, undefined, dayOf, null)
    expect(rows.map(row => row.day)).toEqual(['2026-11-19', '2026-11-20', null, null])
    expect(rows.map(row => row.startsGroup)).toEqual([true, true, false, true])
  })

  test('the unread divider stands above the first of the unread messages of the customer', () => {
    const messages = [
      makeMessage({ id: 1 }),
      makeMessage({ id: 2 }),
      makeMessage({ id: 3, fromMe: true }),
      makeMessage({ id: 4 }),
    ]
    expect(findFirstUnread(messages, 2)).toEqual({ firstId: 2, count: 2 })
    expect(findFirstUnread(messages, 0)).toBeNull()
    expect(findFirstUnread(messages, 40)).toEqual({ firstId: 1, count: 3 })
  })

  test('a message keeps the key of its optimistic bubble', () => {
    expect(getMessageKey(makeMessage({ id: -1, clientId: 'abc' }))).toBe(
      getMessageKey(makeMessage({ id: 90, clientId: 'abc' })),
    )
  })
})

describe('the stretch that is drawn', () => {
  test('never holds more than it may, however far one scrolls', () => {
    let stretch = showNewest(10_000)
    for (let step = 0; step < 300; step++) {
      stretch = moveEarlier(stretch)
      expect(stretch.to - stretch.from).toBeLessThanOrEqual(MOST)
    }
    expect(stretch.from).toBe(0)
    for (let step = 0; step < 300; step++) stretch = moveLater(stretch, 10_000)
    expect(stretch.to).toBe(10_000)
  })

  test('begins with the newest, or a little above the first unread one where that is further up', () => {
    expect(showNewest(20)).toEqual({ from: 0, to: 20 })
    expect(showNewest(200)).toEqual({ from: 170, to: 200 })
    expect(showNewest(200, 190)).toEqual({ from: 170, to: 200 })
    expect(showNewest(200, 100)).toEqual({ from: 95, to: 200 })
    expect(showNewest(200, 3)).toEqual({ from: 0, to: MOST })
    expect(showNewest(210, 24)).toEqual({ from: 19, to: 19 + MOST })
  })

  test('shows the same messages after older ones came in front, and follows new ones only at the end', () => {
    expect(adjustStretch({ from: 10, to: 50 }, 100, 140, 40)).toEqual({ from: 50, to: 90 })
    expect(adjustStretch({ from: 40, to: 100 }, 100, 101, 0)).toEqual({ from: 40, to: 101 })
    expect(adjustStretch({ from: 10, to: 50 }, 100, 101, 0)).toEqual({ from: 10, to: 50 })
  })

  test('keeps what somebody reads further up, however many messages come meanwhile', () => {
    expect(adjustStretch({ from: 95, to: 200 }, 200, 300, 0, false, true)).toEqual({ from: 95, to: 95 + MOST })
    expect(adjustStretch({ from: 95, to: 200 }, 200, 210, 0, false, true)).toEqual({ from: 95, to: 210 })
    expect(adjustStretch({ from: 95, to: 200 }, 200, 300, 0)).toEqual({ from: 300 - MOST, to: 300 })
  })
})

describe('answering and forwarding by key and palette', () => {
  const messages = [
    makeMessage({ id: 1 }),
    makeMessage({ id: 2, fromMe: true }),
    makeMessage({ id: 3, fromMe: true, isDeleted: true }),
  ]
  const [reply, forward] = makeLastMessageActions(makeTicket(), () => messages)

  /** As the list has it, where the keyboard is on one of them. */
  function focusMessage(id: number) {
    document.body.innerHTML = `<div tabindex="0" data-message="${id}"></div>`
    document.querySelector<HTMLElement>('[data-message]')?.focus()
  }

  test.each([
    ['the message the keyboard is on', 1, 1, 1],
    ['else the last one that can be, as the palette offered', 3, 1, 2],
  ])('takes %s', (_, focused, answered, passed) => {
    focusMessage(focused)
    void reply?.perform()
    void forward?.perform()
    expect(view.target[1]).toMatchObject({ kind: 'reply', message: { id: answered } })
    expect(view.dialog).toEqual({ kind: 'forward', ticketId: 1, messageIds: [passed] })
    view.target = {}
    view.dialog = null
  })

  test('what is marked can be passed on, whatever else there is', () => {
    const [, forward] = makeLastMessageActions(makeTicket(), () => messages.slice(2))
    expect(forward?.when?.()).toBe(false)
    view.marks = { ticketId: 1, ids: [3], at: '3' }
    expect(forward?.when?.()).toBe(true)
    view.marks = null
  })
})
