// What is typed to choose from the list above the composer goes to nobody as it is, also where the list could not be fetched.
import { beforeEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act } from 'react'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import conversation from '../locales/conversation/pt.json'
import pt from '../locales/pt.json'
import { createTicketComposerContext } from '../src/composer/composer-context.ts'
import { Editor } from '../src/composer/Editor.tsx'
import { makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt: { ...pt, ...conversation }, en: pt, es: pt })

const ME = makeUser('admin')
const FAILED = () => Response.json({ error: 'ERR_INTERNAL' }, { status: 500 })

/** What the server answers at one address. */
let source = { path: '', answer: FAILED }
let questions = 0
let posted: string[] = []
beforeEach(() => {
  questions = 0
  posted = []
})
const show = preparePage(
  (request, { pathname }) => {
    if (request.method !== 'GET') posted.push(pathname)
    if (request.method !== 'GET' || !pathname.endsWith(source.path)) return Response.json([])
    questions++
    return source.answer()
  },
  { user: ME, remote: 'mfe_tickets' },
)

test.each([
  ['a quick answer', '/proposta', '/quickAnswers'],
  ['a colleague in a comment', '-- @bru', '/tickets/621/colleagues'],
])('%s: Enter and the button send nothing, they ask again', async (_, typed, path) => {
  source = { path, answer: FAILED }
  const field = await openField()
  type(field, typed)
  const isExplained = () => (document.querySelector('.k-quick-none')?.textContent ?? '') !== ''
  await waitUntil(isExplained, 'it says that they did not come')
  const text = field.value
  for (const [how, send] of [
    ['Enter', () => pressEnter(field)],
    ['the button', press],
  ] as const) {
    const before = questions
    act(() => void send())
    await waitUntil(() => questions > before, `${how} asks again`)
    await waitUntil(isExplained, 'it says so again')
  }
  expect([field.value, posted]).toEqual([text, []])
})

test.each([
  ['Enter', pressEnter],
  ['the button', press],
])('a member of a group whose line is down: %s asks once more, then sends what is written', async (_, send) => {
  source = { path: '/contact/group/7', answer: FAILED }
  const field = await openField({ contactId: 7, isGroup: true })
  type(field, 'oi @jo')
  const isExplained = () => (document.querySelector('.k-quick-none')?.textContent ?? '') !== ''
  await waitUntil(isExplained, 'it says that they did not come')
  const before = questions
  act(() => void send(field))
  await waitUntil(() => questions > before && isExplained(), 'it asks again and says so again')
  expect(field.value).toBe('oi @jo')
  act(() => void send(field))
  await waitUntil(() => field.value === '', 'it is sent')
})

test('Tab goes on where nothing is to be had', async () => {
  source = { path: '/tickets/621/colleagues', answer: FAILED }
  const field = await openField()
  type(field, '-- @bru')
  await waitUntil(
    () => (document.querySelector('.k-quick-none')?.textContent ?? '') !== '',
    'it says that they did not come',
  )
  const before = questions
  const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true })
  act(() => void field.dispatchEvent(tab))
  expect([tab.defaultPrevented, questions]).toEqual([false, before])
})

test('the button uses what Enter uses', async () => {
  const answer = {
    id: 5,
    shortcut: 'proposta',
    message: 'Fica em R$ 40',
    mediaUrl: null,
    mediaName: null,
    mediaType: null,
  }
  source = {
    path: '/quickAnswers',
    answer: () => Response.json({ quickAnswers: [answer], count: 1, hasMore: false }),
  }
  const field = await openField()
  type(field, '/proposta')
  await waitUntil(() => document.querySelector('[role=option]') !== null, 'it is offered')
  act(press)
  await waitUntil(() => field.value === 'Fica em R$ 40', 'it stands there')
  expect(posted.filter(path => path.includes('/messages'))).toEqual([])
})

async function openField(ticket: Parameters<typeof makeTicket>[0] = {}): Promise<HTMLTextAreaElement> {
  const place = createTicketComposerContext(makeTicket({ id: 621, userId: ME.id, ...ticket }))
  await show(<Editor place={place} placeholder="" />)
  const field = document.querySelector('textarea')
  if (!field) throw new Error('no field')
  return field
}

function pressEnter(field: HTMLTextAreaElement) {
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
}

function press() {
  document.querySelector<HTMLButtonElement>('.k-send')?.click()
}

function type(field: HTMLTextAreaElement, text: string) {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text)
    field.setSelectionRange(text.length, text.length)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
