// A search whose pages hold few or none goes on by itself until the screen is full; coming back to it asks again.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { MessageHit, ResponseBody } from '@balcao/contract'
import { endSession, session } from '@balcao/ui/session'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { joinFound, keepFound, NONE_FOUND, NOTHING, type SearchResult } from '../src/search/search-store.ts'
import { findFurther, useFound } from '../src/search/use-found.ts'
import { makeTicket, makeUser } from './make.ts'

type Page = ResponseBody<'GET /tickets/filter'>

const request = { ...NOTHING, text: 'ana silva' }
const before = { ...NONE_FOUND, key: 'ana silva' }

let stop: () => unknown = () => undefined
beforeEach(() => {
  endSession()
  session.user = makeUser('admin')
})
afterEach(async () => {
  await stop()
  endSession()
})

test('empty pages are passed over, and a ticket that two of them have stands there once', async () => {
  const cursors = answerWith([
    makePage({ next: 'a' }),
    makePage({ named: [3], next: 'b' }),
    makePage({ named: [3], hits: [4] }),
  ])
  const found = await findFurther(request, before)
  expect(cursors).toEqual([null, 'a', 'b'])
  expect(found.tickets).toEqual([3])
  expect(found.hits.map(hit => hit.ticketId)).toEqual([4])
  expect([found.next, found.isCut]).toEqual([null, false])
})

test('it stops at a full screen, says where, and goes on from there', async () => {
  const many = Array.from({ length: 20 }, (_, n) => n + 1)
  const cursors = answerWith([makePage({ named: many, next: 'a' }), makePage({ named: [21] })])
  const found = await findFurther(request, before)
  expect([cursors, found.next, found.searchedTo]).toEqual([[null], 'a', '2026-11-21T12:00:00.000Z'])
  const further = await findFurther(request, found)
  expect([cursors, further.next]).toEqual([[null, 'a'], null])
  expect(further.tickets).toEqual([...many, 21])
})

test('pages without anything end after a few', async () => {
  const cursors = answerWith(Array.from({ length: 9 }, (_, n) => makePage({ next: `${n}` })))
  const found = await findFurther(request, before)
  expect(cursors).toHaveLength(5)
  expect([found.tickets, found.next]).toEqual([[], '4'])
})

test('a full page is all that is shown', async () => {
  answerWith([makePage({ named: Array.from({ length: 50 }, (_, n) => n + 1) })])
  expect((await findFurther(request, before)).isCut).toBe(true)
})

test('coming back to a search shows what it found, and what was written since', async () => {
  answerWith([makePage({}), makePage({ hits: [4] }), makePage({ hits: [4], named: [3] })])
  const first = openSearch()
  await waitUntil(() => first.found() !== null, 'nothing is found')
  expect(first.found()).toEqual([])
  first.leave()
  const second = openSearch()
  expect(second.found()).toEqual([])
  await waitUntil(() => second.found()?.length === 1, 'what was written since')
  second.leave()
  const third = openSearch()
  expect(third.found()).toEqual([4])
  await waitUntil(() => third.found()?.length === 2, 'and what came after that')
  third.leave()
})

test('asked again, a search keeps the pages one had seen; in vain, it keeps what it found', async () => {
  const many = Array.from({ length: 20 }, (_, n) => n + 1)
  const cursors = answerWith([
    makePage({ hits: many, next: 'a' }),
    makePage({ hits: [21] }),
    makePage({ hits: [99, ...many.slice(0, -1)], next: 'c' }),
  ])
  const first = openSearch()
  await waitUntil(() => first.found() !== null, 'the first page')
  if (!result) throw new Error('nothing was found')
  const further = await findFurther(request, result)
  act(() => keepFound(further))
  first.leave()
  const second = openSearch()
  await waitUntil(() => second.found()?.length === 22, 'the new one')
  expect([second.found(), result?.next]).toEqual([[99, ...many, 21], further.next])
  second.leave()
  const third = openSearch()
  await waitUntil(() => cursors.length > 3, 'it is asked again')
  await act(() => new Promise(resolve => setTimeout(resolve, 50)))
  expect([third.found()?.length, result?.error]).toEqual([22, null])
  third.leave()
})

test('asked again, a search leaves out what one had seen where something may lie between', () => {
  const newest = { ...before, hits: [9, 8].map(makeHit), next: 'below 8' }
  const earlier = { ...before, hits: [5, 4].map(makeHit), next: null }
  expect(joinFound(newest, earlier)).toEqual(newest)
  // Looked for and not found: nothing lies there.
  expect(joinFound({ ...before, next: 'a' }, earlier)).toEqual(earlier)
})

let result: SearchResult | null = null

function Pane() {
  result = useFound(request).found
  return null
}

/** The pane of the search, for as long as it is looked at. */
function openSearch() {
  const root = createRoot(document.createElement('div'))
  act(() => root.render(createElement(Pane)))
  return {
    found: () => result && [...result.tickets, ...result.hits.map(hit => hit.ticketId)],
    leave: () => act(() => root.unmount()),
  }
}

/** Answers each request with the next page; the cursors that were asked for. */
function answerWith(pages: readonly Page[]): (string | null)[] {
  const cursors: (string | null)[] = []
  const server = startPageServer({
    fetch(_, url) {
      cursors.push(url.searchParams.get('cursor'))
      const page = pages[cursors.length - 1]
      return page ? Response.json(page) : Response.json({ error: 'ERR_INTERNAL' }, { status: 500 })
    },
  })
  stop = () => server.stop(true)
  return cursors
}

interface PageContent {
  readonly named?: readonly number[]
  readonly hits?: readonly number[]
  readonly next?: string
}

function makePage({ named = [], hits = [], next }: PageContent): Page {
  const ids = [...named, ...hits]
  return {
    tickets: ids.map(id => makeTicket({ id })),
    hits: hits.map(makeHit),
    named: [...named],
    hasMore: next !== undefined,
    count: ids.length,
    nextCursor: next ?? null,
    searchedTo: next === undefined ? null : '2026-11-21T12:00:00.000Z',
  }
}

function makeHit(ticketId: number): MessageHit {
  const words = { text: 'ana silva', name: 'Ana', mediaType: 'chat', fromMe: false } as const
  return { ticketId, messageId: ticketId, createdAt: '2026-11-21T12:00:00.000Z', ...words }
}
