// The panel of a contact that the list does not show: as it is now, whoever changes it.
import { afterAll, afterEach, beforeEach, spyOn, test } from 'bun:test'
import type { Contact } from '@balcao/contract'
import { live } from '@balcao/ui/live'
import { RemoteArea } from '@balcao/ui/parts'
import { MemoryRouter } from '@balcao/ui/router'
import { useRows } from '@balcao/ui/screens'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { CONTACTS } from '../src/contacts/list.ts'
import { usePanel } from '../src/contacts/use-panel.tsx'
import { makeContact } from './contact.ts'

const FIRST = makeContact({ id: 1, name: 'Ana' })
let server: Server<undefined>
let root: Root
let zeca: Contact
let save: (contact: Contact) => void
let panel: string | undefined
let isDeleted: boolean
const heard = spyOn(live, 'on')
const resets = spyOn(live, 'onReset')

beforeEach(async () => {
  heard.mockClear()
  resets.mockClear()
  isDeleted = false
  zeca = makeContact({ id: 60, name: 'Zeca' })
  server = startPageServer({
    fetch(_, { pathname }) {
      if (pathname.endsWith('/history')) return Response.json({ history: [], hasMore: false, nextCursor: null })
      if (pathname === '/contacts') return Response.json({ contacts: [FIRST], nextCursor: 'more', count: 60 })
      if (pathname === '/contacts/60' && isDeleted)
        return Response.json(
          { error: 'ERR_NO_CONTACT_FOUND', message: 'Este contato não existe mais.' },
          { status: 404 },
        )
      return Response.json(pathname === '/contacts/60' ? zeca : { count: 60 })
    },
  })
  session.user = { id: 1, profile: 'admin', editContact: true } as never
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <MemoryRouter initialEntries={['/contacts?contato=60']}>
        <RemoteArea name="mfe_automation">
          <Page />
        </RemoteArea>
      </MemoryRouter>,
    ),
  )
  await waitUntil(() => panel === 'Zeca', 'the panel has the contact')
})
afterEach(async () => {
  act(() => root.unmount())
  document.body.replaceChildren()
  endSession()
  await server.stop(true)
})
afterAll(() => {
  heard.mockRestore()
  resets.mockRestore()
})

test('what is saved here stands there at once', async () => {
  act(() => save({ ...zeca, name: 'Zeca Prado', version: 2 }))
  await waitUntil(() => panel === 'Zeca Prado', 'the panel has what was saved')
})

test('so does what a colleague saves', async () => {
  const event = { event: 'contact', action: 'update', version: 2, contact: { ...zeca, name: 'Zeca Lima', version: 2 } }
  for (const [name, listener] of heard.mock.calls) if (name === 'contact') act(() => void listener(event as never))
  await waitUntil(() => panel === 'Zeca Lima', 'the panel has what was told')
})

test('deleted while the line was away it is shown no more', async () => {
  isDeleted = true
  await act(async () => {
    for (const [listener] of resets.mock.calls) listener()
  })
  await waitUntil(() => panel === undefined, 'the panel is closed')
})

function Page() {
  const rows = useRows(CONTACTS)
  const own = usePanel(rows, () => undefined)
  save = rows.put
  panel = own.panel?.props.contact.name
  return own.panel ?? null
}
