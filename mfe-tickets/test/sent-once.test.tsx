// What is sent from a dialog of a conversation, and sent again because no answer came: it has the name it had.
import { afterEach, beforeEach, expect, mock, spyOn, test } from 'bun:test'
import { act } from 'react'
import { typeText, waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import pt from '../locales/composer/pt.json'
import { NewChatDialog } from '../src/chats/NewChatDialog.tsx'
import '../src/chats/texts.ts'
import ContactDialog from '../src/composer/ContactDialog.tsx'
import TemplateDialog from '../src/composer/TemplateDialog.tsx'
import { makeTicket, makeUser } from './make.ts'

const ignore = () => undefined
const me = makeUser('admin')
const people = ['Ana', 'Bia'].map((name, at) => ({ ...me, id: me.id + 1 + at, name }))
const contacts = ['Ana Lima', 'Ana Reis'].map((name, at) => ({
  id: 30 + at,
  name,
  number: `551198888000${at}`,
  tags: [],
}))
const templates = ['aviso', 'boleto'].map(name => ({
  ...{ id: name, name, category: 'UTILITY', status: 'APPROVED', language: 'pt_BR', parameterFormat: 'POSITIONAL' },
  components: [{ type: 'BODY', text: `É um ${name}.` }],
}))

/** By which names it arrived. */
let clientIds: unknown[] = []
/** Of each call, until which it waits for its answer. */
let patience: AbortController[] = []
let silence: PromiseWithResolvers<void>

// Before the page's server is stopped, which waits for its answers.
afterEach(() => {
  mock.restore()
  silence.resolve()
})
const show = preparePage(
  async (request, { pathname }) => {
    if (request.method === 'POST') {
      clientIds.push(Object(await request.json()).clientId)
      await silence.promise
      return Response.json({ error: 'ERR_INTERNAL' }, { status: 500 })
    }
    if (pathname === '/users') return Response.json({ users: [me, ...people], count: 3, hasMore: false })
    if (pathname.startsWith('/meta/templates/'))
      return Response.json({ templates, hasMore: false, count: 2, reason: null })
    return Response.json(pathname === '/contacts' ? { contacts, hasMore: false } : [])
  },
  { user: me, remote: 'mfe_tickets' },
)
beforeEach(() => {
  clientIds = []
  patience = []
  silence = Promise.withResolvers()
  spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const one = new AbortController()
    patience.push(one)
    return one.signal
  })
})

test('a card, until another contact is chosen', async () => {
  await show(<ContactDialog ticket={makeTicket()} onClose={ignore} />)
  typeText(document.querySelector('input'), 'ana')
  await waitUntil(() => findButtons('.k-choice').length === 2, 'they are found')
  press(findButtons('.k-choice')[0])
  await sendTwice()
  press(findButtons('.k-choice')[1])
  await send()
  expect(new Set(clientIds).size).toBe(2)
})

test('a template, until another one is chosen', async () => {
  await show(<TemplateDialog ticket={makeTicket()} onClose={ignore} />)
  await waitUntil(() => findButtons('.k-choice').length === 2, 'they are offered')
  press(findButtons('.k-choice')[0])
  await sendTwice()
  press([...document.querySelectorAll('button')].find(({ textContent }) => textContent === pt.template.back))
  await waitUntil(() => findButtons('.k-choice').length === 2, 'they are offered again')
  press(findButtons('.k-choice')[1])
  await send()
  expect(new Set(clientIds).size).toBe(2)
})

test('a group, also with another name by then: the server gives it that', async () => {
  await show(<NewChatDialog onClose={ignore} onOpened={ignore} />)
  press(document.querySelectorAll<HTMLElement>('[role=tab]')[1])
  await waitUntil(() => document.querySelectorAll('.i-people input').length === 2, 'the team is there')
  typeText(document.querySelector<HTMLInputElement>('input[maxlength="255"]'), 'Plantão')
  press(document.querySelector<HTMLElement>('.i-people input'))
  await sendTwice()
  typeText(document.querySelector<HTMLInputElement>('input[maxlength="255"]'), 'Plantão 2')
  await send()
  expect(new Set(clientIds).size).toBe(1)
})

async function sendTwice() {
  await send()
  await send()
  expect(clientIds).toEqual([expect.stringMatching(/.{30}/), clientIds[0]])
}

/** Presses what sends, and no answer comes in time. */
async function send() {
  const before = clientIds.length
  act(() => document.querySelector('form')?.requestSubmit())
  await waitUntil(() => clientIds.length > before, 'it arrives')
  act(() => {
    for (const one of patience.splice(0)) one.abort(new DOMException('took too long', 'TimeoutError'))
  })
  await waitUntil(() => document.querySelector('[type=submit][aria-busy]') === null, 'it is free again')
}

function findButtons(selector: string) {
  return [...document.querySelectorAll<HTMLElement>(selector)]
}

function press(element: HTMLElement | null | undefined) {
  if (!element) throw new Error('there is nothing to press')
  act(() => element.click())
}
