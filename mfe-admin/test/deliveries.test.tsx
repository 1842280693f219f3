// Where nothing was sent to a webhook a test can be.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { Deliveries } from '../src/integrations/Deliveries.tsx'

let server: Server<undefined>
let root: Root
const tested: number[] = []

beforeEach(() => {
  server = startPageServer({
    fetch: (_, { pathname }) =>
      Response.json(pathname.endsWith('/deliveries') ? { deliveries: [], nextCursor: null } : []),
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

test('where nothing was sent yet a test is one press away', async () => {
  await act(async () =>
    root.render(
      <MemoryRouter>
        <Deliveries webhook={{ id: 4, name: 'Loja' } as never} onTest={() => tested.push(4)} onClose={() => {}} />
      </MemoryRouter>,
    ),
  )
  await waitUntil(() => document.querySelector('.b-empty') !== null, 'nothing is there')
  act(() => document.querySelector<HTMLButtonElement>('.b-empty button')?.click())
  expect(tested).toEqual([4])
})
