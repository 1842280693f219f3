import { expect, test } from 'bun:test'
import type { Ticket } from '@balcao/contract'
import { belongsTo, LISTS } from '../src/tickets/belongs-to.ts'
import { aTicket, VIEWER } from './make.ts'

const MINE = { showAll: false, queueIds: null }

function listsOf(ticket: Ticket, filters: Parameters<typeof belongsTo>[3] = MINE) {
  return LISTS.filter(list => belongsTo(list, ticket, VIEWER, filters))
}

test('an open ticket of mine stands under Assigned and nowhere else', () => {
  expect(listsOf(aTicket({ status: 'open' }))).toEqual(['assigned'])
})

test('a waiting ticket stands under Pending, for whoever may see it', () => {
  expect(listsOf(aTicket({ status: 'pending', userId: null, user: null }))).toEqual(['pending'])
})

test('a live group stands under Groups, a paused one under Paused, a closed one under closed Groups', () => {
  for (const status of ['pending', 'open', 'bot', 'nps'] as const)
    expect(listsOf(aTicket({ status, isGroup: true }))).toEqual(['groups'])
  expect(listsOf(aTicket({ status: 'paused', isGroup: true }))).toEqual(['paused'])
  expect(listsOf(aTicket({ status: 'closed', isGroup: true }))).toEqual(['closedGroups'])
})

test('closed and paused tickets stand in their own lists', () => {
  expect(listsOf(aTicket({ status: 'closed' }))).toEqual(['closed'])
  expect(listsOf(aTicket({ status: 'paused' }))).toEqual(['paused'])
})

test('a ticket the bot serves or that awaits its rating stands in no list', () => {
  expect(listsOf(aTicket({ status: 'bot' }))).toEqual([])
  expect(listsOf(aTicket({ status: 'nps' }))).toEqual([])
})

test("a colleague's ticket is there only with 'show all'", () => {
  const ticket = aTicket({ userId: 99, user: null })
  expect(listsOf(ticket)).toEqual([])
  expect(listsOf(ticket, { showAll: true, queueIds: null })).toEqual(['assigned'])
})

test("who is not offered 'show all' has the colleague's ticket that may be seen, as nothing else would show it", () => {
  const noToggle = { id: VIEWER.id, mayShowAll: false }
  for (const given of [{ isGroup: true }, { status: 'closed' }, { status: 'closed', isGroup: true }] as const) {
    const ticket = aTicket({ userId: 99, user: null, ...given })
    expect(listsOf(ticket)).toEqual([])
    expect(LISTS.filter(list => belongsTo(list, ticket, noToggle, MINE))).toHaveLength(1)
  }
})

test('a ticket whose queue is not among the selected queues is removed, and so is one without a queue', () => {
  expect(listsOf(aTicket({ queueId: 2 }), { showAll: false, queueIds: [1] })).toEqual([])
  expect(listsOf(aTicket({ queueId: null }), { showAll: false, queueIds: [1] })).toEqual([])
  expect(listsOf(aTicket({ queueId: 1 }), { showAll: false, queueIds: [1, 3] })).toEqual(['assigned'])
})
