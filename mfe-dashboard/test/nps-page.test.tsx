// Where nobody has given a rating there is a way to what asks for one.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import NpsPage from '../src/nps/NpsPage.tsx'

let server: Server<undefined>
let root: Root

beforeEach(() => {
  server = startPageServer({
    // The list alone is looked at.
    fetch: (_, { pathname }) =>
      pathname.endsWith('/summary')
        ? Response.json({ error: 'ERR_INTERNAL' }, { status: 500 })
        : Response.json(
            pathname.endsWith('/queue') || pathname.endsWith('/whatsapp')
              ? []
              : { entries: [], users: [], count: 0, hasMore: false, nextCursor: null },
          ),
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

test('where nobody has given a rating a link leads to the connections, which ask for it', async () => {
  await act(async () =>
    root.render(
      <MemoryRouter>
        <NpsPage />
      </MemoryRouter>,
    ),
  )
  await waitUntil(() => document.querySelector('.b-empty') !== null, 'nothing is there')
  expect(document.querySelector('.b-empty a')?.getAttribute('href')).toBe('/connections')
})
