// The page of users says of each what its first line promises: in which queues they work, and at what hours.
import { expect, test } from 'bun:test'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.ts'
import UsersPage from '../src/users/UsersPage.tsx'
import { makeUser } from './people.ts'

const [FINANCE, SALES] = [
  { id: 1, name: 'Financeiro', color: '#d0702f' },
  { id: 2, name: 'Vendas', color: '#2f70d0' },
]
const helena = makeUser({ queues: [FINANCE, SALES] as never, queueIds: [1, 2], startTime: '07:30', endTime: '16:45' })

const show = preparePage((_, { pathname }) =>
  Response.json(pathname === '/users' ? { users: [helena], count: 1, hasMore: false, nextCursor: null } : []),
)

test('whoever attends stands there with their queues and hours', async () => {
  await show(<UsersPage />)
  await waitUntil(() => document.querySelector('tbody tr') !== null, 'the people are there')
  const heads = [...document.querySelectorAll('thead th')].map(({ textContent }) => textContent)
  const cells = [...document.querySelectorAll('tbody tr:first-child > *')].map(({ textContent }) => textContent)
  expect(cells[heads.indexOf('Filas')]).toContain('Financeiro')
  expect(cells[heads.indexOf('Filas')]).toContain('+1')
  expect(cells[heads.indexOf('Horário')]).toBe('07:30–16:45')
})
