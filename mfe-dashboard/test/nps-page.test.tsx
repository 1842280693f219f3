// Where nobody has given a rating there is a way to what asks for one; what is counted anew says so.
import { expect, test } from 'bun:test'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import NpsPage from '../src/nps/NpsPage.tsx'

let summary: object | null = null

const show = preparePage((_, { pathname }) =>
  pathname.endsWith('/summary')
    ? Response.json(summary ?? { error: 'ERR_INTERNAL' }, { status: summary ? 200 : 500 })
    : Response.json(
        pathname.endsWith('/queue') || pathname.endsWith('/whatsapp')
          ? []
          : { entries: [], users: [], count: 0, hasMore: false, nextCursor: null },
      ),
)

test('where nobody has given a rating a link leads to the connections, which ask for it', async () => {
  await show(<NpsPage />)
  await waitUntil(() => document.querySelector('.b-empty') !== null, 'nothing is there')
  expect(document.querySelector('.b-empty a')?.getAttribute('href')).toBe('/connections')
})

test('what is counted anew after a change of the time zone says so above the figures, and apart from them', async () => {
  const counting = { what: 'days', timezone: 'America/Manaus', done: 0.4 }
  const rating = { average: null, count: 0 }
  summary = { counting, rating, rates: [0, 0, 0, 0, 0], asked: 0, answered: 0, waiting: 0, trend: [] }
  await show(<NpsPage />)
  await waitUntil(() => document.querySelector('progress') !== null, 'how far it is stands there')
  expect(document.body.textContent).toContain('os números são os do fuso America/Manaus')
  expect(document.querySelector('.mb-3 progress')).not.toBe(null)
  summary = null
})
