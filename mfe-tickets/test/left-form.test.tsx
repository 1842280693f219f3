// A form of a new conversation: left while its answer is on its way it opens nothing, and what was written for the customer is never lost.
import { beforeEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { useLocation } from '@balcao/ui/router'
import { act } from 'react'
import { useSnapshot } from 'valtio'
import screens from '../../ui/locales/screens/pt.json'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { waitUntil } from '../../ui/test/page.ts'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { keepDraft, readDraft } from '../src/composer/drafts.ts'
import { loadLookups } from '../src/desk/lookups.ts'
import { getStores } from '../src/desk/stores.ts'
import { readLast } from '../src/new-ticket/choice.ts'
import NewTicketDialog from '../src/new-ticket/NewTicketDialog.tsx'
import OtherTicketDialog from '../src/new-ticket/OtherTicketDialog.tsx'
import { startConversation, wayIn } from '../src/new-ticket/state.ts'
import { prepareDesk } from './desk-page.tsx'
import { makeTicket } from './make.ts'

addTexts('tickets', { pt, en, es })

const QUEUE = { id: 1, name: 'Financeiro', color: '#D0702F', customOrder: 1, users: 1, open: 0 }
const desk = prepareDesk()
let answer: PromiseWithResolvers<Response>
let isRequested = false
let path = ''
let place: HTMLTextAreaElement | null = null

function Page() {
  const { wish, other } = useSnapshot(wayIn)
  path = useLocation().pathname
  return (
    <>
      {wish && <NewTicketDialog wish={wish} />}
      {other && <OtherTicketDialog other={other} />}
    </>
  )
}

beforeEach(async () => {
  localStorage.clear()
  isRequested = false
  answer = Promise.withResolvers()
  desk.answer((request, url) => {
    if (url.pathname.endsWith('/queue')) return Response.json([QUEUE])
    if (url.pathname.endsWith('/whatsapp'))
      return Response.json([{ id: 1, name: 'Loja', status: 'CONNECTED', isDefault: true }])
    if (url.pathname.includes('/contacts/'))
      return Response.json({ ...makeTicket({}).contact, id: 7, isGroup: false, tags: [] })
    if (request.method !== 'POST') return Response.json([])
    if (url.pathname.endsWith('/ask')) return Response.json({})
    isRequested = true
    return answer.promise
  })
  await loadLookups()
  desk.show(<Page />, '/tickets/3')
  await act(async () => startConversation({ contactId: 7 }))
  await waitUntil(() => document.querySelector('.n-chosen') !== null, 'the contact is there')
  act(() => document.querySelector<HTMLButtonElement>('button[type=submit]')?.click())
  await waitUntil(() => isRequested, 'it is on its way')
  place = document.querySelector<HTMLTextAreaElement>('textarea.b-only-read')
  if (place) place.value = 'Bom dia'
})

async function leave() {
  await act(async () => {
    place?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    wayIn.wish = null
  })
}

const inTheWay = { ticketId: 9, status: 'open', userId: 8, user: 'Bruna', queue: 'Financeiro' }
const refuse = (details: object) =>
  answer.resolve(Response.json({ error: 'ERR_OTHER_OPEN_TICKET', message: '', details }, { status: 409 }))
/** Who wrote points at something: what they wrote comes to where it belongs. */
const point = () => act(async () => void document.body.dispatchEvent(new Event('pointerdown', { bubbles: true })))

test('the conversation that was made is there, the person stays, and what they wrote for it lies in it', async () => {
  await leave()
  answer.resolve(Response.json(makeTicket({ id: 12, status: 'open' }), { status: 201 }))
  await waitUntil(() => getStores().tickets.ticket(12) !== undefined, 'it is known')
  expect([path, readDraft(12)]).toEqual(['/tickets/3', 'Bom dia'])
  // The next form begins with its queue and connection.
  const { queueId, whatsappId } = makeTicket()
  expect(readLast()).toEqual({ queueId, whatsappId })
})

test('another one that is in the way is nobody’s question any more', async () => {
  await leave()
  refuse(inTheWay)
  // An answer asked for later comes later.
  await act(() => loadLookups())
  expect([path, wayIn.other, notices.list.length]).toEqual(['/tickets/3', null, 0])
})

test('what was written lies in the conversation that is in the way, where that may be opened', async () => {
  refuse({ ...inTheWay, ticket: makeTicket({ id: 9, userId: 8 }) })
  await waitUntil(() => wayIn.other !== null, 'it is in the way')
  await point()
  expect([readDraft(9), wayIn.other?.words]).toEqual(['Bom dia', ''])
})

test('it stands there in a line of its own, behind what was written before', async () => {
  keepDraft(9, 'Segue o boleto')
  refuse({ ...inTheWay, ticket: makeTicket({ id: 9, userId: 8 }) })
  await waitUntil(() => wayIn.other !== null, 'it is in the way')
  await point()
  expect(readDraft(9)).toBe('Segue o boleto\nBom dia')
})

test('what was written stands beside what is said of a conversation that may not be seen', async () => {
  refuse(inTheWay)
  await waitUntil(() => wayIn.other !== null, 'it is in the way')
  await point()
  expect(document.querySelector('.n-words > [dir]')?.textContent).toBe('Bom dia')
  expect(readDraft(9)).toBe('')
  // Who asks for it finds them there, should it come, behind what they wrote when they asked before.
  keepDraft(9, 'Bom dia?')
  act(() => document.querySelector<HTMLButtonElement>('[role=dialog] button[type=submit]')?.click())
  await waitUntil(() => wayIn.other === null, 'it is asked for')
  expect(readDraft(9)).toBe('Bom dia?\nBom dia')
})

test('what was written for a conversation that could not be made is not thrown away without a question', async () => {
  answer.resolve(Response.json({ error: 'ERR_INTERNAL', message: '' }, { status: 500 }))
  await waitUntil(() => notices.list.length > 0, 'it failed')
  await point()
  const form =
    document.querySelector('[role=dialog] form, form[role=dialog]') ?? document.querySelector('[role=dialog]')
  const press = (name: string) =>
    act(async () =>
      [...(form?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === name)?.click(),
    )
  await press('Cancelar')
  expect([wayIn.wish !== null, form?.querySelector('[role=alert]') !== null]).toEqual([true, true])
  await press(screens.leave.discard)
  expect(wayIn.wish).toBeNull()
})
