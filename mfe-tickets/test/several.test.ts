// Several conversations at once, and what a new one begins with.
import { beforeEach, describe, expect, test } from 'bun:test'
import { snapshot } from 'valtio'
import { parseOtherTicket } from '../src/actions/refusal.ts'
import { TICKET_ACTIONS } from '../src/actions/register.ts'
import type { TicketContext } from '../src/actions/ticket-action.ts'
import { clearMarks, keepMarks, marked, markUpTo, toggleMark } from '../src/bulk/marked.ts'
import { runMany } from '../src/bulk/run.ts'
import { proposeConnection, proposeQueue } from '../src/new-ticket/choice.ts'
import { makeTicket } from './make.ts'

beforeEach(() => {
  clearMarks()
  marked.outcome = null
})

describe('marking', () => {
  test('one by one, and again lets go', () => {
    toggleMark('assigned', 3)
    toggleMark('assigned', 5)
    toggleMark('assigned', 3)
    expect([...marked.ids]).toEqual([5])
  })

  test('a stretch goes from the last mark to this row, whichever way', () => {
    const order = [1, 2, 3, 4, 5]
    toggleMark('assigned', 4)
    markUpTo('assigned', order, 2, null)
    expect([...marked.ids].sort()).toEqual([2, 3, 4])
  })

  test('without a mark it begins at the open conversation', () => {
    markUpTo('assigned', [1, 2, 3, 4], 3, 2)
    expect([...marked.ids]).toEqual([2, 3])
  })

  test('another list begins with none, and what left the list is let go', () => {
    toggleMark('assigned', 1)
    toggleMark('pending', 7)
    toggleMark('pending', 8)
    expect([...marked.ids]).toEqual([7, 8])
    keepMarks(id => id === 8)
    expect([...marked.ids]).toEqual([8])
  })
})

describe('doing it to several', () => {
  const around = {
    viewer: { id: 7, profile: 'admin', queueIds: [] },
    queues: [],
    offers: { scheduler: false, integration: false },
    open: () => undefined,
    goTo: () => undefined,
  } as const
  const contexts = (...tickets: Parameters<typeof makeTicket>[0][]): TicketContext[] =>
    tickets.map(ticket => ({ ticket: makeTicket(ticket), ...around }))
  const named = (id: string) => {
    const action = TICKET_ACTIONS.find(each => each.id === id)
    if (!action) throw new Error(id)
    return action
  }

  test('asks the server only where it is possible, and lists every refusal with its conversation', async () => {
    const requests: number[] = []
    const action = {
      ...named('ticket.resolve'),
      many: {
        one: async ({ ticket }: TicketContext) => {
          requests.push(ticket.id)
          if (ticket.id === 2) throw new Error('Recusado')
          return ticket
        },
      },
    }
    await runMany(action, contexts({ id: 1 }, { id: 2 }, { id: 3, status: 'closed' }), {})
    expect(requests.sort()).toEqual([1, 2])
    expect(snapshot(marked).outcome).toMatchObject({ done: 1, refused: [{ id: 2, name: 'Cliente 2' }], undo: null })
  })

  test('every action of spec 1 §4 can be done to several', () => {
    const several = TICKET_ACTIONS.filter(action => action.many).map(action => action.id.slice(7))
    for (const id of ['accept', 'resolve', 'close', 'transfer', 'pause', 'return', 'reopen', 'resume', 'delete'])
      expect(several).toContain(id)
  })

  test('what has a way back knows it; deleting and transferring have none', () => {
    const [context] = contexts({ id: 1, userId: 7 })
    if (!context) throw new Error('nobody')
    const back = (id: string) => named(id).many?.undo?.(context) ?? null
    expect(back('ticket.accept')).toEqual([{ status: 'pending', userId: null }])
    expect(back('ticket.resolve')).toEqual([{ status: 'open', userId: 7 }])
    expect(back('ticket.pause')).toEqual([
      { status: 'open', userId: null },
      { status: 'open', userId: 7 },
    ])
    expect([back('ticket.delete'), back('ticket.transfer')]).toEqual([null, null])
  })
})

describe('spec 1 §5: new ticket', () => {
  test('proposes the only queue, else the one used last', () => {
    const queue = (id: number) => ({
      id,
      name: `Fila ${id}`,
      color: '#123456',
      open: 0,
      users: 1,
      customOrder: 999,
      greetingMessage: '',
      queuesUser: [],
      userIds: [],
      version: 1,
    })
    expect(proposeQueue([queue(1)], { queueId: null, whatsappId: null })).toBe(1)
    expect(proposeQueue([queue(1), queue(2)], { queueId: 2, whatsappId: null })).toBe(2)
    expect(proposeQueue([queue(1), queue(2)], { queueId: 9, whatsappId: null })).toBeNull()
  })

  test('proposes the own connection, the one used last, the default, one that is connected', () => {
    const all = [
      { id: 1, name: 'A', status: 'DISCONNECTED' },
      { id: 2, name: 'B', status: 'CONNECTED' },
      { id: 3, name: 'C', status: 'DISCONNECTED', isDefault: true },
    ] as const
    const last = { queueId: null, whatsappId: null }
    expect(proposeConnection(all, 1, last)).toBe(1)
    expect(proposeConnection(all, null, { ...last, whatsappId: 2 })).toBe(2)
    expect(proposeConnection(all, null, last)).toBe(3)
    expect(proposeConnection(all.slice(0, 2), null, last)).toBe(2)
    expect(proposeConnection([], 1, last)).toBeNull()
  })
})

test('spec 1 §8: ERR_OTHER_OPEN_TICKET is read as far as it is understood', () => {
  const conflict = { ticketId: 4, status: 'open', userId: 9, user: 'Rafael', queue: 'Financeiro' }
  expect(parseOtherTicket(conflict)).toEqual({ ...conflict, status: 'open' })
  expect(parseOtherTicket({ ...conflict, ticket: makeTicket({ id: 4 }) })?.ticket?.id).toBe(4)
  for (const nonsense of [null, 'x', {}, { ticketId: 4 }, { ...conflict, status: 'lost' }])
    expect(parseOtherTicket(nonsense)).toBeNull()
})
