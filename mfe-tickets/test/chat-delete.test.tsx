// An own message of an internal chat is deleted as one of a conversation is: by Enter.
import { expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act } from 'react'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import pt from '../locales/dialogs/pt.json'
import { DeleteChatMessage } from '../src/chats/ChatMessageMenu.tsx'

addTexts('tickets', { pt, en: pt, es: pt })

const deleted: string[] = []
const show = preparePage(
  (request, { pathname }) => {
    deleted.push(`${request.method} ${pathname}`)
    return new Response(null, { status: 204 })
  },
  { remote: 'mfe_tickets' },
)

test('the button that deletes has the focus', async () => {
  let isClosed = false
  await show(<DeleteChatMessage id={7} onClose={() => (isClosed = true)} />)
  const focused = document.activeElement
  expect(focused?.textContent).toBe(pt.delete.messageDo)
  if (!(focused instanceof HTMLElement)) throw new Error('nothing has the focus')
  act(() => focused.click())
  await waitUntil(() => isClosed, 'it is deleted')
  expect(deleted).toEqual(['DELETE /chats/messages/7'])
})
