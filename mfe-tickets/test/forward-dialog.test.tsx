// Whom a message is passed on to, where no list of conversations was opened: on a phone, after a push.
import { afterEach, beforeEach, expect, mock, spyOn, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act } from 'react'
import { typeText, waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import dialogs from '../locales/dialogs/pt.json'
import pt from '../locales/pt.json'
import { ForwardDialog } from '../src/message/ForwardDialog.tsx'
import { makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt: { ...pt, ...dialogs }, en: {}, es: {} })

/** Until the test lets the newest conversations come. */
let held: PromiseWithResolvers<void>
/** Whether they came, or nobody waits for them any more. */
let isLeft = false
let patience: AbortController
const person = (id: number, name: string) => ({ id, name, number: null, profilePicUrl: null, isGroup: false, tags: [] })

// Before the page's server is stopped, which waits for its answers.
afterEach(() => {
  mock.restore()
  held.resolve()
})
const show = preparePage(
  async ({ signal }, { pathname, searchParams }) => {
    if (pathname.endsWith('/contacts')) {
      const namesakes = [person(4, 'Ana'), person(5, 'Ana')]
      return Response.json({
        contacts: searchParams.has('searchParam') ? namesakes : [person(4, 'Abel'), person(5, 'Zilda')],
      })
    }
    if (!pathname.endsWith('/tickets')) return Response.json([])
    signal.addEventListener('abort', () => held.resolve())
    await held.promise
    isLeft = true
    const tickets = [
      makeTicket({ id: 1, contactId: 5, contact: person(5, 'Zilda'), lastMessageAt: '2026-11-20T10:00:00.000Z' }),
      makeTicket({ id: 2, contactId: 9, contact: person(9, 'Padaria'), lastMessageAt: '2026-11-20T11:00:00.000Z' }),
    ]
    return Response.json({ tickets, count: 2, hasMore: false, nextCursor: null })
  },
  { user: makeUser('user'), remote: 'mfe_tickets' },
)
beforeEach(() => {
  held = Promise.withResolvers()
  isLeft = false
  patience = new AbortController()
  const { timeout } = AbortSignal
  // Of the list alone: that of any call is longer.
  spyOn(AbortSignal, 'timeout').mockImplementation(ms => (ms < 10_000 ? patience.signal : timeout(ms)))
})

const open = () => show(<ForwardDialog ticket={makeTicket({ id: 2, contactId: 9 })} messageIds={[1]} />)

const names = () => [...document.querySelectorAll('.i-person strong')].map(name => name.textContent)
const search = () => document.querySelector<HTMLInputElement>('input[data-autofocus]')

function pressEnter() {
  act(() => {
    search()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
}

/** Whether each of the people shown is ticked. */
const listTicks = () => [...document.querySelectorAll<HTMLInputElement>('.i-person input')].map(box => box.checked)

test('who was written to last stands first, then the phone book', async () => {
  held.resolve()
  await open()
  await waitUntil(() => names().length > 0, 'people')
  expect(names()).toEqual(['Zilda', 'Abel'])
})

test('who was found for words stands there, and is ticked with Enter, though the newest conversations do not come', async () => {
  await open()
  typeText(search(), 'ana')
  await waitUntil(() => names().length > 0, 'people')
  expect([names(), listTicks(), isLeft]).toEqual([['Ana', 'Ana'], [false, false], false])
  pressEnter()
  await waitUntil(() => names().length === 1, 'the one who was ticked')
  expect([names(), listTicks(), isLeft]).toEqual([['Ana'], [true], false])
})

test('a name sent off before its answer means whom one wrote to last, however late that is known', async () => {
  await open()
  typeText(search(), 'ana')
  pressEnter()
  await waitUntil(() => document.querySelector('.i-early') !== null, 'it is looked for')
  // Its own answer came long ago.
  await fetch(new URL('/contacts', location.href))
  await act(() => new Promise<void>(resolve => setTimeout(resolve, 50)))
  held.resolve()
  await waitUntil(() => listTicks().includes(true), 'a tick')
  // Without words both stand there by the names of the lists.
  expect([names(), listTicks()]).toEqual([
    ['Zilda', 'Abel'],
    [true, false],
  ])
})

test('the phone book is there where the newest conversations are too slow', async () => {
  await open()
  expect(names()).toEqual([])
  patience.abort(new DOMException('late', 'TimeoutError'))
  await waitUntil(() => names().length > 0, 'people')
  expect(names()).toEqual(['Abel', 'Zilda'])
})
