// Where there is no protocol there is a way to what makes one.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import ProtocolsPage from '../src/protocols/ProtocolsPage.tsx'

let server: Server<undefined>
let root: Root

beforeEach(() => {
  server = startPageServer({
    fetch: (_, { pathname }) =>
      Response.json(pathname.includes('rotocol') ? { protocolos: [], count: 0, hasMore: false, nextCursor: null } : []),
  })
  session.user = { id: 1, profile: 'admin', queueIds: [] } as never
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  act(() => root.unmount())
  document.body.replaceChildren()
  endSession()
  await server.stop(true)
})

test('where there is no protocol a link leads to the conversations, which get one', async () => {
  await act(async () =>
    root.render(
      <MemoryRouter>
        <ProtocolsPage />
      </MemoryRouter>,
    ),
  )
  await waitUntil(() => document.querySelector('.b-empty') !== null, 'nothing is there')
  expect(document.querySelector('.b-empty a')?.getAttribute('href')).toBe('/tickets')
})
