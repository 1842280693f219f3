// Who is in a group: only what is changed here is sent, and who has left the company can be taken out.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { SharedChat } from '@balcao/contract'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { MembersDialog } from '../src/chats/MembersDrawer.tsx'
import '../src/chats/texts.ts'
import { InDesk } from './in-desk.tsx'
import { makeUser } from './make.ts'
import { makeChat } from './make-chats.ts'

let server: Server<undefined>
let root: Root
let saved: unknown[]
const me = makeUser('admin')
const [ana, bia, left] = [me.id + 1, me.id + 2, me.id + 3]
const chat = (...users: number[]): SharedChat => ({
  ...makeChat(1, { users: [me.id, ...users] }),
  groupName: 'Plantão',
})

beforeEach(async () => {
  saved = []
  const team = [me, ...[ana, bia].map(id => ({ ...me, id, name: `Pessoa ${id}` }))]
  server = startPageServer({
    async fetch(request, { pathname }) {
      if (pathname === '/users') return Response.json({ users: team, count: team.length, hasMore: false })
      if (request.method === 'PUT') saved.push(await request.json())
      return Response.json(chat(ana))
    },
  })
  session.user = me
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  act(() => root.unmount())
  document.body.replaceChildren()
  endSession()
  await server.stop(true)
})

test('a new name says nothing of the members, whoever came in meanwhile', async () => {
  await show(chat(ana))
  await show(chat(ana, bia))
  const name = document.querySelector<HTMLInputElement>('input[maxlength="255"]')
  if (!name) throw new Error('There is no name')
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(name, 'Plantão 2')
    name.dispatchEvent(new Event('input', { bubbles: true }))
  })
  expect(await save()).toEqual({ groupName: 'Plantão 2' })
})

test('who is not of the team any more can be unticked, and who is ticked comes in', async () => {
  await show(chat(ana, left))
  tick(left)
  tick(bia)
  expect(await save()).toEqual({ add: [bia], remove: [left] })
})

async function show(shown: SharedChat) {
  act(() =>
    root.render(
      <InDesk>
        <MembersDialog chat={shown} onClose={() => {}} />
      </InDesk>,
    ),
  )
  await waitUntil(() => findBox(ana) !== undefined, 'the team is there')
}

function findBox(id: number) {
  const row = [...document.querySelectorAll('.i-people li')].find(one => one.textContent?.includes(`Pessoa ${id}`))
  return row?.querySelector<HTMLInputElement>('input') ?? undefined
}

function tick(id: number) {
  const box = findBox(id)
  if (!box) throw new Error(`${id} is not offered`)
  act(() => box.click())
}

async function save() {
  act(() => document.querySelector('form')?.requestSubmit())
  await waitUntil(() => saved.length === 1, 'it is saved')
  return saved[0]
}
