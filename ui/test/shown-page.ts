// A page of a remote in a document of its own, for an administrator, with a server behind it: for one test after the other.
import { afterEach, beforeEach } from 'bun:test'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act, createElement, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer } from './page.ts'

/** Begins and ends the page around each test of the file; the function shows what it is given. */
export function preparePage(fetch: Parameters<typeof startPageServer>[0]['fetch']): (page: ReactNode) => Promise<void> {
  let server: Server<undefined>
  let root: Root
  beforeEach(() => {
    server = startPageServer({ fetch })
    session.user = { id: 1, profile: 'admin', queueIds: [] } as never
    root = createRoot(document.body.appendChild(document.createElement('div')))
  })
  afterEach(async () => {
    act(() => root.unmount())
    document.body.replaceChildren()
    endSession()
    await server.stop(true)
  })
  return page => act(async () => root.render(createElement(MemoryRouter, null, page)))
}
