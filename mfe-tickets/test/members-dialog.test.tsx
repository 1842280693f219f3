// Who is in a group: only what is changed here is sent, and who has left the company can be taken out.
import { beforeEach, expect, test } from 'bun:test'
import type { SharedChat } from '@balcao/contract'
import { act } from 'react'
import { typeText, waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import { MembersDialog } from '../src/chats/MembersDrawer.tsx'
import '../src/chats/texts.ts'
import { makeUser } from './make.ts'
import { makeChat } from './make-chats.ts'

let saved: unknown[]
const me = makeUser('admin')
const [ana, bia, left] = [me.id + 1, me.id + 2, me.id + 3]
const chat = (...users: number[]): SharedChat => ({
  ...makeChat(1, { users: [me.id, ...users] }),
  groupName: 'Plantão',
})

beforeEach(() => {
  saved = []
})
const team = [me, ...[ana, bia].map(id => ({ ...me, id, name: `Pessoa ${id}` }))]
const draw = preparePage(
  async (request, { pathname }) => {
    if (pathname === '/users') return Response.json({ users: team, count: team.length, hasMore: false })
    if (request.method === 'PUT') saved.push(await request.json())
    return Response.json(chat(ana))
  },
  { user: me, remote: 'mfe_tickets' },
)

test('a new name says nothing of the members, whoever came in meanwhile', async () => {
  await show(chat(ana))
  await show(chat(ana, bia))
  const name = document.querySelector<HTMLInputElement>('input[maxlength="255"]')
  if (!name) throw new Error('There is no name')
  typeText(name, 'Plantão 2')
  expect(await save()).toEqual({ groupName: 'Plantão 2' })
})

test('who is not of the team any more can be unticked, and who is ticked comes in', async () => {
  await show(chat(ana, left))
  tick(left)
  tick(bia)
  expect(await save()).toEqual({ add: [bia], remove: [left] })
})

async function show(shown: SharedChat) {
  await draw(<MembersDialog chat={shown} onClose={() => {}} />)
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
