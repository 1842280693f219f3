import { describe, expect, test } from 'bun:test'
import type { LiveEvent } from '@balcao/contract'
import { MessageTable } from '../src/conversation/message-table.ts'
import { firstUnread, keyOf, rowsOf } from '../src/conversation/rows.ts'
import { carried, earlier, later, MOST, tail } from '../src/conversation/window.ts'
import { aMessage, minute } from './make.ts'

const HERE = { id: 1, contactId: 1 }
const WHOLE = { onlyThisTicket: false }
const ids = (table: MessageTable) => table.all().map(message => message.id)

function said(given: Parameters<typeof aMessage>[0], action: 'create' | 'update' = 'create'): LiveEvent {
  const message = aMessage(given)
  return { event: 'appMessage', action, version: message.version, message }
}

function page(from: number, to: number, more = false) {
  const messages = Array.from({ length: to - from + 1 }, (_, n) => aMessage({ id: from + n }))
  return { messages, hasMore: more, nextCursor: more ? String(from) : null }
}

describe('the messages of a conversation', () => {
  test('older messages come in front, new ones behind, a known one is replaced', () => {
    const table = new MessageTable()
    table.takePage(page(11, 20, true))
    table.takePage(page(1, 10))
    table.takeEvent(said({ id: 21 }), HERE, WHOLE)
    table.takeEvent(said({ id: 15, body: 'editada', isEdited: true, version: 2 }, 'update'), HERE, WHOLE)
    expect(ids(table)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1))
    expect(table.get(15)?.body).toBe('editada')
    expect(table.hasMore).toBe(false)
  })

  test('ticks that arrive out of order end at the newest version', () => {
    const table = new MessageTable()
    table.put(aMessage({ id: 1, fromMe: true, state: 'queued', version: 1 }))
    table.takeEvent(said({ id: 1, fromMe: true, state: 'read', version: 4 }, 'update'), HERE, WHOLE)
    table.takeEvent(said({ id: 1, fromMe: true, state: 'sent', version: 2 }, 'update'), HERE, WHOLE)
    expect(table.get(1)?.state).toBe('read')
  })

  test("messages stand in the provider's order, ties by their number in the ticket", () => {
    const table = new MessageTable()
    table.put(aMessage({ id: 9, seq: 2, createdAt: minute(5) }))
    table.put(aMessage({ id: 7, seq: 3, createdAt: minute(5) }))
    table.put(aMessage({ id: 8, seq: 1, createdAt: minute(5) }))
    table.put(aMessage({ id: 6, seq: 9, createdAt: minute(4) }))
    expect(ids(table)).toEqual([6, 8, 9, 7])
  })

  test("another contact's messages stay out, and with a narrowed history so do those of another ticket", () => {
    const table = new MessageTable()
    table.takeEvent(said({ id: 1, ticketId: 2, contactId: 2 }), HERE, WHOLE)
    table.takeEvent(said({ id: 2, ticketId: 2, contactId: 1 }), HERE, { onlyThisTicket: true })
    expect(ids(table)).toEqual([])
    table.takeEvent(said({ id: 3, ticketId: 2, contactId: 1 }), HERE, WHOLE)
    expect(ids(table)).toEqual([3])
  })

  test('a ticket that is hidden from this person or deleted takes its messages out of the history', () => {
    const table = new MessageTable()
    table.put(aMessage({ id: 1, ticketId: 2 }))
    table.put(aMessage({ id: 2, ticketId: 1 }))
    table.takeEvent({ event: 'ticket', action: 'delete', version: 9, ticketId: 2, reason: 'hidden' }, HERE, WHOLE)
    expect(ids(table)).toEqual([2])
  })

  test('a change of a message older than what is loaded waits for its page: nothing stands above a gap', () => {
    const table = new MessageTable()
    table.takePage(page(11, 20, true))
    table.takeEvent(said({ id: 3, body: 'editada', version: 2 }, 'update'), HERE, WHOLE)
    expect(ids(table)[0]).toBe(11)
  })

  test('after a reset a fresh page replaces the end and keeps the older messages that still join it', () => {
    const table = new MessageTable()
    table.takePage(page(1, 20))
    table.takePage({ ...page(15, 30, true), messages: page(15, 30).messages.filter(({ id }) => id !== 18) }, true)
    expect(ids(table)).toEqual([
      ...Array.from({ length: 17 }, (_, n) => n + 1),
      ...Array.from({ length: 12 }, (_, n) => n + 19),
    ])
    expect(table.hasMore).toBe(false)
  })

  test('a message that comes by the live line while the fresh page is on its way stays', () => {
    const table = new MessageTable()
    table.takePage(page(1, 20))
    table.takeEvent(said({ id: 21 }), HERE, WHOLE)
    table.takePage(page(5, 20, true), true)
    expect(ids(table).at(-1)).toBe(21)
  })

  test('after a reset with a hole the older messages are fetched again', () => {
    const table = new MessageTable()
    table.takePage(page(1, 20))
    table.takePage(page(50, 60, true), true)
    expect(ids(table)[0]).toBe(50)
    expect(table.hasMore).toBe(true)
    expect(table.cursor).toBe('50')
  })
})

