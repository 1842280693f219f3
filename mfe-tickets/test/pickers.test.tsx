// Enter behind a name, wherever people are picked: it takes whom the letters mean, not who happens to stand first in the alphabet.
import { beforeEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act, createRef } from 'react'
import { typeText, waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import pt from '../locales/pt.json'
import { People } from '../src/chats/People.tsx'
import ContactDialog from '../src/composer/ContactDialog.tsx'
import MentionList from '../src/composer/MentionList.tsx'
import type { SuggestionsHandle } from '../src/composer/Suggestions.tsx'
import { ContactPicker } from '../src/new-ticket/ContactPicker.tsx'
import { makeTicket, makeUser } from './make.ts'

addTexts('tickets', { pt, en: pt, es: pt })

const NAMES = ['Adriana', 'Mariana Souza', 'Ana']
const ignore = () => undefined

const taken: string[] = []
const take = ({ name }: { readonly name: string }) => void taken.push(name)

beforeEach(() => {
  taken.length = 0
})
const team = NAMES.map((name, at) => ({ ...makeUser('user'), id: 20 + at, name }))
const contacts = NAMES.map((name, at) => ({ id: 30 + at, name, number: `551198888000${at}`, tags: [] }))
const show = preparePage(
  (_, { pathname, searchParams }) => {
    // In a large book the page by names does not come to who is meant.
    const page = searchParams.get('order') === 'match' ? contacts : contacts.slice(0, 2)
    if (pathname === '/contacts') return Response.json({ contacts: page, hasMore: false })
    if (pathname === '/users') return Response.json({ users: team, count: 3, hasMore: false })
    return Response.json(pathname.startsWith('/contact/group/') ? { participants: team } : team)
  },
  { user: makeUser('admin'), remote: 'mfe_tickets' },
)

test('a new internal chat, a group and its members', async () => {
  await show(<People onChoose={take} />)
  await waitUntil(() => document.querySelector('.i-people') !== null, 'the team is there')
  typeText(findField(), 'ana')
  expect([...document.querySelectorAll('strong')].map(row => row.textContent)).toEqual([
    'Ana',
    'Adriana',
    'Mariana Souza',
  ])
  pressEnter()
  expect(taken).toEqual(['Ana'])
})

test.each([
  ['a colleague', true],
  ['a member of a group', false],
])('whom a text calls: %s', async (_, comment) => {
  const list = createRef<SuggestionsHandle>()
  const ticket = makeTicket({ status: 'closed' })
  await show(<MentionList ref={list} ticket={ticket} comment={comment} typed="ana" onChoose={take} />)
  await waitUntil(() => document.querySelectorAll('[role=option]').length === 3, 'the names are there')
  act(() => void list.current?.key({ key: 'Enter', preventDefault: ignore } as never))
  expect(taken).toEqual(['Ana'])
})

test('whom to write to, before anybody is found', async () => {
  const wish = { number: 'ana' }
  const calls = { onChange: ignore, onEnter: ignore, onNone: ignore, onFound: take }
  await show(<ContactPicker wish={wish} chosen={null} whatsappId={null} {...calls} />)
  pressEnter()
  await waitUntil(() => taken.length > 0, 'somebody is found')
  expect(taken).toEqual(['Ana'])
})

test('whose card is sent, before anybody is found', async () => {
  await show(<ContactDialog ticket={makeTicket()} onClose={ignore} />)
  typeText(findField(), 'ana')
  pressEnter()
  await waitUntil(() => document.querySelector('.is-chosen') !== null, 'somebody is chosen')
  expect(document.querySelector('.is-chosen strong')?.textContent).toBe('Ana')
})

function findField(): HTMLInputElement {
  const field = document.querySelector('input')
  if (!field) throw new Error('there is no field')
  return field
}

function pressEnter() {
  const field = findField()
  act(() => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })))
}
