// A part of the desk in a document of its own, for an administrator: for one test after the other, each with the server it needs.
import { afterEach, beforeEach } from 'bun:test'
import { setTimezone } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { type PageServerOptions, startPageServer } from '../../ui/test/page.ts'
import { InDesk } from './in-desk.tsx'
import { makeUser } from './make.ts'

export function prepareDesk() {
  let root: Root | undefined
  let server: Server<undefined> | undefined
  beforeEach(() => {
    endSession()
    session.user = makeUser('admin')
    setTimezone('America/Sao_Paulo')
  })
  afterEach(async () => {
    close()
    document.body.replaceChildren()
    await server?.stop(true)
    server = undefined
    endSession()
  })

  function close() {
    act(() => root?.unmount())
    root = undefined
  }

  /** Draws it in the place of what the test drew before. */
  function show(content: ReactNode, address = '/tickets'): HTMLElement {
    const place = document.body.appendChild(document.createElement('div'))
    act(() => {
      root?.unmount()
      root = createRoot(place)
      root.render(<InDesk address={address}>{content}</InDesk>)
    })
    return place
  }

  /** Answers what the page asks for, until the test is over. */
  function answer(fetch: PageServerOptions['fetch']) {
    server = startPageServer({ fetch })
  }

  return { show, close, answer }
}
