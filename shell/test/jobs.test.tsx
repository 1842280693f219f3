// The tray of long work in the app bar, against a server that has some or none.
import { afterEach, expect, test } from 'bun:test'
import type { Job } from '@balcao/contract'
import { live } from '@balcao/ui/live'
import type { Server, ServerWebSocket } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer } from '../../ui/test/page.ts'
import { Jobs } from '../src/jobs/Jobs.tsx'

const JOB: Job = {
  ...{ id: 7, kind: 'contacts.import', about: null, userId: 1, state: 'running', version: 1, done: 3120, total: 8400 },
  ...{ result: null, error: null, createdAt: '2026-11-22T12:00:00.000Z', endedAt: null },
}

let root: Root | undefined
let server: Server<undefined> | undefined
let line: ServerWebSocket<undefined> | undefined
let jobs: readonly Job[] = []
let requests = 0

afterEach(async () => {
  await act(async () => root?.unmount())
  live.stop()
  line = undefined
  requests = 0
  await server?.stop(true)
})

test('is there for who has long work, also when it began elsewhere or before the page was loaded', async () => {
  await open([JOB])
  await waitUntilDrawn('1 tarefa')
  await act(async () => button()?.click())
  await waitUntilDrawn('3.120 de 8.400')
})

test('is not there for who has none, comes with the event of the first, and follows it to its end', async () => {
  await open([])
  live.start()
  await waitUntilDrawn('', () => line !== undefined && requests > 0)
  expect(button()).toBeNull()
  tell(JOB, 'create')
  await waitUntilDrawn('1 tarefa')
  tell({ ...JOB, state: 'done', version: 2 }, 'update')
  await waitUntilDrawn('Tarefas')
  // On a phone its word is not shown.
  expect(button()?.querySelector('svg')).not.toBeNull()
})

async function open(known: readonly Job[]) {
  jobs = known
  server = startPageServer({
    fetch(_, { pathname }) {
      if (pathname === '/auth/socket') return Response.json({ token: 'one' })
      requests += 1
      return Response.json({ jobs, hasMore: false, nextCursor: null })
    },
    websocket: {
      message(socket) {
        line ??= socket
        socket.send(JSON.stringify({ type: 'welcome', cursor: '1' }))
      },
    },
  })
  document.body.innerHTML = '<div></div>'
  root = createRoot(document.body.firstElementChild ?? document.body)
  await act(async () => root?.render(<Jobs />))
}

function tell(job: Job, action: 'create' | 'update') {
  jobs = [job]
  const event = { event: 'job', action, version: job.version, job }
  line?.send(JSON.stringify({ type: 'events', events: [event], cursor: String(job.version + 1) }))
}

function button() {
  return document.querySelector<HTMLButtonElement>('.b-job-pill')
}

/** Waits until the words stand on the page. */
async function waitUntilDrawn(words: string, also = () => true) {
  const tick = () => act(() => new Promise<void>(resolve => setImmediate(resolve)))
  const end = Date.now() + 3000
  while (!also() || !document.body.textContent?.includes(words)) {
    if (Date.now() > end) throw new Error(`never drawn: ${words}`)
    await tick()
  }
}
