// Whom and which queue the dashboard offers to choose: as they are now, also where the first look came to nothing.
import { afterAll, afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { live } from '@balcao/ui/live'
import { session } from '@balcao/ui/session'
import { useChoices } from '../src/dashboard/use-stats.ts'

const { act, cleanup, renderHook, waitFor } = await import('@testing-library/react')

let isUp: boolean
let queues: { id: number; name: string }[]
const heard = spyOn(live, 'on')
const server = spyOn(globalThis, 'fetch')

beforeEach(() => {
  isUp = true
  queues = [{ id: 1, name: 'Financeiro' }]
  heard.mockClear()
  server.mockImplementation(
    Object.assign(
      async (url: RequestInfo | URL) => {
        if (!isUp) throw new TypeError('no line')
        return Response.json(String(url).includes('/queue') ? queues : { users: [{ id: 2, name: 'Helena' }] })
      },
      { preconnect() {} },
    ),
  )
})
afterEach(cleanup)
afterAll(() => {
  heard.mockRestore()
  server.mockRestore()
})

test('what could not be asked for at first is asked for when the line is back', async () => {
  isUp = false
  session.connection.state = 'offline'
  const { result } = renderHook(useChoices)
  await waitFor(() => expect(server).toHaveBeenCalledTimes(2))
  isUp = true
  await act(async () => {
    session.connection.state = 'live'
  })
  await waitFor(() => expect([result.current.users.length, result.current.queues.length]).toEqual([1, 1]))
})

test('a queue that is added can be chosen at once', async () => {
  const { result } = renderHook(useChoices)
  await waitFor(() => expect(result.current.queues).toHaveLength(1))
  queues = [...queues, { id: 2, name: 'Entregas' }]
  const event = { event: 'queue', action: 'create', version: 1 } as const
  for (const [name, listener] of heard.mock.calls) if (name === 'queue') act(() => listener(event as never))
  await waitFor(() => expect(result.current.queues).toHaveLength(2))
})
