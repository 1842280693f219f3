// Buttons of sends and contacts that act without a question: what is pressed twice is done once.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { ContactActivity, MassSend } from '@balcao/contract'
import { addTexts } from '@balcao/ui/i18n'
import { act, type ReactNode } from 'react'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import panel from '../locales/contact-panel/pt.json'
import pt from '../locales/sends/pt.json'
import { Past } from '../src/contacts/Past.tsx'
import { useSteering } from '../src/sends/Steer.tsx'
import { makeContact } from './contact.ts'
import { makeMassSend } from './send.ts'

addTexts('sends', { pt, en: async () => ({ default: pt }), es: async () => ({ default: pt }) })

const MERGED: ContactActivity = {
  ...{ id: '3', at: '2026-11-23T12:00:00.000Z', what: 'contact.merge', ticketId: null, user: null, params: null },
  ...{ other: { id: 2, name: 'Lúcia' }, merge: { id: 9, until: '2026-12-23T12:00:00.000Z' } },
}
let requests: string[]
let answer: PromiseWithResolvers<object>

beforeEach(() => {
  requests = []
  answer = Promise.withResolvers()
})
afterEach(() => {
  notices.list = []
})
const show = preparePage(
  async ({ method }, { pathname }) => {
    if (method === 'GET') return Response.json({ history: [MERGED], hasMore: false, nextCursor: null })
    requests.push(`${method} ${pathname}`)
    return Response.json(await answer.promise)
  },
  { user: { id: 1, profile: 'admin', editContact: true } },
)

test('a send is paused once', async () => {
  await pressTwice(<PauseButton send={makeMassSend()} />, 'Pausar')
  answer.resolve(makeMassSend({ state: 'paused' }))
  await waitUntil(() => notices.list.length > 0, 'it is told')
  expect([requests, notices.list.map(({ kind }) => kind)]).toEqual([['PUT /envioMassa/1/pause'], ['success']])
})

test('a merge is taken back once', async () => {
  const contact = makeContact({})
  const rows = { put: () => undefined }
  await pressTwice(<Past contact={contact} rows={rows} />, panel.merge.undo)
  answer.resolve({ contact, other: makeContact({ id: 2 }) })
  await waitUntil(() => notices.list.length > 0, 'it is told')
  expect([requests, notices.list.map(({ kind }) => kind)]).toEqual([['DELETE /contacts/merges/9'], ['success']])
})

async function pressTwice(page: ReactNode, label: string) {
  await show(page)
  const find = () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)
  await waitUntil(() => find() !== undefined, 'it can be pressed')
  for (let n = 0; n < 2; n++) act(() => find()?.click())
  await waitUntil(() => requests.length > 0, 'it is under way')
}

function PauseButton({ send }: { readonly send: MassSend }) {
  const steer = useSteering(() => undefined)
  return (
    <button type="button" onClick={() => steer(send, 'pause')}>
      Pausar
    </button>
  )
}
