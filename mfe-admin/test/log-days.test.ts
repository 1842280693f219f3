// The activity log on a page that stays open over midnight.
import { afterEach, expect, setSystemTime, test } from 'bun:test'
import type { Server } from 'bun'
import { startPageServer } from '../../ui/test/page.ts'
import { makeLogOptions, toLogFilters } from '../src/log/list.ts'

let server: Server<undefined> | undefined
afterEach(async () => {
  setSystemTime()
  await server?.stop(true)
})

test('today is the day on which it is asked for, and further pages go on with the day of their first', async () => {
  const days: (string | null)[] = []
  server = startPageServer({
    fetch(_, { searchParams }) {
      days.push(searchParams.get('firstDate'))
      return Response.json({ logs: [], nextCursor: null, count: 0 })
    },
  })
  setSystemTime(new Date('2026-12-01T02:59:00Z'))
  const { page, start } = makeLogOptions(null)
  const today = { ...start, span: 'today' } as const
  const { signal } = new AbortController()
  await page(today, null, signal)
  setSystemTime(new Date('2026-12-01T03:01:00Z'))
  await page(today, 'next', signal)
  await page(today, null, signal)
  expect(days).toEqual(['2026-11-30', '2026-11-30', '2026-12-01'])
  expect(toLogFilters(today, null)).toMatchObject({ firstDate: '2026-12-01', lastDate: '2026-12-01' })
})
