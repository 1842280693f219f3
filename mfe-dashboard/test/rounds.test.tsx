// The numbers of a busy desk over a slow line: something happens, and asks for newer ones, before those of a round have come.
import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { live } from '@balcao/ui/live'
import { session } from '@balcao/ui/session'
import type { ServerWebSocket } from 'bun'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { getMonth } from '../src/dashboard/filter.ts'
import { EVERY_MS } from '../src/dashboard/pace.ts'
import { type FigureSource, useStats } from '../src/dashboard/use-stats.ts'

const { cleanup, renderHook } = await import('@testing-library/react')
/** The pacer rests for a second after each event: every event asks, and every round is longer than until the next. */
const EVENT_MS = 1200
const ROUND_MS = 2000

let stop: () => unknown = () => undefined
const filter = { ...getMonth('2026-11-30'), queueId: null, userId: null }
afterEach(async () => {
  setSystemTime()
  cleanup()
  await stop()
})

test('come though something happens in the midst of every round, and newer ones after them', async () => {
  let line: ServerWebSocket<undefined> | undefined
  const server = startPageServer({
    fetch: () => Response.json({ token: 'one' }),
    websocket: {
      message(socket) {
        line ??= socket
        socket.send(JSON.stringify({ type: 'welcome', cursor: '1' }))
      },
    },
  })
  let cursor = 1
  const happening = setInterval(() => {
    cursor += 1
    const event = { event: 'queue', action: 'delete', version: 1, queueId: 1 }
    line?.send(JSON.stringify({ type: 'events', events: [event], cursor: String(cursor) }))
  }, EVENT_MS)
  stop = () => {
    clearInterval(happening)
    live.stop()
    return server.stop(true)
  }
  live.start()
  await waitUntil(() => session.connection.state === 'live', 'the line stands')

  let rounds = 0
  const source: FigureSource<number> = {
    async load(_, signal) {
      rounds += 1
      const own = rounds
      await new Promise(resolve => setTimeout(resolve, ROUND_MS))
      signal.throwIfAborted()
      return own
    },
    isCounting: () => false,
  }
  const { result } = renderHook(() => useStats(source, filter))
  await waitUntil(() => result.current.numbers === 1, 'the first numbers')
  await waitUntil(() => (result.current.numbers ?? 0) > 1, 'newer ones')
  expect(result.current.state).not.toBe('failed')
})

test('are asked for again after a minute where the answer to a round never comes', async () => {
  let rounds = 0
  const aborted: boolean[] = []
  const source: FigureSource<number> = {
    async load(_, signal) {
      rounds += 1
      if (rounds > 1) return rounds
      setSystemTime(Date.now() + EVERY_MS)
      signal.addEventListener('abort', () => aborted.push(true))
      return new Promise(() => undefined)
    },
    isCounting: () => false,
  }
  const { result } = renderHook(() => useStats(source, filter))
  await waitUntil(() => result.current.numbers === 2, 'the next numbers')
  expect([result.current.state, aborted]).toEqual(['ready', [true]])
})
