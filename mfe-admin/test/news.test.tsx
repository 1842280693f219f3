// What Meta tells of an account, on its connection's card.
import { afterEach, expect, test } from 'bun:test'
import type { Connection } from '@balcao/contract'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { News } from '../src/connections/News.tsx'
import { makeConnection } from './connection.ts'

const DESK = { open() {}, examine() {}, put() {}, reload() {} }

let root: Root | undefined
afterEach(() => {
  act(() => root?.unmount())
  document.body.replaceChildren()
})

function draw(connection: Partial<Connection>): HTMLElement {
  const place = document.body.appendChild(document.createElement('div'))
  act(() => {
    root = createRoot(place)
    root.render(<News connection={makeConnection({ api: 'cloud_api', ...connection })} desk={DESK} />)
  })
  return place
}

const NEWS: Connection['news'] = [
  { code: 'template_paused', about: '<b>aviso</b>', at: '2026-11-22T12:00:00.000Z' },
  { code: 'account_restricted', at: '2026-11-21T12:00:00.000Z', name: 'account_update ACCOUNT_RESTRICTION' },
]

test('each is told in words with what it is about and when, never in those of the provider', () => {
  const place = draw({ news: NEWS })
  const [first, second] = [...place.querySelectorAll('li')].map(item => item.textContent)
  expect(first).toContain('Modelo pausado: clientes reclamaram. (<b>aviso</b>)')
  expect(second).toContain('A Meta restringiu a conta.')
  expect(place.textContent).not.toContain('ACCOUNT')
  expect(place.querySelectorAll('time')).toHaveLength(2)
})

test('the five newest stand there, and what was told late as long as nobody has seen it', () => {
  const seen = Array.from({ length: 6 }, (_, n) => ({
    ...{ code: 'template_changed' as const, about: `antigo ${n}`, at: `2026-11-22T1${9 - n}:00:00.000Z` },
    storedAt: `2026-11-22T1${9 - n}:00:00.000Z`,
  }))
  const late = {
    code: 'account_restricted' as const,
    at: '2026-11-20T12:00:00.000Z',
    storedAt: '2026-11-23T08:00:00.000Z',
  }
  const newsSeenAt = '2026-11-23T07:00:00.000Z'
  const describe = (news: Connection['news']) =>
    [...draw({ news, newsSeenAt }).querySelectorAll('li')].map(one => one.textContent)
  expect(describe(seen)).toHaveLength(5)
  act(() => root?.unmount())
  expect(describe([...seen, late]).at(-1)).toContain('A Meta restringiu a conta.')
})

test('they can be marked as seen until they were; without news there is nothing', () => {
  expect(draw({ news: NEWS }).querySelectorAll('button')).toHaveLength(1)
  expect(draw({ news: NEWS, newsSeenAt: '2026-11-21T13:00:00.000Z' }).querySelectorAll('button')).toHaveLength(1)
  expect(draw({ news: NEWS, newsSeenAt: '2026-11-22T13:00:00.000Z' }).querySelectorAll('button')).toHaveLength(0)
  expect(draw({}).textContent).toBe('')
})
