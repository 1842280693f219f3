// Where nobody has given a rating there is a way to what asks for one.
import { expect, test } from 'bun:test'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import NpsPage from '../src/nps/NpsPage.tsx'

const show = preparePage((_, { pathname }) =>
  pathname.endsWith('/summary')
    ? Response.json({ error: 'ERR_INTERNAL' }, { status: 500 })
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
