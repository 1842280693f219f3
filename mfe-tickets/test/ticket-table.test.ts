import { describe, expect, test } from 'bun:test'
import type { LiveEvent, Ticket } from '@balcao/contract'
import { isInList, LISTS } from '../src/tickets/is-in-list.ts'
import { TicketTable } from '../src/tickets/ticket-table.ts'
import { makeRandom, makeTicket, toMinute, VIEWER } from './make.ts'

const ALL = { showAll: false, queueIds: null }

function makeUpdateEvent(ticket: Ticket): LiveEvent {
  return { event: 'ticket', action: 'update', version: ticket.version, ticket }
}

function makeDeleteEvent(ticketId: number, version: number): LiveEvent {
  return { event: 'ticket', action: 'delete', version, ticketId, reason: 'hidden' }
}

function createTable(tickets: readonly Ticket[], hasMore = false) {
  const table = new TicketTable(VIEWER, ALL)
  for (const list of LISTS) {
    const page = tickets.filter(ticket => isInList(list, ticket, VIEWER, ALL)).sort(compareNewestFirst)
    table.takePage(list, page, { first: true, hasMore: hasMore && list === 'assigned' })
  }
  return table
}

function compareNewestFirst(a: Ticket, b: Ticket) {
  return a.lastMessageAt === b.lastMessageAt ? b.id - a.id : a.lastMessageAt < b.lastMessageAt ? 1 : -1
}

describe('the lists of tickets', () => {
  test('a new message moves its ticket to the top', () => {
    const table = createTable([makeTicket({ id: 1 }), makeTicket({ id: 2 }), makeTicket({ id: 3 })])
    expect(table.ids('assigned')).toEqual([3, 2, 1])
    table.takeEvents([
      makeUpdateEvent(makeTicket({ id: 1, lastMessageAt: toMinute(50), unreadMessages: 1, version: 2 })),
    ])
    expect(table.ids('assigned')).toEqual([1, 3, 2])
  })

  test('what appears beyond the end of a list stands there once the page that was on its way has come', () => {
    const table = createTable([makeTicket({ id: 9 }), makeTicket({ id: 8 })], true)
    table.takeEvents([makeUpdateEvent(makeTicket({ id: 6 }))])
    expect(table.ids('assigned')).toEqual([9, 8])
    table.takePage('assigned', [makeTicket({ id: 7 }), makeTicket({ id: 5 })], { first: false, hasMore: false })
    expect(table.ids('assigned')).toEqual([9, 8, 7, 6, 5])
  })

  test("who is given 'show all' has the colleagues' tickets behind it from then on", () => {
    const table = new TicketTable({ ...VIEWER, mayShowAll: false }, ALL)
    const group = { isGroup: true, queueId: 1 }
    const page = [makeTicket({ ...group, id: 2, userId: 99 }), makeTicket({ ...group, id: 1 })]
    table.takePage('groups', page, { first: true, hasMore: false })
    expect(table.ids('groups')).toEqual([2, 1])
    expect([...table.narrow(VIEWER).lists]).toEqual(['groups'])
    expect(table.ids('groups')).toEqual([1])
  })

  test('with the longest wait first, who comes stands at the end and who writes stays', () => {
    const table = new TicketTable(VIEWER, { ...ALL, longestFirst: true })
    const waits = (id: number, given: Partial<Ticket> = {}) =>
      makeTicket({ id, status: 'pending', userId: null, createdAt: toMinute(id), ...given })
    table.takePage('pending', [waits(1), waits(2)], { first: true, hasMore: true })
    table.takePage('assigned', [makeTicket({ id: 9 }), makeTicket({ id: 8 })], { first: true, hasMore: false })
    table.takeEvents([
      makeUpdateEvent(waits(5)),
      makeUpdateEvent(waits(1, { lastMessageAt: toMinute(50), version: 2 })),
    ])
    // What lies behind the last fetched row comes with its page.
    expect(table.ids('pending')).toEqual([1, 2])
    table.takePage('pending', [waits(3), waits(5)], { first: false, hasMore: false })
    table.takeEvents([
      makeUpdateEvent(waits(7)),
      makeUpdateEvent(waits(4)),
      makeUpdateEvent(makeTicket({ id: 2, version: 2 })),
    ])
    expect(table.ids('pending')).toEqual([1, 3, 4, 5, 7])
    expect(table.ids('assigned')).toEqual([9, 8, 2])
  })

  test('an accepted ticket leaves Pending and stands under Assigned', () => {
    const table = createTable([makeTicket({ id: 1, status: 'pending', userId: null })])
    const changes = table.takeEvents([makeUpdateEvent(makeTicket({ id: 1, status: 'open', version: 2 }))])
    expect(table.ids('pending')).toEqual([])
    expect(table.ids('assigned')).toEqual([1])
    expect([...changes.lists].sort()).toEqual(['assigned', 'pending'])
  })

  test('an event that is older or was seen already changes nothing', () => {
    const table = createTable([makeTicket({ id: 1, lastMessage: 'nova', version: 5 })])
    const changes = table.takeEvents([makeUpdateEvent(makeTicket({ id: 1, lastMessage: 'velha', version: 4 }))])
    expect(table.ticket(1)?.lastMessage).toBe('nova')
    expect(changes.tickets.size + changes.lists.size).toBe(0)
  })

  test('a ticket that went out of sight does not come back with an older version, but does with a newer one', () => {
    const table = createTable([makeTicket({ id: 1, version: 3 })])
    table.takeEvents([makeDeleteEvent(1, 4), makeUpdateEvent(makeTicket({ id: 1, version: 4 }))])
    expect(table.ids('assigned')).toEqual([])
    table.takeEvents([makeUpdateEvent(makeTicket({ id: 1, version: 5 }))])
    expect(table.ids('assigned')).toEqual([1])
  })

  test('what lies below the last fetched row is not shown before its page is fetched', () => {
    const table = createTable([makeTicket({ id: 8 }), makeTicket({ id: 9 })], true)
    table.takeEvents([makeUpdateEvent(makeTicket({ id: 2, version: 2 }))])
    expect(table.ids('assigned')).toEqual([9, 8])
    table.takePage('assigned', [makeTicket({ id: 7 }), makeTicket({ id: 2 })], { first: false, hasMore: false })
    expect(table.ids('assigned')).toEqual([9, 8, 7, 2])
    expect(table.ticket(2)?.version).toBe(2)
  })

  test('a page that arrives late does not undo what a live event said meanwhile', () => {
    const table = createTable([makeTicket({ id: 1, version: 1 })])
    table.takeEvents([makeUpdateEvent(makeTicket({ id: 1, status: 'closed', version: 2 }))])
    table.takePage('assigned', [makeTicket({ id: 1, version: 1 })], { first: true, hasMore: false })
    expect(table.ids('assigned')).toEqual([])
  })

  test("a contact's new name and a queue's new colour show in the rows without touching versions", () => {
    const table = createTable([makeTicket({ id: 1 })])
    const brief = { id: 1, name: 'Cobrança', color: '#112233' }
    const rest = { customOrder: 1, greetingMessage: '', queuesUser: [], userIds: [], users: 1, open: 1, version: 9 }
    const queue = { ...brief, ...rest }
    table.takeEvents([{ event: 'queue', action: 'update', version: 9, queue }])
    expect(table.ticket(1)?.queue?.name).toBe('Cobrança')
    expect(table.ticket(1)?.version).toBe(1)
  })

  test('events touch only the rows they change', () => {
    const table = createTable(Array.from({ length: 100 }, (_, id) => makeTicket({ id: id + 1 })))
    const before = table.ticket(50)
    const changes = table.takeEvents([makeUpdateEvent(makeTicket({ id: 3, lastMessageState: 'read', version: 2 }))])
    expect([...changes.tickets]).toEqual([3])
    expect(table.ticket(50)).toBe(before)
  })
})

