// Whom a message is passed on to, where no list of conversations was opened: on a phone, after a push.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import dialogs from '../locales/dialogs/pt.json'
import pt from '../locales/pt.json'
import { ForwardDialog } from '../src/message/ForwardDialog.tsx'
import { InDesk } from './in-desk.tsx'
import { makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt: { ...pt, ...dialogs }, en: {}, es: {} })

let root: Root
let stop: () => unknown
const person = (id: number, name: string) => ({ id, name, number: null, profilePicUrl: null, isGroup: false, tags: [] })

beforeEach(() => {
  const server = startPageServer({
    fetch(_, { pathname }) {
      if (pathname.endsWith('/contacts')) return Response.json({ contacts: [person(4, 'Abel'), person(5, 'Zilda')] })
      if (!pathname.endsWith('/tickets')) return Response.json([])
      const tickets = [
        makeTicket({ id: 1, contactId: 5, contact: person(5, 'Zilda'), lastMessageAt: '2026-11-20T10:00:00.000Z' }),
        makeTicket({ id: 2, contactId: 9, contact: person(9, 'Padaria'), lastMessageAt: '2026-11-20T11:00:00.000Z' }),
      ]
      return Response.json({ tickets, count: 2, hasMore: false, nextCursor: null })
    },
  })
  stop = () => server.stop(true)
  endSession()
  session.user = makeUser('user')
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  act(() => root.unmount())
  document.body.replaceChildren()
  await stop()
  endSession()
})

test('who was written to last stands first, then the phone book', async () => {
  const ticket = makeTicket({ id: 2, contactId: 9 })
  act(() =>
    root.render(
      <InDesk>
        <ForwardDialog ticket={ticket} messageIds={[1]} />
      </InDesk>,
    ),
  )
  const names = () => [...document.querySelectorAll('.i-person strong')].map(name => name.textContent)
  await waitUntil(() => names().length > 0, 'people')
  expect(names()).toEqual(['Zilda', 'Abel'])
})
