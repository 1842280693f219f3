// A page of a remote in a document of its own, for an administrator, with a server behind it: for one test after the other.
import { afterEach, beforeEach } from 'bun:test'
import { RemoteArea } from '@balcao/ui/parts'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { type PageServerOptions, startPageServer } from './page.ts'

interface PageOptions {
  /** Who is signed in. */
  readonly user?: object
  readonly address?: string
  /** The remote whose styles the page has. */
  readonly remote?: string
}

/** Begins and ends the page around each test of the file; the function shows what it is given. */
export function preparePage(
  fetch: PageServerOptions['fetch'],
  { user = { id: 1, profile: 'admin', queueIds: [] }, address = '/', remote = '' }: PageOptions = {},
): (page: ReactNode) => Promise<void> {
  let server: Server<undefined>
  let root: Root
  beforeEach(() => {
    server = startPageServer({ fetch })
    endSession()
    session.user = user as never
    root = createRoot(document.body.appendChild(document.createElement('div')))
  })
  afterEach(async () => {
    act(() => root.unmount())
    document.body.replaceChildren()
    await server.stop(true)
    endSession()
  })
  return page =>
    act(async () =>
      root.render(
        <MemoryRouter initialEntries={[address]}>
          <RemoteArea name={remote}>{page}</RemoteArea>
        </MemoryRouter>,
      ),
    )
}
