// What hasty hands ask for: the same twice, or what a colleague took a moment before.
import { beforeEach, describe, expect, test } from 'bun:test'
import type { ErrorCode, OtherOpenTicket, Ticket, User } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import errors from '@balcao/contract/texts/errors/pt.json'
import { addTexts } from '@balcao/ui/i18n'
import { act } from 'react'
import { useSnapshot } from 'valtio'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { waitUntil } from '../../ui/test/page.ts'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { findAction } from '../src/actions/register.ts'
import type { TicketContext } from '../src/actions/ticket-action.ts'
import { loadLookups } from '../src/desk/lookups.ts'
import { getStores } from '../src/desk/stores.ts'
import { view } from '../src/desk/view.ts'
import Dialogs from '../src/dialogs/Dialogs.tsx'
import { prepareDesk } from './desk-page.tsx'
import { makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt, en, es })

const desk = prepareDesk()
let answer: (request: Request) => Response | Promise<Response>
const requests: string[] = []
let people: readonly User[] = []

function Open() {
  const { dialog } = useSnapshot(view)
  return dialog && <Dialogs dialog={dialog} />
}

beforeEach(async () => {
  requests.length = 0
  desk.answer((request, url) => {
    if (url.pathname.endsWith('/queue'))
      return Response.json([{ id: 1, name: 'Financeiro', color: '#D0702F', customOrder: 1, users: 1, open: 0 }])
    if (url.pathname.endsWith('/whatsapp')) return Response.json([])
    if (url.pathname.endsWith('/users')) return Response.json({ users: people, hasMore: false, nextCursor: null })
    requests.push(`${request.method} ${url.pathname.replace(/^.*\/tickets/, '/tickets')}`)
    return answer(request)
  })
  await loadLookups()
  desk.show(<Open />, '/')
})

const makeRefusal = (status: number, error: ErrorCode, details?: OtherOpenTicket) =>
  Response.json({ error, message: errors[error], details }, { status })
const listNotices = () => notices.list.map(({ kind, text }) => `${kind}: ${text}`)
const dialog = () => document.querySelector('[role=dialog]')

