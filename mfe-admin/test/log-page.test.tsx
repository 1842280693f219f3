// The sheet of the activity log holds what the page shows, and nothing else of anybody.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import LogPage from '../src/log/LogPage.tsx'
import { makeUser } from './people.ts'

let server: Server<undefined>
let root: Root
let searches: (string | null)[]
let exported: { readonly searchParam?: string } | null

beforeEach(() => {
  searches = []
  exported = null
  server = startPageServer({
    async fetch(request, { pathname, searchParams }) {
      if (pathname === '/log/export') {
        exported = await request.json()
        return Response.json({ jobId: 1 }, { status: 202 })
      }
      if (pathname !== '/log') return Response.json({ users: [], hasMore: false, nextCursor: null, count: 0 })
      searches.push(searchParams.get('searchParam'))
      return Response.json({ logs: [], count: 0, hasMore: false, nextCursor: null })
    },
  })
  session.user = makeUser({ id: 1, name: 'Marina', profile: 'admin' })
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  act(() => root.unmount())
  document.body.replaceChildren()
  endSession()
  await server.stop(true)
})

test('a sheet of the log goes by what is searched', async () => {
  await act(async () =>
    root.render(
      <MemoryRouter>
        <LogPage />
      </MemoryRouter>,
    ),
  )
  await waitUntil(() => searches.length === 1, 'the first page is asked for')
  const field = document.querySelector<HTMLInputElement>('input[type="search"]')
  if (!field) throw new Error('nothing can be searched')
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'Maria Souza')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await waitUntil(() => searches.length === 2, 'what is typed is asked for')
  await waitUntil(() => findSheetButton() !== undefined, 'its answer is there')
  act(() => findSheetButton()?.click())
  await waitUntil(() => exported !== null, 'the sheet is asked for')
  expect([searches, exported?.searchParam]).toEqual([[null, 'Maria Souza'], 'Maria Souza'])
})

function findSheetButton() {
  const isAnswered = document.body.textContent?.includes('Nada com “Maria Souza”')
  return isAnswered
    ? [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Planilha')
    : undefined
}
