import { expect, test } from 'bun:test'
import type { Ticket } from '@balcao/contract'
import { isInList, LISTS } from '../src/tickets/is-in-list.ts'
import { makeTicket, VIEWER } from './make.ts'

const MINE = { showAll: false, queueIds: null }

function findLists(ticket: Ticket, filters: Parameters<typeof isInList>[3] = MINE) {
  return LISTS.filter(list => isInList(list, ticket, VIEWER, filters))
}

test('an open ticket of mine stands under Assigned and nowhere else', () => {
  expect(findLists(makeTicket({ status: 'open' }))).toEqual(['assigned'])
})

test('a waiting ticket stands under Pending, for whoever may see it', () => {
  expect(findLists(makeTicket({ status: 'pending', userId: null, user: null }))).toEqual(['pending'])
})

test('a live group stands under Groups, a paused one under Paused, a closed one under closed Groups', () => {
  for (const status of ['pending', 'open', 'bot', 'nps'] as const)
    expect(findLists(makeTicket({ status, isGroup: true }))).toEqual(['groups'])
  expect(findLists(makeTicket({ status: 'paused', isGroup: true }))).toEqual(['paused'])
  expect(findLists(makeTicket({ status: 'closed', isGroup: true }))).toEqual(['closedGroups'])
})

test('closed and paused tickets stand in their own lists', () => {
  expect(findLists(makeTicket({ status: 'closed' }))).toEqual(['closed'])
  expect(findLists(makeTicket({ status: 'paused' }))).toEqual(['paused'])
})

test('a ticket the bot serves or that awaits its rating stands in no list', () => {
  expect(findLists(makeTicket({ status: 'bot' }))).toEqual([])
  expect(findLists(makeTicket({ status: 'nps' }))).toEqual([])
})

test("a colleague's ticket is there only with 'show all'", () => {
  const ticket = makeTicket({ userId: 99, user: null })
  expect(findLists(ticket)).toEqual([])
  expect(findLists(ticket, { showAll: true, queueIds: null })).toEqual(['assigned'])
})

test("who is not offered 'show all' has the colleague's ticket that may be seen, as nothing else would show it", () => {
  const noToggle = { id: VIEWER.id, mayShowAll: false }
  for (const change of [{ isGroup: true }, { status: 'closed' }, { status: 'closed', isGroup: true }] as const) {
    const ticket = makeTicket({ userId: 99, user: null, ...change })
    expect(findLists(ticket)).toEqual([])
    expect(LISTS.filter(list => isInList(list, ticket, noToggle, MINE))).toHaveLength(1)
  }
})

test('a ticket whose queue is not among the selected queues is removed, and so is one without a queue', () => {
  expect(findLists(makeTicket({ queueId: 2 }), { showAll: false, queueIds: [1] })).toEqual([])
  expect(findLists(makeTicket({ queueId: null }), { showAll: false, queueIds: [1] })).toEqual([])
  expect(findLists(makeTicket({ queueId: 1 }), { showAll: false, queueIds: [1, 3] })).toEqual(['assigned'])
})

test('what a colleague asked me into stands under what I follow, and in no other list unless I serve it by my own right', () => {
  const followers = [{ id: VIEWER.id, name: 'Marina', profilePicUrl: null }]
  const ticket = makeTicket({ userId: 8, followers })
  const lists = (isServed: boolean) =>
    LISTS.filter(list =>
      isInList(
        list,
        ticket,
        { ...VIEWER, serves: () => isServed },
        { showAll: true, queueIds: [1], onlyUnread: false },
      ),
    )
  expect(lists(false)).toEqual(['followed'])
  expect(lists(true)).toEqual(['assigned', 'followed'])
  expect(isInList('followed', ticket, VIEWER, { showAll: false, queueIds: [99] })).toBe(true)
})
