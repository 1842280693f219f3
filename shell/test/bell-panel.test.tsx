// What stands in the bell, as the server told it.
import { afterEach, expect, test } from 'bun:test'
import { MemoryRouter } from '@balcao/ui/router'
import { endSession, session } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import BellPanel from '../src/notifications/BellPanel.tsx'
import { bells, load } from '../src/notifications/bells.ts'
import { MARINA } from './marina.ts'

let root: Root | undefined
afterEach(() => act(() => root?.unmount()))

test('an alarm about what never was says no time, and a row keeps the focus when what it says changes', async () => {
  session.user = MARINA
  const none = { count: 0, items: [] }
  bells.rows = {
    ...{ tickets: none, chats: none, mentions: none, news: none },
    alarms: [{ code: 'backup_old', at: null, reason: null }],
  }
  const place = document.body.appendChild(document.createElement('div'))
  act(() => {
    root = createRoot(place)
    root.render(
      <MemoryRouter>
        <BellPanel name="tickets" anchor={{ current: null }} />
      </MemoryRouter>,
    )
  })
  const row = document.querySelector<HTMLElement>('.s-bell-row')
  expect([row?.textContent?.includes('Ainda não há nenhuma boa'), row?.querySelector('time')]).toEqual([true, null])
  act(() => row?.focus())
  await act(async () => {
    bells.rows = bells.rows && {
      ...bells.rows,
      alarms: [{ code: 'backup_old', at: '2026-11-20T12:00:00.000Z', reason: null }],
    }
  })
  expect([document.activeElement === row, row?.textContent?.includes('A última boa é de')]).toEqual([true, true])
})

test('of two answers the one asked for last counts', async () => {
  const answers: ((tickets: number) => void)[] = []
  const none = { count: 0, items: [] }
  const server = startPageServer({
    fetch: () =>
      new Promise<Response>(resolve => {
        answers.push(count =>
          resolve(
            Response.json({
              ...{ chats: none, mentions: none, news: none, alarms: [] },
              tickets: { count, items: [] },
            }),
          ),
        )
      }),
  })
  endSession()
  session.user = MARINA
  bells.open = 'tickets'
  const slow = load()
  await waitUntil(() => answers.length === 1, 'the first question')
  const quick = load()
  await waitUntil(() => answers.length === 2, 'the second question')
  answers[1]?.(5)
  await quick
  answers[0]?.(4)
  await slow
  expect([bells.counts.tickets, bells.rows?.tickets.count]).toEqual([5, 5])
  await server.stop(true)
})
