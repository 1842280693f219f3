// What the contact's drawer says of the conversation besides its own facts.
import { afterEach, expect, test } from 'bun:test'
import { RemoteArea } from '@balcao/ui/parts'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { ContactDrawer } from '../src/contact/ContactDrawer.tsx'
import '../src/contact/late.ts'
import { makeTicket, makeUser } from './make.ts'

let root: Root | undefined
let stop: () => unknown = () => undefined
afterEach(async () => {
  act(() => root?.unmount())
  document.body.replaceChildren()
  await stop()
  endSession()
})

test.each([
  [7 * 86_400, 'Mensagens temporáriasSomem depois de 7 dias'],
  [86_400, 'Mensagens temporáriasSomem depois de 24 horas'],
  [null, null],
] as const)('a chat whose messages disappear after %p seconds says so', async (disappearsAfter, words) => {
  const server = startPageServer({
    fetch: (_, { pathname }) =>
      pathname.endsWith('/context')
        ? Response.json({ origin: { kind: 'story', title: '' }, disappearsAfter })
        : Response.json({ error: 'ERR_NO_CONTACT_FOUND', message: '' }, { status: 404 }),
  })
  stop = () => server.stop(true)
  session.user = makeUser('admin')
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root?.render(
      <MemoryRouter>
        <RemoteArea name="mfe_tickets">
          <ContactDrawer ticket={makeTicket()} isGalleryFirst={false} open={() => {}} onClose={() => {}} />
        </RemoteArea>
      </MemoryRouter>,
    ),
  )
  await waitUntil(() => document.body.textContent?.includes('Respondeu ao status') === true, 'it is known')
  if (words) expect(document.body.textContent).toContain(words)
  else expect(document.body.textContent).not.toContain('temporárias')
})
