// The form of a queue, whose colours are looked up before it stands.
import { expect, test } from 'bun:test'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import { QueueForm } from '../src/queues/QueueForm.tsx'

const answer = Promise.withResolvers<void>()
const show = preparePage(async (_, { pathname }) => {
  if (pathname === '/queue') await answer.promise
  return Response.json([])
})

test('what is typed while the colours are looked up stands in the name of the queue', async () => {
  const rows = { put: () => undefined, drop: () => undefined, find: () => undefined, isGone: () => false }
  await show(<QueueForm row={null} rows={rows} onClose={() => undefined} />)
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