/** Asks into which queue the waiting conversation goes, chooses the first and starts. */
async function startInQueue() {
  getStores().tickets.take(
    makeTicket({ id: 3, status: 'pending', userId: null, user: null, queueId: null, queue: null }),
  )
  await act(async () => {
    view.dialog = { kind: 'accept', ticketId: 3 }
  })
  const queue = dialog()?.querySelector('input')
  act(() => queue?.click())
  act(() => {
    queue?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
  await waitUntil(() => notices.list.length > 0, 'a notice')
}

test('who is accepted into a queue, and has no name, is told by their number', async () => {
  const ticket = makeTicket({ id: 3, status: 'pending', userId: null, user: null, queueId: null, queue: null })
  getStores().tickets.take({ ...ticket, contact: { ...ticket.contact, name: '', number: '5511987654321' } })
  await act(async () => {
    view.dialog = { kind: 'accept', ticketId: 3 }
  })
  expect(dialog()?.textContent).toContain(formatPhone('5511987654321'))
})

describe('of two who accept at once, the slower', () => {
  test('is told by whom, and is out of the dialog', async () => {
    const ticketId = 3
    answer = () =>
      makeRefusal(409, 'ERR_OTHER_OPEN_TICKET', {
        ticketId,
        status: 'open',
        userId: 8,
        user: 'Bruna',
        queue: 'Financeiro',
      })
    await startInQueue()
    expect([dialog() === null, listNotices()]).toEqual([true, [`info: ${pt.takenBy.replace('{{name}}', 'Bruna')}`]])
  })

  test('hears once that it moved on, not that something is forbidden, when it is no longer theirs to see', async () => {
    answer = () => makeRefusal(403, 'ERR_NO_PERMISSION')
    await startInQueue()
    expect([dialog() === null, listNotices()]).toEqual([true, [`info: ${pt.movedOn}`]])
  })

  test('what may be read but not done is said to be forbidden', async () => {
    const still = makeTicket({ id: 3, status: 'pending', userId: null, user: null, queueId: null, queue: null })
    answer = ({ method }) => (method === 'GET' ? Response.json(still) : makeRefusal(403, 'ERR_NO_PERMISSION'))
    await startInQueue()
    expect(listNotices()).toEqual(['error: Você não tem permissão para fazer isso.'])
    expect(dialog()).not.toBeNull()
  })
})

test('a dialog that was left before its answer came closes none that was opened in its place', async () => {
  const ticket = makeTicket({ id: 4, status: 'open' })
  getStores().tickets.take(ticket)
  const { promise, resolve } = Promise.withResolvers<void>()
  answer = async ({ method }) => {
    await promise
    return method === 'PUT' ? Response.json({ ...ticket, status: 'closed', version: 2 }) : Response.json({})
  }
  await act(async () => {
    view.dialog = { kind: 'resolve', ticketId: 4 }
  })
  const button = [...(dialog()?.querySelectorAll('button') ?? [])].at(-1)
  act(() => button?.click())
  await waitUntil(() => requests.includes('PUT /tickets/4'), 'it is on its way')
  await act(async () => {
    view.dialog = { kind: 'why', ticketId: 4 }
  })
  resolve()
  await waitUntil(() => notices.list.length > 0, 'it is resolved')
  expect(view.dialog).toMatchObject({ kind: 'why' })
})

test('who hands a conversation to the colleague who asked for it writes to them next, and Enter hands it over', async () => {
  const ticket = makeTicket({ id: 4 })
  const queue = { id: 1, name: 'Financeiro', color: '#D0702F' }
  getStores().tickets.take(ticket)
  answer = ({ method }) => (method === 'PUT' ? Response.json({ ...ticket, userId: 8, version: 2 }) : Response.json([]))
  people = [{ ...makeUser('user'), id: 8, name: 'Bruna', queues: [queue], queueIds: [1] }]
  await act(async () => {
    view.dialog = { kind: 'transfer', ticketId: 4, userId: 8 }
  })
  await waitUntil(() => dialog()?.textContent?.includes('Bruna') === true, 'she is chosen')
  expect(document.activeElement?.tagName).toBe('TEXTAREA')
  act(() => {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    )
  })
  await waitUntil(() => notices.list.length > 0, 'a notice')
  expect(requests.filter(request => request.startsWith('PUT'))).toEqual(['PUT /tickets/4'])
})

test('who pins one too many is told how many there are, and that one has to go first', async () => {
  const message = 'Você já fixou 10 conversas. Solte uma antes de fixar outra.'
  const details = [{ path: 'pinned', code: 'Invalid', message }]
  answer = () => Response.json({ error: 'ERR_VALIDATION', message: errors.ERR_VALIDATION, details }, { status: 422 })
  const ticket = makeTicket({ id: 4 })
  await findAction('ticket.pin')?.perform(makeContext(ticket))
  expect([listNotices(), getStores().tickets.isPinned(4)]).toEqual([[`error: ${message}`], false])
})

test.each([
  ['its name', { name: 'Ana' }, 'Ana'],
  ['its number where there is no name', { name: '', number: '5531988880002' }, '+55 31 98888-0002'],
  ['that it has no name where there is nothing', { name: '', number: null }, pt.noName],
])('a resolved conversation is told from another one by %s', async (_, part, detail) => {
  const ticket = makeTicket({ id: 4 })
  const contact = { ...ticket.contact, ...part }
  answer = () => Response.json({ ...ticket, contact, status: 'closed', version: 2 })
  await findAction('ticket.resolve')?.perform(makeContext({ ...ticket, contact }))
  expect(notices.list.map(notice => notice.detail)).toEqual([detail])
})

test('the same asked for twice before the answer is asked for once', async () => {
  const ticket = makeTicket({ id: 4 })
  const { promise, resolve } = Promise.withResolvers<Response>()
  answer = () => promise
  const context = makeContext(ticket)
  const twice = [1, 2].map(() => findAction('ticket.resolve')?.perform(context))
  resolve(Response.json({ ...ticket, status: 'closed', version: 2 }))
  await Promise.all(twice)
  expect([requests, listNotices()]).toEqual([['PUT /tickets/4'], [`success: ${pt.resolved}`]])
})

function makeContext(ticket: Ticket): TicketContext {
  return {
    ticket,
    viewer: { id: 7, profile: 'admin', queueIds: [] },
    queues: [],
    offers: { scheduler: false, integration: false },
    open: () => {},
    goTo: () => undefined,
  }
}
