// The page of users says of each what its first line promises: in which queues they work, and at what hours.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import UsersPage from '../src/users/UsersPage.tsx'
import { makeUser } from './people.ts'

const [FINANCE, SALES] = [
  { id: 1, name: 'Financeiro', color: '#d0702f' },
  { id: 2, name: 'Vendas', color: '#2f70d0' },
]
const helena = makeUser({ queues: [FINANCE, SALES] as never, queueIds: [1, 2], startTime: '07:30', endTime: '16:45' })

const bruna = makeUser({ id: 3, name: 'Bruna Alves de Carvalho', active: false, awaitingApproval: true })

const { innerWidth } = window
beforeAll(() => void Object.assign(window, { innerWidth: 1440 }))
afterAll(() => void Object.assign(window, { innerWidth }))

const show = preparePage((_, { pathname }) => {
  if (pathname === '/users')
    return Response.json({ users: [bruna, helena], count: 2, hasMore: false, nextCursor: null })
  if (pathname === '/whatsapp') return Response.json([])
  return Response.json({ error: 'ERR_NOT_FOUND' }, { status: 404 })
})

test('whoever attends stands there with their queues and hours', async () => {
  await show(<UsersPage />)
  await waitUntil(() => document.querySelector('tbody tr:nth-child(2)') !== null, 'the people are there')
  const heads = [...document.querySelectorAll('thead th')].map(({ textContent }) => textContent)
  const cells = [...document.querySelectorAll('tbody tr:nth-child(2) > *')].map(({ textContent }) => textContent)
  expect(cells[heads.indexOf('Filas')]).toContain('Financeiro')
  expect(cells[heads.indexOf('Filas')]).toContain('+1')
  expect(cells[heads.indexOf('Horário')]).toBe('07:30–16:45')
})

test('of who asks to come in the whole name is read beside the button: the word stands below it', async () => {
  await show(<UsersPage />)
  await waitUntil(() => document.querySelector('tbody tr:nth-child(2)') !== null, 'the people are there')
  const row = document.querySelector('tbody tr')
  expect([...(row?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent)).toContain('Aprovar')
  const name = row?.querySelector('bdi')
  expect([name?.textContent, name?.nextElementSibling?.textContent]).toEqual([bruna.name, 'Aguarda aprovação'])
})
