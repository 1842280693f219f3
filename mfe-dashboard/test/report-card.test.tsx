// A report that failed is made again once, however often its button is pressed.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Job } from '@balcao/contract'
import { addTexts } from '@balcao/ui/i18n'
import { endSession, session } from '@balcao/ui/session'
import type { Server } from 'bun'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { startPageServer } from '../../ui/test/page.ts'
import pt from '../locales/reports/pt.json'
import { ReportCard } from '../src/reports/ReportCard.tsx'

const { cleanup, fireEvent, render, screen, waitFor } = await import('@testing-library/react')

addTexts('reports', { pt, en: async () => ({ default: pt }), es: async () => ({ default: pt }) })

let server: Server<undefined>
let begun: number
/** What an answer waits for. */
let slow: Promise<void> | undefined

beforeEach(() => {
  begun = 0
  slow = undefined
  session.user = { id: 1, profile: 'admin', queueIds: [] } as never
  server = startPageServer({
    async fetch({ method }, { pathname, searchParams }) {
      if (method !== 'POST') return Response.json(pathname === '/queue' ? [] : { users: [] })
      if (searchParams.get('preview') === 'true') return Response.json({ rows: 3 })
      begun += 1
      await slow
      return Response.json({ jobId: begun }, { status: 202 })
    },
  })
})
afterEach(async () => {
  cleanup()
  notices.list = []
  endSession()
  await server.stop(true)
})

test('two presses on a report that failed begin one', async () => {
  const { rerender } = render(<Card job={null} />)
  fireEvent.click(screen.getByRole('button', { name: pt.make }))
  await waitFor(() => expect(notices.list.map(({ text }) => text)).toEqual([pt.begun]))
  rerender(<Card job={FAILED} />)
  const answer = Promise.withResolvers<void>()
  slow = answer.promise
  fireEvent.click(screen.getByRole('button', { name: pt.again }))
  fireEvent.click(screen.getByRole('button', { name: pt.again }))
  answer.resolve()
  await waitFor(() => expect(screen.getByRole('button', { name: pt.again }).getAttribute('aria-busy')).not.toBe('true'))
  expect(begun).toBe(2)
})

const AT = '2026-11-23T09:00:00.000Z'
const FAILED: Job = {
  ...{ id: 1, kind: 'report.ticket', about: null, userId: 1, state: 'failed', done: 0, total: null, result: null },
  ...{ error: 'ERR_NO_SPACE', createdAt: AT, endedAt: AT, version: 1 },
}

function Card({ job }: { readonly job: Job | null }) {
  const jobs = { cancel: () => undefined, download: () => undefined, show: () => undefined }
  return <ReportCard {...jobs} report="ticket" job={job} startsOpen onOpen={() => undefined} />
}
