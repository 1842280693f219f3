import { afterEach, expect, test } from 'bun:test'
import { ApiError } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { useOpened } from '../src/desk/use-opened.ts'

let requests = 0
let left = 0
let root: Root | undefined
let server: ReturnType<typeof startPageServer> | undefined

afterEach(async () => {
  act(() => root?.unmount())
  live.stop()
  await server?.stop(true)
})

test('what the address names is asked for again after a reset, which voids the answer that was on its way', async () => {
  server = startPageServer({
    fetch: () => Response.json({ token: 'one' }),
    websocket: { message: socket => void socket.send(JSON.stringify({ type: 'welcome', cursor: '1' })) },
  })
  root = createRoot(document.createElement('div'))
  act(() => root?.render(<Probe />))
  expect([requests, left]).toEqual([1, 0])
  live.start()
  await waitUntil(() => left > 0, 'it leads back')
  expect([requests, left]).toEqual([2, 1])
})

function Probe() {
  useOpened(7, false, {
    async fetch() {
      requests += 1
      // As a store that was reset: the first answer does not count any more, be it good or bad.
      if (requests > 1) throw new ApiError('ERR_NO_PERMISSION', 403, 'not yours')
    },
    leave: () => {
      left += 1
    },
    refused: 'noPermission',
    gone: {},
  })
  return null
}