test('whatever happens in whatever order and however often, the lists equal a fresh fetch', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = makeRandom(seed)
    const truth = new Map<number, Ticket>()
    for (let id = 1; id <= 12; id++) truth.set(id, makeTicket({ id }))
    const table = createTable([...truth.values()])
    const history: LiveEvent[] = []
    let version = 1
    for (let step = 0; step < 120; step++) {
      const id = 1 + random(14)
      version += 1
      if (random(8) === 0 && truth.delete(id)) history.push(makeDeleteEvent(id, version))
      else {
        const ticket = makeTicket({
          id,
          version,
          status: (['pending', 'open', 'paused', 'closed', 'bot', 'nps'] as const)[random(6)] ?? 'open',
          userId: [VIEWER.id, null, 99][random(3)] ?? null,
          isGroup: random(5) === 0,
          lastMessageAt: toMinute(random(30)),
        })
        truth.set(id, ticket)
        history.push(makeUpdateEvent(ticket))
      }
      // The newest event, and now and then some that were delivered before.
      const repeats = Array.from({ length: random(4) }, () => history[random(history.length)]).filter(event => event)
      table.takeEvents([...history.slice(-1), ...repeats.flatMap(event => event ?? [])])
    }
    for (const list of LISTS) {
      const fresh = [...truth.values()].filter(ticket => isInList(list, ticket, VIEWER, ALL)).sort(compareNewestFirst)
      expect(table.ids(list)).toEqual(fresh.map(ticket => ticket.id))
    }
  }
})

test('a hundred thousand tickets take a burst of five hundred events in a few times what it takes to go through them once', () => {
  // One list, newest first as a page comes; the others stay unloaded, and what is alike in all tickets is made once.
  const table = new TicketTable(VIEWER, ALL)
  const one = makeTicket()
  const page = Array.from({ length: 100_000 }, (_, n) => {
    const id = 100_000 - n
    return { ...one, id, contactId: id, lastMessageAt: toMinute(Math.floor(id / 2)) }
  })
  table.takePage('assigned', page, { first: true, hasMore: false })
  const burst = (version: number) =>
    Array.from({ length: 500 }, (_, n) =>
      makeUpdateEvent(makeTicket({ id: 1 + n * 199, lastMessageAt: toMinute(60_000 + version * 1000 + n), version })),
    )
  const bursts = [2, 3, 4, 5, 6].map(burst)
  // The quickest of several of either: what else the machine does at a moment counts for neither, how fast it is for both.
  const taken = quickest(bursts, events => {
    table.takeEvents(events)
    table.ids('assigned')
  })
  const goneThrough = quickest(bursts, () => page.toSorted(compareNewestFirst))
  // Three times as much; whatever sorted or searched the whole list for each event would take hundreds.
  expect(taken).toBeLessThan(goneThrough * 15)
  expect(table.ids('assigned')[0]).toBe(1 + 499 * 199)
}, 60_000)

function quickest<T>(each: readonly T[], work: (one: T) => void): number {
  return Math.min(
    ...each.map(one => {
      const started = performance.now()
      work(one)
      return performance.now() - started
    }),
  )
}
