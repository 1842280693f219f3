// The palette looks further by itself where a page of its search holds few, and no more often than a few times.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { MemoryRouter, useLocation } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import pt from '../locales/pt.json'
import Palette from '../src/palette/Palette.tsx'
import { MARINA } from './marina.ts'

addTexts('shell', { pt, en: pt, es: pt })

interface FoundPage {
  readonly ids?: readonly number[]
  /** Instead of `Cliente` and the number. */
  readonly name?: string
  readonly next?: string
}

let root: Root
let stop: () => unknown = () => undefined
let path = ''

beforeEach(() => {
  endSession()
  session.user = MARINA
})

afterEach(async () => {
  act(() => root.unmount())
  document.body.replaceChildren()
  await stop()
  endSession()
})

test('pages without a conversation are passed over, and one that two of them have stands there once', async () => {
  const cursors = await search([{ next: 'a' }, { ids: [3, 4], next: 'b' }, { ids: [3, 5] }])
  await waitUntil(() => listFound().length > 0, 'something is found')
  expect(listFound()).toEqual(['Cliente 3', 'Cliente 4', 'Cliente 5'])
  expect(cursors).toEqual([null, 'a', 'b'])
})

test('six conversations are enough', async () => {
  const cursors = await search([{ ids: [1, 2, 3, 4, 5, 6, 7], next: 'a' }, { ids: [8] }])
  await waitUntil(() => listFound().length > 0, 'something is found')
  expect(listFound()).toHaveLength(6)
  expect(cursors).toEqual([null])
})

test('who bears the name stands before those in whose names its letters stand', async () => {
  await search([{ ids: [1], name: 'Superclientes', next: 'a' }, { ids: [2] }])
  await waitUntil(() => listFound().length > 0, 'something is found')
  expect(listFound()).toEqual(['Cliente 2', 'Superclientes'])
})

test('Enter pressed meanwhile opens what a later page has', async () => {
  await search([{ next: 'a' }, { ids: [3] }])
  const field = document.querySelector('input')
  act(() => void field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })))
  await waitUntil(() => path !== '/', 'it is open')
  expect([path, document.querySelector('input')]).toEqual(['/tickets/3', null])
})

test('pages of nothing end after three', async () => {
  const cursors = await search([{ next: 'a' }, { next: 'b' }, { next: 'c' }, { ids: [9] }])
  await waitUntil(() => document.querySelector('.b-empty') !== null, 'it says that there is none')
  expect([cursors, listFound()]).toEqual([[null, 'a', 'b'], []])
})

test('a line is for a click: neither a right one nor a selection that ends over it runs it', async () => {
  await search([{ ids: [3] }])
  await waitUntil(() => listFound().length > 0, 'something is found')
  const line = document.querySelector<HTMLElement>('.s-palette-line')
  for (const button of [0, 2])
    act(() => void line?.dispatchEvent(new PointerEvent('pointerup', { button, bubbles: true })))
  expect([path, listFound()]).toEqual(['/', ['Cliente 3']])
  act(() => line?.click())
  expect([path, listFound()]).toEqual(['/tickets/3', []])
})

test('a tap beside it closes it once the finger is off, and goes no further', async () => {
  await search([{ ids: [3] }])
  const scrim = document.querySelector('.b-scrim')
  act(() => void scrim?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })))
  expect(document.querySelector('[role=dialog]') === null).toBe(false)
  act(() => void scrim?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })))
  expect(document.querySelector('[role=dialog]') === null).toBe(true)
})

function Page() {
  path = useLocation().pathname
  const [isOpen, setOpen] = useState(true)
  return isOpen && <Palette onClose={() => setOpen(false)} />
}

/** Types a name that no action bears; the pages it is answered with, and the cursors that were asked for. */
async function search(pages: readonly FoundPage[]): Promise<(string | null)[]> {
  const cursors: (string | null)[] = []
  const server = startPageServer({
    fetch(_, url) {
      if (!url.pathname.endsWith('/tickets/filter')) return Response.json({ contacts: [], chats: [] })
      cursors.push(url.searchParams.get('cursor'))
      return Response.json(toAnswer(pages[cursors.length - 1] ?? {}))
    },
  })
  stop = () => server.stop(true)
  root = createRoot(document.body.appendChild(document.createElement('div')))
  act(() =>
    root.render(
      <MemoryRouter>
        <Page />
      </MemoryRouter>,
    ),
  )
  const field = document.querySelector('input')
  act(() => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    set?.call(field, 'cliente')
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  return cursors
}

function listFound(): string[] {
  return [...document.querySelectorAll('.s-palette-line > span')].map(line => line.textContent ?? '')
}

function toAnswer({ ids = [], name, next }: FoundPage) {
  const tickets = ids.map(id => ({
    id,
    status: 'open',
    isGroup: false,
    queue: null,
    contact: { name: name ?? `Cliente ${id}` },
  }))
  return { tickets, hits: [], named: [...ids], hasMore: !!next, count: ids.length, nextCursor: next ?? null }
}
