// The way back to the first steps at the end of a list.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { startPageServer } from '../../ui/test/page.ts'
import ListEnd from '../src/list/ListEnd.tsx'
import { InDesk } from './in-desk.tsx'
import { makeUser } from './make.ts'

let isOver = false
let requests = 0
let server: ReturnType<typeof startPageServer>
beforeEach(() => {
  requests = 0
  server = startPageServer({
    fetch() {
      requests += 1
      return Response.json({ done: [], trade: null, preset: 0, isOver })
    },
  })
})
afterEach(async () => {
  endSession()
  await server.stop(true)
})

/** The end of another list; the answer says whether the link stood there. */
async function showListEnd(profile: 'admin' | 'user'): Promise<boolean> {
  session.user ??= makeUser(profile)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  act(() =>
    root.render(
      <InDesk>
        <ListEnd />
      </InDesk>,
    ),
  )
  // One more call of its own is answered later.
  await act(() => fetch(server.url).then(response => response.text()))
  requests -= 1
  const isLinked = document.querySelector('a[href="/first-steps"]') !== null
  act(() => root.unmount())
  document.body.replaceChildren()
  return isLinked
}

test('stands there until they are over, and once they are the server is not asked again, until the next session', async () => {
  isOver = false
  expect([await showListEnd('admin'), await showListEnd('admin'), requests]).toEqual([true, true, 2])
  isOver = true
  expect([await showListEnd('admin'), await showListEnd('admin'), requests]).toEqual([false, false, 3])
  endSession()
  expect([await showListEnd('admin'), requests]).toEqual([false, 4])
})

test('whoever is no administrator has none, and nothing is asked', async () => {
  isOver = false
  expect([await showListEnd('user'), requests]).toEqual([false, 0])
})
