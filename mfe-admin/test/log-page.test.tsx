// The sheet of the activity log holds what the page shows, and nothing else of anybody.
import { beforeEach, expect, test } from 'bun:test'
import { act } from 'react'
import { typeText, waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import LogPage from '../src/log/LogPage.tsx'

let searches: (string | null)[]
let exported: { readonly searchParam?: string } | null

beforeEach(() => {
  searches = []
  exported = null
})
const show = preparePage(async (request, { pathname, searchParams }) => {
  if (pathname === '/log/export') {
    exported = await request.json()
    return Response.json({ jobId: 1 }, { status: 202 })
  }
  if (pathname !== '/log') return Response.json({ users: [], hasMore: false, nextCursor: null, count: 0 })
  searches.push(searchParams.get('searchParam'))
  return Response.json({ logs: [], count: 0, hasMore: false, nextCursor: null })
})

test('a sheet of the log goes by what is searched', async () => {
  await show(<LogPage />)
  await waitUntil(() => searches.length === 1, 'the first page is asked for')
  const field = document.querySelector<HTMLInputElement>('input[type="search"]')
  if (!field) throw new Error('nothing can be searched')
  typeText(field, 'Maria Souza')
  await waitUntil(() => searches.length === 2, 'what is typed is asked for')
  await waitUntil(() => findSheetButton() !== undefined, 'its answer is there')
  act(() => findSheetButton()?.click())
  await waitUntil(() => exported !== null, 'the sheet is asked for')
  expect([searches, exported?.searchParam]).toEqual([[null, 'Maria Souza'], 'Maria Souza'])
})

function findSheetButton() {
  const isAnswered = document.body.textContent?.includes('Nada com “Maria Souza”')
  return isAnswered
    ? [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Planilha')
    : undefined
}
