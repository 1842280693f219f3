// What is to be chosen from above the composer, and cannot be fetched: what is typed for it goes to nobody.
import { afterEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import conversation from '../locales/conversation/pt.json'
import pt from '../locales/pt.json'
import { createTicketComposerContext } from '../src/composer/composer-context.ts'
import { Editor } from '../src/composer/Editor.tsx'
import { InDesk } from './in-desk.tsx'
import { makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt: { ...pt, ...conversation }, en: pt, es: pt })

let root: Root
let stop: () => unknown = () => undefined
afterEach(async () => {
  act(() => root.unmount())
  document.body.replaceChildren()
  endSession()
  await stop()
})

test.each([
  ['a quick answer', '/proposta', '/quickAnswers', /^\/proposta$/],
  ['a colleague in a comment', '-- @bru', '/tickets/621/colleagues', /@bru$/],
])('%s: Enter sends nothing, it asks again', async (_, typed, path, kept) => {
  let asked = 0
  const posted: string[] = []
  const server = startPageServer({
    fetch(request, { pathname }) {
      if (request.method !== 'GET') posted.push(pathname)
      if (!pathname.endsWith(path)) return Response.json([])
      asked++
      return Response.json({ error: 'ERR_INTERNAL' }, { status: 500 })
    },
  })
  stop = () => server.stop(true)
  endSession()
  session.user = makeUser('admin')
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const place = createTicketComposerContext(makeTicket({ id: 621, userId: session.user.id }))
  await act(async () =>
    root.render(
      <InDesk>
        <Editor place={place} placeholder="" />
      </InDesk>,
    ),
  )
  const field = document.querySelector('textarea')
  if (!field) throw new Error('no field')
  type(field, typed)
  const isSaid = () => (document.querySelector('.k-quick-none')?.textContent ?? '') !== ''
  await waitUntil(isSaid, 'it says that they did not come')
  const before = asked
  act(() => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })))
  await waitUntil(() => asked > before, 'they are asked for again')
  expect([kept.test(field.value), posted]).toEqual([true, []])
})

function type(field: HTMLTextAreaElement, text: string) {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text)
    field.setSelectionRange(text.length, text.length)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
