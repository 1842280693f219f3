// Where there is no protocol there is a way to what makes one.
import { expect, test } from 'bun:test'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import ProtocolsPage from '../src/protocols/ProtocolsPage.tsx'

const show = preparePage((_, { pathname }) =>
  Response.json(pathname.includes('rotocol') ? { protocolos: [], count: 0, hasMore: false, nextCursor: null } : []),
)

test('where there is no protocol a link leads to the conversations, which get one', async () => {
  await show(<ProtocolsPage />)
  await waitUntil(() => document.querySelector('.b-empty') !== null, 'nothing is there')
  expect(document.querySelector('.b-empty a')?.getAttribute('href')).toBe('/tickets')
})