describe('what stands between messages', () => {
  const dayOf = (instant: string) => instant.slice(0, 10)

  test('a day begins with its name, a sequence of one author is drawn close', () => {
    const messages = [
      aMessage({ id: 1, createdAt: '2026-11-19T12:00:00.000Z' }),
      aMessage({ id: 2, createdAt: '2026-11-20T12:00:00.000Z' }),
      aMessage({ id: 3, createdAt: '2026-11-20T12:01:00.000Z' }),
      aMessage({ id: 4, createdAt: '2026-11-20T12:02:00.000Z', fromMe: true, userId: 7 }),
    ]
    const rows = rowsOf(messages, undefined, dayOf, null)
    expect(rows.map(row => row.day)).toEqual(['2026-11-19', '2026-11-20', null, null])
    expect(rows.map(row => row.startsGroup)).toEqual([true, true, false, true])
  })

  test('the unread divider stands above the first of the unread messages of the customer', () => {
    const messages = [aMessage({ id: 1 }), aMessage({ id: 2 }), aMessage({ id: 3, fromMe: true }), aMessage({ id: 4 })]
    expect(firstUnread(messages, 2)).toEqual({ firstId: 2, count: 2 })
    expect(firstUnread(messages, 0)).toBeNull()
    expect(firstUnread(messages, 40)).toEqual({ firstId: 1, count: 3 })
  })

  test('a message keeps the key of its optimistic bubble', () => {
    expect(keyOf(aMessage({ id: -1, clientId: 'abc' }))).toBe(keyOf(aMessage({ id: 90, clientId: 'abc' })))
  })
})

describe('the stretch that is drawn', () => {
  test('never holds more than it may, however far one scrolls', () => {
    let stretch = tail(10_000)
    for (let step = 0; step < 300; step++) {
      stretch = earlier(stretch)
      expect(stretch.to - stretch.from).toBeLessThanOrEqual(MOST)
    }
    expect(stretch.from).toBe(0)
    for (let step = 0; step < 300; step++) stretch = later(stretch, 10_000)
    expect(stretch.to).toBe(10_000)
  })

  test('begins with the newest, or a little above the first unread one where that is further up', () => {
    expect(tail(20)).toEqual({ from: 0, to: 20 })
    expect(tail(200)).toEqual({ from: 170, to: 200 })
    expect(tail(200, 190)).toEqual({ from: 170, to: 200 })
    expect(tail(200, 100)).toEqual({ from: 95, to: 200 })
    expect(tail(200, 3)).toEqual({ from: 200 - MOST, to: 200 })
  })

  test('shows the same messages after older ones came in front, and follows new ones only at the end', () => {
    expect(carried({ from: 10, to: 50 }, 100, 140, 40)).toEqual({ from: 50, to: 90 })
    expect(carried({ from: 40, to: 100 }, 100, 101, 0)).toEqual({ from: 40, to: 101 })
    expect(carried({ from: 10, to: 50 }, 100, 101, 0)).toEqual({ from: 10, to: 50 })
  })
})
