// An own message of an internal chat is deleted as one of a conversation is: by Enter.
import { afterEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import pt from '../locales/dialogs/pt.json'
import { DeleteChatMessage } from '../src/chats/ChatMessageMenu.tsx'
import { InDesk } from './in-desk.tsx'

addTexts('tickets', { pt, en: pt, es: pt })

let root: Root
let stop: () => unknown

afterEach(async () => {
  act(() => root.unmount())
  document.body.replaceChildren()
  await stop()
})

test('the button that deletes has the focus', async () => {
  const deleted: string[] = []
  let isClosed = false
  const server = startPageServer({
    fetch(request, { pathname }) {
      deleted.push(`${request.method} ${pathname}`)
      return new Response(null, { status: 204 })
    },
  })
  stop = () => server.stop(true)
  root = createRoot(document.body.appendChild(document.createElement('div')))
  act(() =>
    root.render(
      <InDesk>
        <DeleteChatMessage id={7} onClose={() => (isClosed = true)} />
      </InDesk>,
    ),
  )
  const focused = document.activeElement
  expect(focused?.textContent).toBe(pt.delete.messageDo)
  if (!(focused instanceof HTMLElement)) throw new Error('nothing has the focus')
  act(() => focused.click())
  await waitUntil(() => isClosed, 'it is deleted')
  expect(deleted).toEqual(['DELETE /chats/messages/7'])
})
