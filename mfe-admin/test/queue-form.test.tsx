// The form of a queue, whose colours are looked up before it stands.
import { afterEach, expect, test } from 'bun:test'
import { MemoryRouter } from '@balcao/ui/router'
import type { Server } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { QueueForm } from '../src/queues/QueueForm.tsx'

let root: Root | undefined
let server: Server<undefined> | undefined

afterEach(async () => {
  await act(async () => root?.unmount())
  await server?.stop(true)
})

test('what is typed while the colours are looked up stands in the name of the queue', async () => {
  const answer = Promise.withResolvers<void>()
  server = startPageServer({
    async fetch(_, { pathname }) {
      if (pathname === '/queue') await answer.promise
      return Response.json([])
    },
  })
  document.body.innerHTML = '<div></div>'
  root = createRoot(document.body.firstElementChild ?? document.body)
  const rows = { put: () => undefined, drop: () => undefined, find: () => undefined, isGone: () => false }
  await act(async () =>
    root?.render(
      <MemoryRouter>
        <QueueForm row={null} rows={rows} onClose={() => undefined} />
      </MemoryRouter>,
    ),
  )
  // The key moves the focus, and the browser writes the letter to where it is by then.
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'V', bubbles: true, cancelable: true }))
  const held = document.activeElement
  if (!(held instanceof HTMLTextAreaElement)) throw new Error('nobody takes the letters')
  held.value = 'Vendas'
  answer.resolve()
  await waitUntil(() => findName()?.value === 'Vendas', 'the letters stand in the form')
  expect(document.activeElement).toBe(findName())
})

function findName(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('[role="dialog"] input[data-autofocus]')
}
