// Closing what the bot has: done is said only of what is closed.
import { afterEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import { act } from 'react'
import { notices } from '../../ui/src/kit/parts/toast.ts'
import { waitUntil } from '../../ui/test/page.ts'
import { preparePage } from '../../ui/test/shown-page.tsx'
import pt from '../locales/bot-tickets/pt.json'
import { CloseBots } from '../src/bot-tickets/TakeFromBot.tsx'
import { makeTicket } from './ticket.ts'

addTexts('bot-tickets', { pt, en: async () => ({ default: pt }), es: async () => ({ default: pt }) })

let answer: () => Response

const show = preparePage(() => answer())
afterEach(() => {
  notices.list = []
})

test.each([
  ['success', 'it was closed', () => Response.json(makeTicket(7, { status: 'closed' }))],
  ['success', 'a colleague closed it before', () => refuse('ERR_INVALID_TRANSITION', 409, { from: 'closed' })],
  [
    'warning',
    'the customer asked for people meanwhile',
    () => refuse('ERR_INVALID_TRANSITION', 409, { from: 'pending' }),
  ],
  ['warning', 'it is not seen from here any more', () => refuse('ERR_NO_TICKET_FOUND', 404, null)],
] as const)('%s is said where %s, and the row goes', async (kind, _, answers) => {
  answer = answers
  let isDone = false
  await show(<CloseBots ticket={makeTicket(7)} onDone={() => (isDone = true)} onClose={() => undefined} />)
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === pt.close.action)
  act(() => button?.click())
  await waitUntil(() => notices.list.length > 0, 'it is told')
  expect([notices.list.map(notice => notice.kind), isDone]).toEqual([[kind], true])
})

function refuse(error: string, status: number, details: unknown) {
  return Response.json({ error, message: '', details }, { status })
}
