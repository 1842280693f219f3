// The tags of a contact, against a server of its own.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Tag } from '@balcao/contract'
import type { Server } from 'bun'
import { useState } from 'react'
import { TagRow } from '../src/kit/forms/TagRow.tsx'
import { startPageServer } from './page.ts'

// After the DOM exists: the library looks for it when it is loaded.
const { cleanup, render, screen, waitFor } = await import('@testing-library/react')
const { default: userEvent } = await import('@testing-library/user-event')

const TAGS = ['VIP', 'Atraso', 'Atacado'].map((name, at) => ({ id: at + 1, name, color: '#2C53A4' }))
let server: Server<undefined>
let slow = Promise.withResolvers<void>()
const saved: unknown[] = []
const made: string[] = []

/** As a page that keeps the contact: what was saved comes back with it. */
function KeptRow() {
  const [tags, keep] = useState<readonly Tag[]>([])
  return <TagRow contactId={7} tags={tags} onSaved={contact => keep(contact.tags)} />
}

beforeEach(() => {
  saved.length = 0
  made.length = 0
  slow = Promise.withResolvers<void>()
  server = startPageServer({
    async fetch(request, { pathname }) {
      if (pathname === '/tag' && request.method === 'POST') {
        const { name } = await request.json()
        made.push(name)
        await slow.promise
        return Response.json({ id: 10 + made.length, name, color: '#2C53A4' })
      }
      if (pathname === '/tag') return Response.json(TAGS)
      if (pathname !== '/contacts/7') return Response.json([])
      const { tagIds } = await request.json()
      saved.push({ tagIds })
      await slow.promise
      return Response.json({ id: 7, tags: tagIds.map((id: number) => ({ id, name: `${id}`, color: '#2C53A4' })) })
    },
  })
})
afterEach(async () => {
  cleanup()
  await server.stop(true)
})

test('two taken off in a row are both off, while the first is still being saved', async () => {
  const answered: unknown[] = []
  render(<TagRow contactId={7} tags={TAGS} onSaved={contact => answered.push(contact)} />)
  await userEvent.click(screen.getByRole('button', { name: /VIP/ }))
  await userEvent.click(screen.getByRole('button', { name: /Atraso/ }))
  expect(screen.queryByText('VIP')).toBeNull()
  expect(screen.queryByText('Atraso')).toBeNull()
  slow.resolve()
  await waitFor(() => expect(answered).toHaveLength(2))
  expect(saved).toEqual([{ tagIds: [2, 3] }, { tagIds: [3] }])
})

test('names typed in a row are all on: one there is as it is, new ones are made one after the other', async () => {
  const user = userEvent.setup()
  render(<KeptRow />)
  await user.click(screen.getByRole('button', { name: 'Adicionar tag' }))
  await user.type(screen.getByRole('searchbox'), 'vip{Enter}Novo{Enter}Outro{Enter}')
  slow.resolve()
  await waitFor(() => expect(saved.at(-1)).toEqual({ tagIds: [1, 11, 12] }))
  expect(made).toEqual(['Novo', 'Outro'])
})
